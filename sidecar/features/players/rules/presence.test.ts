import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { FeedEvent } from "../../../../client/types.ts";
import { isElsewhere } from "../../servers/rules/elsewhere.ts";
import * as presence from "./presence.ts";

const player = (name: string): presence.PresentPlayer => ({ id: `-${name}`, name, uuid: `uuid-${name}` });
const [steve, alex] = [player("Steve"), player("Alex")];

/** Events in short: `+Steve`, `-Steve`, `online`, `away`. */
const summary = (events: readonly FeedEvent[]): string[] =>
  events.map(event => {
    if (event.event === "server") return event.state;
    if (event.event === "join") return `+${event.player.name}`;
    return event.event === "leave" ? `-${event.player.name}` : event.event;
  });

const began = presence.beginRun(presence.NEVER_ONLINE, "a", 1).presence;
const online = presence.updatePlayers(began, "a", [steve, alex], 1).presence;

describe("the feed's events from the game", () => {
  it("start with the server being online and all of its players", () => {
    expect(presence.beginRun(presence.NEVER_ONLINE, "a", 1).events).toEqual([]);
    const { events } = presence.updatePlayers(began, "a", [steve, alex], 5);
    expect(events).toEqual([
      { event: "server", at: 5, state: "online" },
      { event: "join", at: 5, player: { name: "Steve", uuid: "uuid-Steve" } },
      { event: "join", at: 5, player: { name: "Alex", uuid: "uuid-Alex" } },
    ]);
  });

  it.each([
    [
      "nothing where everybody is there still",
      () => presence.updatePlayers(online, "a", [alex, steve], 2),
      [],
    ],
    [
      "who came and who went between two lists",
      () => presence.updatePlayers(online, "a", [steve, player("Eve")], 2),
      ["-Alex", "+Eve"],
    ],
    ["that somebody came", () => presence.addPlayer(online, "a", player("Eve"), 2), ["+Eve"]],
    ["nothing of one who comes and is there", () => presence.addPlayer(online, "a", steve, 2), []],
    ["that somebody went", () => presence.removePlayer(online, "a", "-Steve", 2), ["-Steve"]],
    ["nothing of one who goes and was not there", () => presence.removePlayer(online, "a", "-Eve", 2), []],
    [
      "that everybody left when the game falls silent",
      () => presence.markSilent(online, 2),
      ["away", "-Steve", "-Alex"],
    ],
    [
      "that everybody left when another run begins",
      () => presence.beginRun(online, "b", 2),
      ["away", "-Steve", "-Alex"],
    ],
    ["nothing when the same run says hello again", () => presence.beginRun(online, "a", 2), []],
    ["nothing that a run before has to say", () => presence.updatePlayers(online, "before", [], 2), []],
    ["nothing of who comes before the first list", () => presence.addPlayer(began, "a", steve, 2), []],
    ["nothing of who goes before the first list", () => presence.removePlayer(began, "a", "-Steve", 2), []],
    ["nothing of a silence that continues", () => presence.markSilent(began, 2), []],
  ] as const)("report %s", (_what, step, expected) => {
    expect(summary(step().events)).toEqual(expected);
  });

  it("alternate between join and leave for each player", () => {
    const names = fc.constantFrom("A", "B", "C");
    const run = fc.constantFrom("a", "b");
    type Step = (before: presence.Presence) => presence.PresenceStep;
    const step: fc.Arbitrary<Step> = fc.oneof(
      run.map(
        (run): Step =>
          before =>
            presence.beginRun(before, run, 0),
      ),
      fc.constant<Step>(before => presence.markSilent(before, 0)),
      fc.tuple(run, fc.uniqueArray(names)).map(
        ([run, all]): Step =>
          before =>
            presence.updatePlayers(before, run, all.map(player), 0),
      ),
      fc.tuple(run, names).map(
        ([run, one]): Step =>
          before =>
            presence.addPlayer(before, run, player(one), 0),
      ),
      fc.tuple(run, names).map(
        ([run, one]): Step =>
          before =>
            presence.removePlayer(before, run, `-${one}`, 0),
      ),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const there = new Set<string>();
        let isOnline = false;
        let state = presence.NEVER_ONLINE;
        for (const take of steps) {
          const { presence: after, events } = take(state);
          state = after;
          for (const event of events) {
            if (event.event === "server") {
              expect(event.state).toBe(isOnline ? "away" : "online");
              isOnline = !isOnline;
            } else if (event.event === "join") {
              expect(isOnline && !there.has(event.player.name)).toBe(true);
              there.add(event.player.name);
            } else if (event.event === "leave") expect(there.delete(event.player.name)).toBe(true);
          }
          expect(state.isOnline).toBe(isOnline);
          expect(new Set(state.players.map(({ name }) => name))).toEqual(there);
          if (!isOnline) expect(there.size).toBe(0);
        }
      }),
    );
  });
});

it.each([
  ["nobody has the player", [false, false, false], 1, false],
  ["it has the player itself", [false, true, false], 1, false],
  ["an earlier one has the player", [true, false, false], 1, true],
  ["a later one has the player", [false, false, true], 1, true],
  ["it and a later one have the player", [false, true, true], 1, false],
  ["it and an earlier one have the player", [true, true, false], 1, true],
])("a player counts as online on another game server if %s: %j, %d: %s", (_what, listed, own, is) => {
  expect(isElsewhere(listed, own)).toBe(is);
});
