import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import type { ProbeResult } from "./probe-runner.ts";
import { gameIn, hasFailed, pageOf, type Report, screenLines, writeReport } from "./report.ts";

const answer = (id: string, state: ProbeResult["state"], seen: string): ProbeResult => ({
  ...{ id, state, seen, expect: "answer 200", why: "the pack waits for work in requests", ms: 12 },
});

const report = (...answers: ProbeResult[]): Report => ({
  ...{ at: "2026-11-29T12:00Z", product: "0.1.0", seconds: 120, answers },
  game: { version: "1.26.60.6", platform: "linux", simulated: false },
});

const MIXED = report(
  answer("net-long-poll", "failed", "rejected: InternalHttpRequestError"),
  answer("net-answer", "ok", "answer 200"),
  answer("chat-tell", "skipped", "the command fails"),
);

describe("the report", () => {
  it("shows failures last on the screen, with what was expected and why it matters", () => {
    expect(screenLines(MIXED)).toEqual([
      "ok net-answer: answer 200",
      "-- chat-tell: the command fails",
      "!! net-long-poll: expected: answer 200; result: rejected: InternalHttpRequestError",
      "   the pack waits for work in requests",
      "",
      "1.26.60.6 on linux: 1 passed, 1 failed, 1 skipped",
    ]);
  });

  it("shows failures first on its page, and marks a run with the simulator", () => {
    const page = pageOf(MIXED);
    expect(page).toMatch(/^# Web Bridge 0\.1\.0 on game 1\.26\.60\.6 \(linux\)\n/);
    expect(page.indexOf("## Failed")).toBeLessThan(page.indexOf("## Skipped"));
    expect(page).not.toContain("simulator of our tests");
    expect(pageOf({ ...MIXED, game: { ...MIXED.game, simulated: true } })).toContain(
      "proves nothing about a real one",
    );
  });

  it("has a section about the pack that keeps achievements", () => {
    const both = report(
      answer("console-word", "ok", "as typed"),
      answer("console-line", "failed", "not printed"),
      answer("net-answer", "ok", "answer 200"),
    );
    expect(screenLines(both).slice(-2)).toEqual([
      "1.26.60.6 on linux: 2 passed, 1 failed, 0 skipped",
      "of these with the pack that keeps achievements: 1 passed, 1 failed, 0 skipped",
    ]);
    const [all, kept] = pageOf(both).split("## With the pack that keeps achievements");
    expect(all).toContain("net-answer");
    expect(all).not.toContain("console-");
    expect(kept).toMatch(
      /1 passed, 1 failed, 0 skipped\..*### Failed.*console-line.*### Passed.*console-word/s,
    );
  });

  it("escapes Markdown in texts of the game", () => {
    const seen = "a | b\n`c` <img src=x> [d](e)";
    const page = pageOf(report(answer("net-answer", "failed", seen)));
    expect(page).toContain("a \\| b \\`c\\` \\<img src=x\\> \\[d\\](e)");
  });

  it("fails for a failed probe, but not for a skipped one", () => {
    expect([hasFailed(MIXED), hasFailed(report(answer("chat-tell", "skipped", "x")))]).toEqual([true, false]);
  });

  it("is written as JSON and Markdown, with the game version in the name", () => {
    const folder = join(newFolder("report "), "made", "here");
    const files = writeReport(MIXED, folder);
    expect(files).toEqual(["json", "md"].map(end => join(folder, `proof-1.26.60.6-linux.${end}`)));
    expect(JSON.parse(readFileSync(files[0] ?? "", "utf8"))).toEqual(MIXED);
  });
});

it("the game is identified by its console", () => {
  expect(gameIn(["Starting Server", "Version: 1.26.60.6", "Build ID: simulated"], "linux")).toEqual({
    ...{ version: "1.26.60.6", platform: "linux", simulated: true },
  });
  expect(gameIn([], "windows").version).toBe("unknown");
});
