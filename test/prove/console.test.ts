import { describe, expect, it } from "@jest/globals";
import { createConsole, plainLine } from "../../owner/prove/console.ts";
import { createScriptSide, partIn } from "../../owner/prove/script-side.ts";

const A_MINUTE = 60_000;

describe("the console of a game server", () => {
  it.each([
    ["[2026-11-23 23:10:00:123 INFO] Server started.\r", "Server started."],
    ["NO LOG FILE! - [2026-11-23 23:10:00:123 ERROR] [Scripting] x", "[Scripting] x"],
    ["\u001b[32m[2026-11-23 23:10:00:123 WARN] a\u001b[0m", "a"],
    ["quit", "quit"],
  ])("shows %j as %j", (raw, line) => expect(plainLine(raw)).toBe(line));

  it("puts lines together that come in parts, and finds what came and what comes", async () => {
    const console = createConsole(() => undefined);
    console.take("one\r\ntw");
    expect(console.lines).toEqual(["one"]);
    const coming = console.line(/^t/, A_MINUTE);
    console.take("o\nthree");
    console.flush();
    expect([await coming, await console.line(/^o/, A_MINUTE, 0), console.lines]).toEqual([
      "two",
      "one",
      ["one", "two", "three"],
    ]);
    const later = console.line(/^one/, A_MINUTE);
    console.close();
    expect(await later).toBeUndefined();
  });

  it("keeps ten thousand lines, and hears those after them", async () => {
    const console = createConsole(() => undefined);
    console.take("x\n".repeat(10_050));
    const coming = console.line(/^y/, A_MINUTE);
    console.take("y\n");
    expect([console.lines.length, await coming]).toEqual([10_000, "y"]);
  });

  it("types what it is given as one line", () => {
    const typed: string[] = [];
    createConsole(line => void typed.push(line)).type("say a\nstop");
    expect(typed).toEqual(["say a stop"]);
  });
});

describe("the script of the probes", () => {
  const ready = () => {
    const typed: string[] = [];
    const console = createConsole(line => void typed.push(line));
    return { typed, console, script: createScriptSide(console) };
  };
  const says = (part: object): string =>
    `[2026-11-23 23:10:00:123 WARN] [Scripting] [prove] ${JSON.stringify(part)}\n`;

  it("is asked by scriptevent in letters that each console takes, and answers in parts in any order", async () => {
    const { typed, console, script } = ready();
    const answer = script.ask("net", { name: "ü" });
    expect(typed).toEqual(['scriptevent prove:ask {"id":1,"name":"net","input":{"name":"\\u00fc"}}']);
    console.take(says({ id: 1, part: 1, of: 2, text: "[1,2]}" }));
    console.take(says({ id: 7, part: 0, of: 1, text: '{"value":0}' }));
    console.take(says({ id: 1, part: 0, of: 2, text: '{"value":' }));
    expect(await answer).toEqual([1, 2]);
  });

  it("tells what it could not do, what is no answer, and that the server is gone", async () => {
    const { console, script } = ready();
    const failed = script.ask("one");
    console.take(says({ id: 1, part: 0, of: 1, text: '{"error":"no such thing"}' }));
    await expect(failed).rejects.toThrow("no such thing");
    const broken = script.ask("two");
    console.take(says({ id: 2, part: 0, of: 1, text: "{" }));
    await expect(broken).rejects.toThrow("is no JSON");
    const left = script.ask("three");
    script.gone();
    await expect(left).rejects.toThrow("the server ended before the script answered");
    await expect(script.ask("four", "x".repeat(2_000))).rejects.toThrow("longer than 2000 characters");
    await expect(script.ask("five", undefined, 1)).rejects.toThrow("did not answer five");
  });

  it.each([
    '[prove] {"id":1',
    '[prove] {"id":"1","part":0,"of":1,"text":""}',
    '[prove] {"ready":1}',
    "prove",
  ])("%j is no part of an answer", line => expect(partIn(line)).toBeUndefined());
});
