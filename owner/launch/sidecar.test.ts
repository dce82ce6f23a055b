import { beforeEach, describe, expect, it } from "@jest/globals";
import type { ToSidecar } from "../../cli/launch-channel.ts";
import { ManualClock } from "../../test/helpers/clock.ts";
import { type ProcessEnd, superviseSidecar } from "./sidecar.ts";

/** A process that was started, with what was sent to it. */
interface Started {
  at: number;
  sent: ToSidecar[];
  isKilled: boolean;
  reads(): void;
  ends(end: Partial<ProcessEnd>): void;
}

describe("the sidecar under launch", () => {
  let clock: ManualClock;
  let started: Started[];
  let said: string[];
  let config: string;
  beforeEach(() => {
    clock = new ManualClock(0);
    started = [];
    said = [];
    config = "first";
  });

  const supervise = (server?: string) =>
    superviseSidecar({
      start(onReading, onEnd) {
        const process: Started = {
          at: clock.monotonic(),
          sent: [],
          isKilled: false,
          reads: onReading,
          ends: end => onEnd({ code: null, signal: null, ...end }),
        };
        started.push(process);
        return {
          send: message => process.sent.push(message),
          kill() {
            process.isKilled = true;
          },
        };
      },
      configState: () => config,
      server,
      clock,
      say: line => said.push(line),
    });
  const newest = (): Started => started.at(-1) as Started;

  it("is started again after 1 s, doubled up to 30 s, and after 1 s again when it has run for a minute", () => {
    supervise();
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      newest().ends({ code: 1 });
      expect(said.at(-1)).toBe(`The sidecar ended (exit code 1): starting it again in ${seconds} s`);
      const count = started.length;
      clock.advance(seconds * 1_000 - 1);
      expect(started).toHaveLength(count);
      clock.advance(1);
      expect(started).toHaveLength(count + 1);
    }
    clock.advance(60_000);
    newest().ends({ signal: "SIGKILL" });
    expect(said.at(-1)).toBe("The sidecar ended (signal SIGKILL): starting it again in 1 s");
  });

  it("that cannot be started is tried again, with the reason", () => {
    supervise();
    newest().ends({ error: "spawn EAGAIN" });
    expect(said).toEqual(["The sidecar ended (spawn EAGAIN): starting it again in 1 s"]);
  });

  it("that refuses its configuration is started again when the file changes", () => {
    supervise();
    newest().ends({ code: 78 });
    expect(said).toEqual([
      "The sidecar rejected its configuration: fix what the lines above name. It starts when you save the file; for an environment variable, start both again",
    ]);
    clock.advance(3_600_000);
    expect(started).toHaveLength(1);
    config = "second";
    clock.advance(1_000);
    expect(started).toHaveLength(2);
    newest().ends({ code: 1 });
    expect(said.at(-1)).toContain("in 1 s");
  });

  it("is started again when the file has changed while it was starting", () => {
    supervise();
    config = "second";
    newest().ends({ code: 78 });
    clock.advance(1_000);
    expect(started).toHaveLength(2);
  });

  it("gets the game's process once it reads, after each start, and when it changes", () => {
    const sidecar = supervise("creative");
    sidecar.setGame(42);
    newest().ends({ code: 1 });
    clock.advance(1_000);
    newest().reads();
    expect(newest().sent).toEqual([{ type: "game", server: "creative", pid: 42 }]);
    sidecar.setGame(undefined);
    expect(newest().sent.at(-1)).toEqual({ type: "game", server: "creative" });
  });

  it("speaks for the first game server by default", () => {
    supervise();
    newest().reads();
    expect(newest().sent).toEqual([{ type: "game", server: null }]);
  });

  it("is asked to stop, and not started again", async () => {
    const sidecar = supervise();
    const stopped = sidecar.stop();
    expect(newest().sent).toEqual([{ type: "stop" }]);
    clock.advance(4_999);
    newest().ends({ code: 0 });
    await stopped;
    clock.advance(3_600_000);
    expect([started.length, newest().isKilled, said]).toEqual([1, false, []]);
  });

  it("is killed if it does not stop within 5 s", async () => {
    const sidecar = supervise();
    const stopped = sidecar.stop();
    clock.advance(5_000);
    expect(newest().isKilled).toBe(true);
    expect(said).toEqual(["The sidecar did not stop within 5 s: it was killed"]);
    newest().ends({ signal: "SIGKILL" });
    await stopped;
  });

  it.each([1, 78])("that has ended with %d is not started again once it was stopped", async code => {
    const sidecar = supervise();
    newest().ends({ code });
    await sidecar.stop();
    config = "second";
    clock.advance(3_600_000);
    expect(started).toHaveLength(1);
  });
});
