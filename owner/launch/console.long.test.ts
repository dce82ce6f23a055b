import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../test/helpers/eventually.ts";
import { launch, onLinux } from "./testing/launched.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Runs the words with their output in a file on a disk that is full. */
const toFullDisk = (words: readonly string[]): string[] => [
  "/bin/sh",
  "-c",
  'exec "$@" > /dev/full',
  "sh",
  ...words,
];

onLinux.all(() =>
  describe.each([
    ["a terminal", true],
    ["a pipe", false],
  ])("the console of a game server with %s, under launch", (_, terminal) => {
    it("prints every byte: 10,000 lines a second, lines of 64 KB, binary data", async () => {
      const launched = launch({
        game: ["rate 10000 2", "long 200", "random 7 3000000", "prompt no line end", "exit 0"],
        terminal,
      });
      expect(await launched.ended).toBe(0);
      const { printed, bytesPrinted } = launched.report();
      expect(launched.printed).toHaveLength(bytesPrinted);
      expect(sha256(launched.printed)).toBe(printed);
      expect(bytesPrinted).toBeGreaterThan(16_000_000);
    });

    it("prints a line before its end, and passes the answer on", async () => {
      const launched = launch({ game: ["prompt Continue? "], terminal });
      await launched.prints("Continue? ");
      launched.type("yes\n");
      await launched.prints("Continue? heard yes\n");
      launched.type("stop\n");
      expect(await launched.ended).toBe(0);
      expect(String(launched.printed)).toBe("Continue? heard yes\nServer stop requested.\nQuit correctly\n");
      expect(launched.errors).toBe("");
    });

    it("passes lines on as they are: CRLF, characters in two parts, control characters, 5,000 at once", async () => {
      const launched = launch({ terminal });
      const parts = [
        Buffer.from("crlf\r\n"),
        Buffer.from("grü\n").subarray(0, 3),
        Buffer.from("grü\n").subarray(3),
        Buffer.from("\x03\x04\x11\x13\x15\x16\x1a\x1c\x7f\r\x00\n"),
        Buffer.from(Array.from({ length: 5_000 }, (_, i) => `line ${i}\n`).join("")),
        Buffer.from("exit 0\n"),
      ];
      for (const part of parts) {
        launched.type(part);
        await new Promise(setImmediate);
      }
      expect(await launched.ended).toBe(0);
      const typed = Buffer.concat(parts);
      expect(launched.report()).toMatchObject({ bytesRead: typed.length, read: sha256(typed) });
      expect(String(launched.printed)).toContain("heard crlf\r\nheard grü\n");
      expect(String(launched.printed)).toMatch(/heard line 4999\n$/);
    });

    it("runs on after the end of its input", async () => {
      const launched = launch({ game: ["say ready", "rate 100 1", "say still here"], terminal });
      await launched.prints("ready");
      launched.child.stdin.end("say last\nunfinished");
      await launched.prints("still here");
      launched.child.kill("SIGTERM");
      expect(await launched.ended).toBe(0);
      expect(String(launched.printed)).toContain("last\n");
      expect(String(launched.printed)).toMatch(/Quit correctly\n$/);
    });

    it("runs on after its output was closed, and can be stopped", async () => {
      const launched = launch({ game: ["say ready", "rate 10000 1"], terminal });
      await launched.prints("ready");
      launched.child.stdout.destroy();
      launched.type("rate 10000 1\nstop\n");
      expect(await launched.ended).toBe(0);
      expect(launched.report()).toMatchObject({ hasEnded: true });
      expect(launched.report().bytesPrinted).toBeGreaterThan(500_000);
    });

    it("runs on although its output cannot be stored", async () => {
      const launched = launch({ game: ["rate 10000 1", "mark"], terminal, shell: toFullDisk });
      await eventually(() => expect(launched.report().isMarked).toBe(true));
      launched.child.kill("SIGTERM");
      expect(await launched.ended).toBe(0);
      expect(launched.report().hasEnded).toBe(true);
    });

    it("stops in order while nobody reads its output", async () => {
      const launched = launch({ game: ["flood"], terminal, isRead: false });
      await launched.untilBlocked();
      launched.child.kill("SIGTERM");
      await launched.says("Stopping the game server");
      expect(await launched.ended).toBe(0);
      expect(launched.report().hasEnded).toBe(true);
    });

    it("gets stop on a line of its own when half a command was typed", async () => {
      const launched = launch({ game: ["say ready"], terminal });
      await launched.prints("ready");
      launched.type("say complete\nsay half");
      await launched.prints("complete");
      launched.child.kill("SIGTERM");
      expect(await launched.ended).toBe(0);
      expect(String(launched.printed)).toBe("ready\ncomplete\nServer stop requested.\nQuit correctly\n");
    });
  }),
);
