import { describe, expect, it } from "@jest/globals";
import { createGameConsole, plainLine } from "./game-console.ts";

function newConsole() {
  const typed: string[] = [];
  return { typed, console: createGameConsole(text => typed.push(text)) };
}

describe("a line of the game's console", () => {
  it.each([
    ["[2026-11-23 23:10:00:123 INFO] Server started.", "Server started."],
    ["NO LOG FILE! - [2026-11-23 23:10:00.123 ERROR] x", "x"],
    ["\u001b[33m[2026-11-23 23:10:00:123 WARN] [Scripting] hi\u001b[0m\r", "[Scripting] hi"],
    ["Quit correctly", "Quit correctly"],
    ["\0[2026-11-23 23:10:00:123 INFO] Server started.", "Server started."],
    ["[Scripting] no stamp", "[Scripting] no stamp"],
  ])("%j is read without time, level and colours", (raw, line) => {
    expect(plainLine(raw)).toBe(line);
  });
});

describe("the console of a game server", () => {
  it("joins chunks to lines, and accepts a last line without a line end when the server exits", () => {
    const { console } = newConsole();
    console.take("one\ntw");
    console.take("o\nthr");
    expect(console.lines()).toEqual(["one", "two"]);
    console.take("ee");
    console.end();
    expect([console.lines(1), console.count]).toEqual([["two", "three"], 3]);
  });

  it("keeps the last 10,000 lines, with their numbers", () => {
    const { console } = newConsole();
    for (let number = 0; number < 10_005; number++) console.take(`${number}\n`);
    expect([console.count, console.lines().length, console.lines()[0]]).toEqual([10_005, 10_000, "5"]);
    expect(console.lines(10_004)).toEqual(["10004"]);
  });

  it("passes output on as it comes, with time, blank lines and NUL", () => {
    const { console } = newConsole();
    const output: string[] = [];
    const forget = console.onOutput(text => void output.push(text));
    const chunks = ["[2026-11-23 23:10:00:123 WARN] on", "e\r\n\r\n\0"];
    for (const chunk of chunks) console.take(chunk);
    forget();
    console.take("two\n");
    expect(output).toEqual(chunks);
  });

  it("types each command in one line, with any characters", () => {
    const { console, typed } = newConsole();
    console.type("say one\nstop");
    expect(typed).toEqual(["say one stop\n"]);
  });

  it("waits for a later line, or finds an earlier one from a line number on", async () => {
    const { console } = newConsole();
    console.take("Version: 1\n");
    const later = console.line(/^Version/, 30_000);
    console.take("Version: 2\n");
    expect([await later, await console.line(/^Version/, 30_000, 0)]).toEqual(["Version: 2", "Version: 1"]);
  });

  it("stops waiting after a timeout, and when the server exits", async () => {
    const { console } = newConsole();
    expect(await console.line(/never/, 1)).toBeUndefined();
    const waiting = console.line(/never/, 600_000);
    console.end();
    expect([await waiting, await console.line(/never/, 600_000)]).toEqual([undefined, undefined]);
  });
});
