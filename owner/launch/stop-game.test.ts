import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../test/helpers/clock.ts";
import { createStopGame } from "./stop-game.ts";

describe("a signal", () => {
  let clock: ManualClock;
  let done: string[];
  let isRunning: boolean;
  let signal: (name: string) => void;
  beforeEach(() => {
    clock = new ManualClock();
    done = [];
    isRunning = true;
    signal = createStopGame({
      stop: () => done.push("stop"),
      kill: () => done.push("kill"),
      isRunning: () => isRunning,
      timeoutMs: 60_000,
      clock,
      say: line => done.push(line),
    });
  });

  const STOPPING = "Stopping the game server, which has 60 s to save";
  const KILLED = "the game server was killed, and may not have saved";

  it.each(["SIGTERM", "SIGHUP", "SIGBREAK"])(
    "%s stops the game once, and kills it after the timeout",
    name => {
      signal(name);
      signal(name);
      clock.advance(59_999);
      signal(name);
      expect(done).toEqual([STOPPING, "stop"]);
      clock.advance(1);
      expect(done.slice(2)).toEqual([`Not stopped within 60 s: ${KILLED}`, "kill"]);
      signal(name);
      clock.advance(120_000);
      expect(done).toHaveLength(4);
    },
  );

  it("SIGINT stops the game, and kills it when it comes again after a second", () => {
    signal("SIGINT");
    expect(done).toEqual([`${STOPPING}; Ctrl+C again kills it`, "stop"]);
    clock.advance(1_000);
    signal("SIGINT");
    signal("SIGINT");
    expect(done.slice(2)).toEqual([`Second Ctrl+C: ${KILLED}`, "kill"]);
    clock.advance(120_000);
    expect(done).toHaveLength(4);
  });

  it("SIGINT counts once within a second: npm passes the same key press on", () => {
    signal("SIGINT");
    clock.advance(999);
    signal("SIGINT");
    expect(done).toHaveLength(2);
  });

  it("SIGINT after SIGTERM is a first Ctrl+C", () => {
    signal("SIGTERM");
    clock.advance(5_000);
    signal("SIGINT");
    expect(done).toEqual([STOPPING, "stop"]);
    clock.advance(1_000);
    signal("SIGINT");
    expect(done.at(-1)).toBe("kill");
  });

  it("kills nothing, and says nothing, once the game has ended", () => {
    signal("SIGINT");
    isRunning = false;
    clock.advance(60_000);
    signal("SIGINT");
    expect(done).toHaveLength(2);
  });

  it("does nothing after the end of a game that no signal has stopped", () => {
    isRunning = false;
    signal("SIGTERM");
    expect(done).toEqual([]);
  });
});
