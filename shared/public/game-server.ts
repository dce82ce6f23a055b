import type { Infer } from "../guard.ts";
import { count, int64, list, num, object, oneOf, orNull, ref, text, uuid } from "./schema-guards.ts";

const tps = num(0, 20, "Ticks a second, the average of the last minute.");
const online = count("Number of online players.");

export const metrics = object("Figures of the game server.", {
  status: oneOf("Always this word.", "Online"),
  tps,
  onlinePlayerCount: online,
  memoryUsedMB: int64("Resident memory of the game server in MiB; 0 when not visible."),
  memoryMaxMB: int64("Memory that the game server may use, in MiB; 0 when not visible."),
  cpuUsage: num(-1, 100, "CPU use of the game server in percent of the whole machine; -1 when not visible."),
});
export type Metrics = Infer<typeof metrics>;

export const playerData = object("An online player.", {
  name: text("Name that the game reports.", { minLength: 1 }),
  uuid: uuid("The same player always has the same one. It is no XUID."),
  health: count("Current health, rounded."),
  deaths: count("Deaths since the behavior pack first ran."),
  playerKills: count("Kills of other players since the behavior pack first ran."),
  playtimeSeconds: int64("Time online in seconds since the behavior pack first ran."),
});
export type PlayerData = Infer<typeof playerData>;

export const players = list("One element for each online player.", ref("PlayerData", playerData));

export const serverInfo = object("What is known of the game server; null where it is not.", {
  title: orNull(text("Name of the server.", { minLength: 1, maxLength: 64 })),
  address: orNull(text("What players type to join.", { minLength: 1 })),
  version: orNull(text("Version of the game.", { minLength: 1 })),
  maxPlayers: orNull(count("Players that fit in.", 1)),
});
export type ServerInfo = Infer<typeof serverInfo>;

export const reporting = oneOf("`online` while it reports, else `away`.", "online", "away");

export const listedServer = object("A game server behind this service; null where something is not known.", {
  name: text("What it is called in addresses and events.", { pattern: "^[a-z0-9][a-z0-9-]{0,31}$" }),
  title: serverInfo.properties.title,
  state: reporting,
  onlinePlayerCount: orNull(online),
  maxPlayers: serverInfo.properties.maxPlayers,
  version: serverInfo.properties.version,
  address: serverInfo.properties.address,
});
export type ListedServer = Infer<typeof listedServer>;

export const servers = list(
  "The first game server first, then as configured.",
  ref("ListedServer", listedServer),
);

export const historyPoint = object(
  "The figures at a moment. All four null: from then on no game server reported, until the next point.",
  {
    at: int64("Milliseconds since 1970."),
    tps: orNull(tps),
    onlinePlayerCount: orNull(online),
    memoryUsedMB: orNull(int64("Resident memory in MiB; null when not visible.")),
    cpuUsage: orNull(num(0, 100, "Percent of the whole machine; null when not visible.")),
  },
);
export type HistoryPoint = Infer<typeof historyPoint>;

export const historyData = object("Figures of the last hour.", {
  intervalMs: count("Time that one point stands for, in milliseconds."),
  points: list("Oldest first.", ref("HistoryPoint", historyPoint), 720),
});
export type HistoryData = Infer<typeof historyData>;

const MOST = Number.MAX_SAFE_INTEGER;

export const historyMean = object(
  "The means of what was reported within a stretch of time, to two decimals. Figures are null where nothing was.",
  {
    at: int64("Its beginning in milliseconds since 1970, a multiple of `intervalMs`."),
    tps: orNull(tps),
    onlinePlayerCount: orNull(num(0, MOST, "Online players.")),
    memoryUsedMB: orNull(num(0, MOST, "Resident memory in MiB; null when it was not visible.")),
    cpuUsage: orNull(num(0, 100, "Percent of the whole machine; null when it was not visible.")),
    peakPlayers: orNull(count("The most players who were online at once.")),
    onlineMs: orNull(
      count(
        "How long the game server was online within it, in milliseconds; null where an earlier version has recorded it.",
      ),
    ),
  },
);
export type HistoryMean = Infer<typeof historyMean>;

export const historyMeans = object("Figures of a day, a week, a month or a year.", {
  intervalMs: count("How long each point is, in milliseconds."),
  points: list(
    "Oldest first, without a break, from the first that has anything to that of now.",
    ref("HistoryMean", historyMean),
    366,
  ),
});
export type HistoryMeans = Infer<typeof historyMeans>;
