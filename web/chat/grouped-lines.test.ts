import { describe, expect, it } from "@jest/globals";
import { type Line, textOf } from "./chat-log.ts";
import { lineOf } from "./event-lines.ts";
import { groupLines } from "./grouped-lines.ts";

const SECOND = 1_000;
let id = 0;
/** A line for each player, a second apart unless one says when it is. */
const lines = (event: "join" | "leave", names: string[], from = 0, server?: string): Line[] =>
  names.flatMap((name, i) => {
    const at = from + i * SECOND;
    const player = { name, uuid: `uuid of ${name}` };
    const line = lineOf({ event, id: `${at}-1`, at, player, ...(server !== undefined && { server }) }, false);
    return line ? [{ ...line, id: ++id }] : [];
  });
const textsOf = (all: readonly Line[]): string[] =>
  groupLines(all).map(line => textOf(line.says?.() ?? line.segments));
const NAMES = ["Alex", "Steve", ...Array.from({ length: 12 }, (_, i) => `Player ${i}`)];

describe("joins and leaves in the log", () => {
  it("are grouped in one line if several players in a row join or leave", () => {
    expect(textsOf([...lines("join", NAMES), ...lines("leave", NAMES.slice(0, 4), 60 * SECOND)])).toEqual([
      "Alex, Steve and 12 others joined",
      "Alex, Steve and 2 others left",
    ]);
  });

  it("have a line each if there are few, at different times, or on different game servers", () => {
    const few = ["Alex joined", "Steve joined", "Noor joined"];
    expect(textsOf(lines("join", ["Alex", "Steve", "Noor"]))).toEqual(few);
    expect(
      textsOf([...lines("join", ["Alex", "Steve"]), ...lines("join", ["Noor", "Zuri"], 120 * SECOND)]),
    ).toHaveLength(4);
    expect(
      textsOf([...lines("join", ["Alex", "Steve"], 0, "a"), ...lines("join", ["Noor", "Zuri"], 0, "b")]),
    ).toHaveLength(4);
    expect(textsOf(lines("join", ["Alex", "Alex", "Steve", "Steve", "Noor"]))).toHaveLength(5);
  });

  it("keep their position among the messages", () => {
    const said = lineOf({ event: "chat", id: "9-1", at: 9 * SECOND, from: "web", content: "hi" }, false);
    const all = [
      ...lines("join", NAMES.slice(0, 4)),
      ...(said ? [{ ...said, id: 99 }] : []),
      ...lines("join", ["Zuri"]),
    ];
    expect(textsOf(all)).toEqual(["Alex, Steve and 2 others joined", "hi", "Zuri joined"]);
  });
});
