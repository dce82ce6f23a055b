import { describe, expect, it } from "@jest/globals";
import { type ConsolePlayer, MAX_PLAYERS } from "../../../shared/console-link/messages.ts";
import { createGameLines } from "./game-lines.ts";
import { createConsolePlayers } from "./players.ts";

const PFID = "0123456789ABCDEF";
const OTHER = "FEDCBA9876543210";

const stamped = (line: string): string => `[2026-11-30 12:00:00:000 INFO] ${line}`;
const connected = (name: string): string => stamped(`Player connected: ${name}, xuid: 2535400000000001`);
const spawned = (name: string, pfid = PFID): string =>
  stamped(`Player Spawned: ${name} xuid: 2535400000000001, pfid: ${pfid}`);
const disconnected = (name: string, pfid = PFID): string =>
  stamped(`Player disconnected: ${name}, xuid: 2535400000000001, pfid: ${pfid}`);

/** The players that are reported after these lines, in order. */
function reportedBy(...lines: string[]): ConsolePlayer[] {
  const reported: ConsolePlayer[] = [];
  const linesOf = createGameLines();
  const players = createConsolePlayers(player => reported.push(player));
  for (const line of lines) players.take(linesOf(line));
  return reported;
}

describe("the console's players", () => {
  it.each([
    ["letters", "Steve"],
    ["blanks", "Alex of the Hill"],
    ["a comma", "Alex, Steve"],
    ["a comma at its end", "Alex,"],
    ["the words behind it", "A, xuid: 1, pfid: 00000000000000AA"],
    ["the words behind it, without the comma", "A xuid: 1, pfid: 00000000000000AA"],
    ["a right-to-left mark", "\u200fAlex\u200e"],
    ["a quote", 'Al"ex'],
    ["an emoji", "Alex \u{1F600}"],
    ["the words in front of it", "Player Spawned: Alex"],
  ])("are known by a name with %s", (_, name) => {
    expect(reportedBy(connected(name), spawned(name))).toEqual([{ name, persistentId: PFID }]);
  });

  it.each([
    ["a CR at its end", [`${connected("A")}\r`, `${spawned("A")}\r`]],
    ["NUL in front", [`\0${connected("A")}`, `\0\0${spawned("A")}`]],
    ["a notice about the log file", [`NO LOG FILE! - ${connected("A")}`, `NO LOG FILE! - ${spawned("A")}`]],
    ["no xuid", [stamped("Player connected: A, xuid: "), stamped(`Player Spawned: A xuid: , pfid: ${PFID}`)]],
    ["a comma behind the name", [connected("A"), stamped(`Player Spawned: A, xuid: 1, pfid: ${PFID}`)]],
    ["other lines between", [connected("A"), stamped("Running AutoCompaction..."), "", spawned("A")]],
    ["the id in the first line", [stamped(`Player connected: A, xuid: 1, pfid: ${PFID}`), spawned("A")]],
    ["the same id twice", [connected("A"), spawned("A"), spawned("A", PFID.toLowerCase())]],
  ])("are known by lines with %s", (_, lines) => {
    expect(reportedBy(...lines)).toEqual([{ name: "A", persistentId: PFID }]);
  });

  it.each([
    ["before they connect", [spawned("A")]],
    ["after they disconnect", [connected("A"), disconnected("A"), spawned("A")]],
    ["when they disconnect", [connected("A"), disconnected("A")]],
    ["with an id of another form", [connected("A"), spawned("A", "0123")]],
    ["without a time in front", [connected("A"), `Player Spawned: A xuid: 1, pfid: ${PFID}`]],
    [
      "of a script",
      [connected("A"), stamped(`[Scripting] Player Spawned: A xuid: 1, pfid: ${PFID}`), "", spawned("B")],
    ],
    [
      "of a script's text in lines",
      [connected("A"), stamped("[Scripting] x"), "", stamped("[Scripting] a text"), spawned("A"), ""],
    ],
  ])("[CONSOLE-10] are not reported by a line %s", (_, lines) => {
    expect(reportedBy(...lines)).toEqual([]);
  });

  it("[CONSOLE-10] have no id when the game's lines contradict each other within one visit", () => {
    expect(reportedBy(connected("A"), spawned("A"), spawned("A", OTHER), spawned("A"))).toEqual([
      { name: "A", persistentId: PFID },
      { name: "A" },
    ]);
  });

  it("[CONSOLE-10] have no id when another online player has it", () => {
    expect(reportedBy(connected("A"), spawned("A"), connected("B"), spawned("B"))).toEqual([
      { name: "A", persistentId: PFID },
      { name: "B" },
    ]);
  });

  it("have the id of their present visit", () => {
    const lines = [connected("A"), spawned("A"), disconnected("A"), connected("A"), spawned("A", OTHER)];
    expect(reportedBy(...lines)).toEqual([
      { name: "A", persistentId: PFID },
      { name: "A", persistentId: OTHER },
    ]);
  });

  it("are reported again in one message, also after many whose leave the console did not show", () => {
    let reported = 0;
    const linesOf = createGameLines();
    const players = createConsolePlayers(() => reported++);
    for (let i = 0; i < 2 * MAX_PLAYERS; i++)
      for (const line of [connected(`A${i}`), spawned(`A${i}`, `${i}`.padStart(16, "0"))])
        players.take(linesOf(line));
    reported = 0;
    players.repeat();
    expect(reported).toBe(MAX_PLAYERS);
  });

  it("are reported again to a new run of the pack while they are online", () => {
    const reported: ConsolePlayer[] = [];
    const linesOf = createGameLines();
    const players = createConsolePlayers(player => reported.push(player));
    const lines = [
      ...[connected("A"), spawned("A"), connected("B"), spawned("B", OTHER)],
      ...[disconnected("A"), connected("C"), connected("D"), spawned("D", OTHER)],
    ];
    for (const line of lines) players.take(linesOf(line));
    reported.length = 0;
    players.repeat();
    expect(reported).toEqual([{ name: "B", persistentId: OTHER }, { name: "D" }]);
  });
});
