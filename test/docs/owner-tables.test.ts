import { afterEach, expect, it } from "@jest/globals";
import { EXIT } from "../../cli/arguments.ts";
import { SCOPES } from "../../shared/public/words.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { code, table, text } from "./pages.ts";

let bridge: TestBridge | undefined;
afterEach(() => bridge?.stop());

const UNKNOWN = "Unknown command";

it("the commands in the game are available to the players that the page names", async () => {
  bridge = await TestBridge.start(["Steve"]);
  const rows = table("docs/day-by-day.md", "commands");
  expect(rows.length).toBeGreaterThan(10);
  const steve = bridge.player("Steve");
  for (const [cell, who] of rows) {
    const line = (code(cell)[0] ?? "").replace(/ \[.*/, "").replace(/<\w+>/, "kxwtmhzr");
    const before = steve.chat.length;
    bridge.world.command(line);
    steve.command(line);
    await bridge.tick(1);
    const isRefused = steve.chat.slice(before).some(said => said.includes(UNKNOWN));
    expect([line, isRefused]).toEqual([line, who !== "every player"]);
  }
  expect(bridge.linesWith(UNKNOWN)).toEqual([]);
});

it("the page lists exactly the scopes that a key can have", () => {
  expect(table("docs/keys.md", "scopes").map(([scope]) => code(scope)[0])).toEqual([...SCOPES]);
});

it("the stable exit codes are those of the commands", () => {
  const { done, failed, misused } = EXIT;
  expect(text("docs/what-may-change.md")).toContain(`${done} done, ${failed} failed, ${misused} wrong usage`);
});
