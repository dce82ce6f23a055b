import { describe, expect, it } from "@jest/globals";
import { createGameConsole } from "../bds/game-console.ts";
import type { GameEnd } from "../bds/game-process.ts";
import { askScript, commandOf, consoleCommandOf, partIn } from "./script-client.ts";

/** A game whose script answers as `say` does, with one line for each text. */
function game(say: (id: number) => readonly object[]) {
  let end: (end: GameEnd) => void = () => undefined;
  const ended = new Promise<GameEnd>(resolve => {
    end = resolve;
  });
  const console = createGameConsole(text => {
    const { id } = JSON.parse(text.slice(text.indexOf("{")));
    for (const part of say(id)) console.take(`[Scripting] [prove] ${JSON.stringify(part)}\n`);
  });
  return { console, ended, end: () => end({ code: 1, signal: null, isRequested: false, afterMs: 1 }) };
}

describe("a question to the script", () => {
  it("is typed in characters and a length that every console accepts", () => {
    expect(commandOf(3, "set", { value: "§ä" })).toBe(
      'scriptevent prove:ask {"id":3,"name":"set","input":{"value":"\\u00a7\\u00e4"}}',
    );
    expect(() => commandOf(3, "set", { value: "a".repeat(2_000) })).toThrow("longer than 2000 characters");
  });

  it("is one word without quotes for the pack that keeps achievements", () => {
    const [, word = ""] =
      /^bridge:prove ask([\w-]+)$/.exec(consoleCommandOf(3, "print", { text: "§ä" })) ?? [];
    expect(JSON.parse(Buffer.from(word, "base64url").toString())).toEqual({
      ...{ id: 3, name: "print", input: { text: "§ä" } },
    });
  });

  it("is answered in parts, in any order, between other lines", async () => {
    const side = game(id => [
      { id, part: 1, of: 2, text: ':"two"}' },
      { id: id + 1, part: 0, of: 1, text: '{"value":"another"}' },
      { id, part: 0, of: 2, text: '{"value"' },
    ]);
    expect(await askScript(side, "note")).toBe("two");
  });

  it.each([
    ['{"error":"Error: there is no such player"}', "Error: there is no such player"],
    ["no JSON", "the answer of the script is not JSON"],
  ])("fails if the script answers %s", async (text, message) => {
    const side = game(id => [{ id, part: 0, of: 1, text }]);
    await expect(askScript(side, "note")).rejects.toThrow(message);
  });

  it("fails if no answer comes in time, or the server exits", async () => {
    const side = game(() => []);
    await expect(askScript(side, "note", {}, 1)).rejects.toThrow("did not answer note within 0.001 s");
    const asking = askScript(side, "note");
    side.end();
    await expect(asking).rejects.toThrow("the server ended before the script answered");
  });
});

it.each(["[prove] {", '[prove] {"id":1,"part":0,"of":9999,"text":""}', '[prove] {"id":"1"}', "hello"])(
  "%s is no part of an answer",
  line => {
    expect(partIn(line)).toBeUndefined();
  },
);
