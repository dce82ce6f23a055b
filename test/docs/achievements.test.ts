import { expect, it } from "@jest/globals";
import { askLine } from "../../shared/console-link/frames.ts";
import { blocks, code, linesUnder, prose, text } from "./pages.ts";

// Blocks of docs/achievements.md: keep-achievements sh, keep-achievements text, change-it-later sh
// Blocks of docs/achievements.md: if-it-doesnt-connect sh, if-it-doesnt-connect properties, other-ways-to-start-it sh

const PAGE = "docs/achievements.md";

/** The sources whose usage lists the options of a command. */
const USAGE = { setup: "owner/setup/main.ts", doctor: "owner/doctor/main.ts", start: "owner/launch/main.ts" };

it("the page about achievements uses only options that its commands have", () => {
  const lines = blocks(PAGE, "sh").flatMap(block => block.text.split("\n"));
  expect(lines).toHaveLength(6);
  for (const line of lines) {
    const [, setup, doctor] = /^\.\/(?:web-bridge (?:(setup)|(doctor))|start\.sh) --server "/.exec(line) ?? [
      line,
    ];
    const usage = text(USAGE[setup ? "setup" : doctor ? "doctor" : "start"]);
    for (const [option] of line.matchAll(/--[a-z-]+/g))
      expect([line, usage.includes(` ${option}`)]).toEqual([line, true]);
  }
});

it("the page about achievements quotes the lines of the add-on", () => {
  expect(linesUnder(PAGE, "keep-achievements", "text")).toEqual(
    linesUnder("docs/install-by-hand.md", "5-start-the-game-server", "text").slice(0, 1),
  );
  const quoted = code(prose(PAGE)).filter(line => line.startsWith("[web bridge]"));
  expect(quoted).toEqual([askLine("…")]);
  const said = code(prose(PAGE)).filter(line => line.startsWith("[launch] "));
  expect(said).toHaveLength(2);
  for (const line of said)
    expect(text("owner/launch/console-link/console-bridge.ts")).toContain(
      line.replace("[launch] ", "say(`").replace("…", "$"),
    );
});

it("the page about achievements has the line of server.properties that setup writes", () => {
  const [line = "", level] = linesUnder(PAGE, "if-it-doesnt-connect", "properties");
  const [key, value] = line.split("=");
  expect(text("owner/setup/plan.ts")).toContain(`"${key}": "${value}"`);
  expect(text("owner/doctor/server-properties.ts")).toContain(`"${level}"`);
});

it("the page about achievements names the commands that the console needs", () => {
  const [, sentence = ""] =
    /commands\.json` in the folder of the game server, it has to leave (.*?)\./s.exec(prose(PAGE)) ?? [];
  expect(text("owner/doctor/console-link.ts")).toContain(
    `= ${JSON.stringify(code(sentence)).replaceAll(",", ", ")}`,
  );
});
