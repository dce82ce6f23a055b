import { constants } from "node:os";
import { describe, expect, it } from "@jest/globals";
import { until } from "../../test/helpers/eventually.ts";
import { launch, onLinux } from "./testing/launched.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const STOPPED = /Server stop requested\.\nQuit correctly\n$/;
const KILLED = "the game server was killed, and may not have saved";

onLinux.all(() => {
  describe.each(SIGNALS)("%s to launch", name => {
    it("before it has started the game ends it without the game, or with a game that was stopped", async () => {
      const launched = launch();
      launched.child.kill(name);
      const code = await launched.ended;
      // Node is killed by the signal before it runs the program.
      if (String(launched.printed) === "") expect(code).toBe(128 + constants.signals[name]);
      else expect(launched.report().hasEnded).toBe(true);
      expect(launched.pids("game")).toEqual([]);
    });

    it("stops a game that does not read its console yet", async () => {
      const launched = launch();
      await launched.pid("game");
      launched.child.kill(name);
      expect(await launched.ended).toBe(0);
      expect(String(launched.printed)).toMatch(STOPPED);
    });

    it("stops a game that runs", async () => {
      const launched = launch({ game: ["say ready"] });
      await launched.prints("ready");
      launched.child.kill(name);
      expect(await launched.ended).toBe(0);
      expect(String(launched.printed)).toMatch(STOPPED);
      expect(launched.errors).toContain("[launch] Stopping the game server, which has 60 s to save");
    });

    it("while the game saves changes nothing", async () => {
      const launched = launch({ game: ["slow 500", "say ready"] });
      await launched.prints("ready");
      launched.child.kill("SIGTERM");
      await launched.prints("Server stop requested.");
      launched.child.kill(name);
      launched.child.kill(name);
      expect(await launched.ended).toBe(0);
      expect(String(launched.printed)).toMatch(STOPPED);
      expect(launched.errors).not.toContain(KILLED);
    });
  });

  describe.each([
    ["a terminal", true],
    ["a pipe", false],
  ])("a game server with %s, under launch", (_, terminal) => {
    it("that hangs is killed after the timeout", async () => {
      const launched = launch({
        game: ["deaf", "say ready"],
        args: ["--no-sidecar", "--stop-timeout", "1s"],
        terminal,
      });
      await launched.prints("ready");
      launched.child.kill("SIGTERM");
      expect(await launched.ended).toBe(137);
      await launched.says(`[launch] Not stopped within 1 s: ${KILLED}`);
      await until(() => launched.pids("game").length === 0);
    });

    it("that hangs is killed by a second Ctrl+C a second or more after the first", async () => {
      const launched = launch({ game: ["deaf", "say ready"], terminal });
      await launched.prints("ready");
      const begun = performance.now();
      const presses = setInterval(() => launched.child.kill("SIGINT"), 10);
      expect(await launched.ended).toBe(137);
      clearInterval(presses);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(1_000);
      await launched.says(`[launch] Second Ctrl+C: ${KILLED}`);
    });

    it("that does not read its console and floods it while nobody reads is killed after the timeout", async () => {
      const launched = launch({
        game: ["unread", "flood"],
        args: ["--no-sidecar", "--stop-timeout", "1s"],
        isRead: false,
        terminal,
      });
      await launched.untilBlocked();
      launched.child.kill("SIGTERM");
      expect(await launched.ended).toBe(137);
    });

    it.each([0, 3, 255])("gives launch its exit code %d", async code => {
      const launched = launch({ game: [`exit ${code}`], terminal });
      expect(await launched.ended).toBe(code);
    });

    it.each(["SIGSEGV", "SIGABRT", "SIGKILL"] as const)("gives launch the exit code for %s", async name => {
      const launched = launch({ game: [`say ready`, `signal ${name}`], terminal });
      expect(await launched.ended).toBe(128 + constants.signals[name]);
      expect(String(launched.printed)).toMatch(/^ready\n/);
    });

    it("may be ended by what was typed", async () => {
      const launched = launch({ terminal });
      launched.type("stop\n");
      expect(await launched.ended).toBe(0);
      expect(launched.errors).toBe("");
    });
  });
});
