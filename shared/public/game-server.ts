import type { Infer } from "../guard.ts";
import { count, int64, list, num, object, oneOf, orNull, ref, text, uuid } from "./schema-guards.ts";

const tps = num(0, 20, "Ticks per second, averaged over the last minute.");
const online = count("Number of online players.");

export const metrics = object("Figures of the game server.", {
  status: oneOf("Always this value.", "Online"),
  tps,
  onlinePlayerCount: online,
  memoryUsedMB: int64("Resident memory of the game server in MiB; 0 when not available."),
  memoryMaxMB: int64("Memory limit of the game server in MiB; 0 when not available."),
  cpuUsage: num(
    -1,
    100,
    "CPU use of the game server in percent of the whole machine; -1 when not available.",
  ),
});
export type Metrics = Infer<typeof metrics>;

export const playerData = object("An online player.", {
  name: text("The player's name in the game.", { minLength: 1 }),
  uuid: uuid("UUID of the player. It never changes, and is not an XUID."),
  health: count("Current health, rounded."),
  deaths: count("Deaths since the behavior pack first ran."),
  playerKills: count("Kills of other players since the behavior pack first ran."),
  playtimeSeconds: int64("Time online in seconds since the behavior pack first ran."),
});
export type PlayerData = Infer<typeof playerData>;

export const players = list("The online players.", ref("PlayerData", playerData));

export const serverInfo = object("Information about the game server; null where unknown.", {
  title: orNull(text("Name of the server.", { minLength: 1, maxLength: 64 })),
  address: orNull(text("Address to join.", { minLength: 1 })),
  version: orNull(text("Version of the game.", { minLength: 1 })),
  maxPlayers: orNull(count("Most players at once.", 1)),
});
export type ServerInfo = Infer<typeof serverInfo>;

export const reporting = oneOf("`online` while it reports, otherwise `away` (offline).", "online", "away");

export const listedServer = object("A game server of this service; null where unknown.", {
  name: text("Its name in paths and events.", { pattern: "^[a-z0-9][a-z0-9-]{0,31}$" }),
  title: serverInfo.properties.title,
  state: reporting,
  onlinePlayerCount: orNull(online),
  maxPlayers: serverInfo.properties.maxPlayers,
  version: serverInfo.properties.version,
  address: serverInfo.properties.address,
});
export type ListedServer = Infer<typeof listedServer>;

export const servers = list(
  "The first game server, then the others in the order of the configuration.",
  ref("ListedServer", listedServer),
);

export const historyPoint = object(
  "The figures at one time. All four are null if no game server reported from then until the next point.",
  {
    at: int64("Milliseconds since 1970."),
    tps: orNull(tps),
    onlinePlayerCount: orNull(online),
    memoryUsedMB: orNull(int64("Resident memory in MiB; null when not available.")),
    cpuUsage: orNull(num(0, 100, "Percent of the whole machine; null when not available.")),
  },
);
export type HistoryPoint = Infer<typeof historyPoint>;

export const historyData = object("Figures of the last hour.", {
  intervalMs: count("Duration of one point in milliseconds."),
  points: list("Oldest first.", ref("HistoryPoint", historyPoint), 720),
});
export type HistoryData = Infer<typeof historyData>;

const MOST = Number.MAX_SAFE_INTEGER;

export const historyMean = object(
  "The averages of an interval, to two decimals. Figures are null if nothing was reported.",
  {
    at: int64("Start of the interval in milliseconds since 1970, a multiple of `intervalMs`."),
    tps: orNull(tps),
    onlinePlayerCount: orNull(num(0, MOST, "Online players.")),
    memoryUsedMB: orNull(num(0, MOST, "Resident memory in MiB; null when not available.")),
    cpuUsage: orNull(num(0, 100, "Percent of the whole machine; null when not available.")),
    peakPlayers: orNull(count("Most players online at once.")),
    onlineMs: orNull(
      count(
        "How long the game server was online, in milliseconds; null if an earlier version recorded the interval.",
      ),
    ),
  },
);
export type HistoryMean = Infer<typeof historyMean>;

export const historyMeans = object("Figures of a day, a week, a month or a year.", {
  intervalMs: count("Duration of one point in milliseconds."),
  points: list(
    "Oldest first, without gaps, from the first point with data to the current one.",
    ref("HistoryMean", historyMean),
    366,
  ),
});
export type HistoryMeans = Infer<typeof historyMeans>;
