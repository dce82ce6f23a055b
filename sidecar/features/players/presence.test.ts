import { describe, expect, it } from "@jest/globals";
import { memoryBus } from "../../../test/helpers/bus.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { memoryFeedLog } from "../../../test/helpers/feed-log.ts";
import { ALEX, createTestApp, row, STEVE, said, type TestApp } from "../../../test/helpers/test-app.ts";
import { createPresenceTracker } from "./presence.ts";

const SILENT_MS = 15_000;
const TURN = { token: "" };

it("the feed counts the game's silence from the moment when it can report again", async () => {
  const clock = new ManualClock();
  const log = memoryFeedLog(clock);
  const bus = memoryBus();
  const listeners: ((isAway: boolean) => void)[] = [];
  let isAway = false;
  const turn = async (away: boolean): Promise<void> => {
    isAway = away;
    for (const listener of listeners) listener(isAway);
    await new Promise(setImmediate);
  };
  const presence = await createPresenceTracker({
    ...{ clock, log, bus, bridgeId: "b", tag: {}, silentMs: SILENT_MS },
    reach: { isAway: () => isAway, onChange: listener => void listeners.push(listener) },
  });
  const states = async (): Promise<unknown[]> => {
    await new Promise(setImmediate);
    return (await log.newest(10)).entries.map(({ event }) => "state" in event && event.state);
  };
  const hear = async (): Promise<void> => {
    await presence.listed("run", [], TURN);
    await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), tps: 20, rows: [] } });
  };

  await presence.began("run", TURN);
  await hear();
  expect(await states()).toEqual(["online"]);
  clock.advance(SILENT_MS - 1);
  await turn(true);
  clock.advance(SILENT_MS);
  expect(await states()).toEqual(["online"]);
  await turn(false);
  clock.advance(SILENT_MS - 1);
  expect(await states()).toEqual(["online"]);
  await hear();
  clock.advance(SILENT_MS - 1);
  expect(await states()).toEqual(["online"]);
  clock.advance(1);
  expect(await states()).toEqual(["online", "away"]);
  await hear();
  await turn(true);
  clock.advance(SILENT_MS);
  await turn(false);
  clock.advance(SILENT_MS);
  expect(await states()).toEqual(["online", "away", "online", "away"]);
});

/** The events of the feed in short: `+Steve` and `-Steve`, the state of the game, and the text of a message. */
const short = ({ events }: TestApp): string[] =>
  events.map(({ event }) => {
    if (event.event === "join") return `+${event.player.name}`;
    if (event.event === "leave") return `-${event.player.name}`;
    if (event.event === "chat") return event.content.replace("§§<Steve> §§", "");
    return event.event === "server" ? event.state : event.event;
  });

const hidden = (name: string) => row(name, { hidden: true });
const snapshot = (...rows: ReturnType<typeof row>[]) =>
  ({ is: "snapshot", tps: 20, part: 0, parts: 1, rows }) as const;

describe("the feed and the game", () => {
  it("reports the game offline and every player gone when its last report is too old", async () => {
    const app = await createTestApp({ players: ["Steve", "Alex"] });
    app.clock.advance(14_999);
    await app.quiet();
    expect(short(app)).toEqual(["online", "+Steve", "+Alex"]);
    app.clock.advance(1);
    await app.quiet();
    expect(short(app).slice(3)).toEqual(["away", "-Steve", "-Alex"]);
    await app.pack.snapshot("Alex");
    expect(short(app).slice(6)).toEqual(["online", "+Alex"]);
  });

  it("reports a player who hides as leaving, and one who shows again as joining", async () => {
    const app = await createTestApp({ players: ["Steve", "Alex"] });
    await app.pack.report(
      snapshot(hidden("Steve"), row("Alex")),
      { is: "joined", row: hidden("Eve") },
      said("I am hidden"),
      { is: "left", id: row("Eve").player.id },
      snapshot(row("Steve"), row("Alex")),
    );
    expect(short(app).slice(3)).toEqual(["-Steve", "I am hidden", "+Steve"]);
  });

  it("names players who chat, die and kill, and withholds chat while web chat is off", async () => {
    const app = await createTestApp({ players: ["Steve", "Alex"] });
    app.events.length = 0;
    await app.pack.report(
      { is: "said", name: "§cSteve", text: "hi", player: STEVE },
      { is: "said", name: "Herobrine", text: "boo" },
      { is: "died", player: STEVE, killer: ALEX },
      { is: "died", player: ALEX },
      { is: "webchat", mode: "off" },
      said("meanwhile"),
      { is: "webchat", mode: "linked" },
      said("after"),
    );
    const [steve, alex] =
      app.server.snapshots.fresh()?.players.map(({ name, uuid }) => ({ name, uuid })) ?? [];
    const line = { event: "chat", at: app.clock.now(), from: "game" };
    const death = { event: "death", at: app.clock.now() };
    const id = expect.any(String);
    expect(app.events.map(({ key: _, ...entry }) => entry)).toEqual([
      { id, event: { ...line, content: "§§<§#ff5555Steve> §#ff5555hi", player: steve } },
      { id, event: { ...line, content: "§§<Herobrine> §§boo" } },
      { id, event: { ...death, player: steve, killer: alex } },
      { id, event: { ...death, player: alex } },
      { id, event: { ...line, content: "§§<Steve> §§meanwhile", player: steve }, withheld: true },
      { id, event: { ...line, content: "§§<Steve> §§after", player: steve } },
    ]);
  });
});
