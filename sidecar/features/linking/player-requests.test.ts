import { describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { createMemoryRecords } from "../../kernel/storage/memory-records.ts";
import { createPlayerRequestStore, type PlayerRequestStore } from "./records.ts";
import * as rules from "./rules/player-requests.ts";

const RULES: rules.RequestRules = { coolDownMs: 30_000, perMinute: 1_000 };

describe("stored requests of players", () => {
  /** Has the player refuse a request. */
  async function refused(players: PlayerRequestStore, player: string) {
    await players.change(player, (before, now) => {
      const asking = { request: "r", from: ["a"], browser: "0123abcd", lifeMs: 1, online: true };
      const open = rules.opened(rules.admit(before, asking, now, RULES).record, "r", 9, now);
      return { record: rules.answered(open, "r", false, now, RULES), answer: undefined };
    });
  }
  const sources = (players: PlayerRequestStore, player: string) =>
    players.change(player, record => ({ record, answer: record.sources }));

  it("are for at most 2,000 players: those with the shortest waits are dropped first", async () => {
    const clock = new ManualClock();
    const players = createPlayerRequestStore(createMemoryRecords(clock.monotonic), clock.monotonic);
    for (let i = 0; i < 5; i++) await refused(players, "Steve");
    await refused(players, "Alex");
    clock.advance(1);
    for (let i = 0; i < 1_999; i++) await refused(players, `player ${i}`);
    expect(await sources(players, "Alex")).toEqual([]);
    expect(await sources(players, "Steve")).toHaveLength(1);
    expect(await sources(players, "player 0")).toHaveLength(1);
  });
});
