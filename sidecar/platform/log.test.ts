import { describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../test/helpers/clock.ts";
import { RecordingLog } from "../../test/helpers/log.ts";
import type { Config } from "../config/settings.ts";
import { createLog } from "./log.ts";
import { throttledLog } from "./throttled-log.ts";

const recorded = (
  settings: Partial<Config["log"]> = {},
  terminal = false,
  isFileOrJournal = false,
  colours = false,
) => {
  const lines: string[] = [];
  const target = { write: (line: string) => void lines.push(line), terminal, isFileOrJournal, colours };
  return { lines, log: createLog({ level: "info", format: "auto", ...settings }, target, "/srv/data") };
};
const first = (lines: string[]): unknown => JSON.parse(lines[0] ?? "");

describe("createLog", () => {
  it("writes one JSON object a line, with time, level and fields", () => {
    const { lines, log } = recorded();
    log.info({ port: 8080 }, "listening");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\}\n$/);
    expect(first(lines)).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      port: 8080,
      msg: "listening",
    });
  });

  it("shows the address of a listener once in readable text, and as a field in JSON", () => {
    const line = (format: "pretty" | "json"): string => {
      const { lines, log } = recorded({ format });
      log.info({ listener: "public", url: "http://127.0.0.1:1" }, "public listener at http://127.0.0.1:1");
      return lines[0] ?? "";
    };
    expect(line("pretty")).toMatch(/INFO: public listener at http:\/\/127\.0\.0\.1:1\n$/);
    expect(JSON.parse(line("json"))).toMatchObject({ listener: "public", url: "http://127.0.0.1:1" });
  });

  it("omits lines below its level", () => {
    const { lines, log } = recorded({ level: "warn" });
    log.debug({}, "a");
    log.info({}, "b");
    log.warn({}, "c");
    expect(lines).toHaveLength(1);
    const silent = recorded({ level: "silent" });
    silent.log.error({}, "d");
    expect(silent.lines).toEqual([]);
  });

  it("redacts secrets anywhere", () => {
    const { lines, log } = recorded();
    log.info(
      {
        token: "s3",
        bridgeToken: "s3",
        adminApiKey: "s3",
        deep: [{ headers: { "X-Service-Api-Key": "s3", Cookie: "s3" } }],
      },
      "x",
    );
    log.child({ session: "s3" }).warn({ authorization: "s3" }, "y");
    expect(lines.join("")).not.toContain("s3");
    expect(lines.join("")).toContain("(hidden)");
  });

  it("writes an error with its stack, its code and its cause", () => {
    const { lines, log } = recorded();
    const error = Object.assign(new Error("outer", { cause: new TypeError("inner") }), { code: "EX" });
    log.error({ error }, "failed");
    expect(first(lines)).toMatchObject({
      error: {
        name: "Error",
        message: "outer",
        code: "EX",
        stack: expect.stringContaining("log.test.ts"),
        cause: { name: "TypeError" },
      },
    });
  });

  it.each([
    ["the system", { code: "ENOSPC", path: "/srv/data/audit.jsonl" }, "disk full", "/srv/data/audit.jsonl"],
    ["a closed folder", { code: "EACCES", path: "/x" }, "no permission to write", "/x"],
    ["a closed disk", { code: "EROFS", path: "/x" }, "read-only file or disk", "/x"],
    ["SQLite", { code: "ERR_SQLITE_ERROR", errcode: 13 }, "disk full", "/srv/data"],
    ["one of a user", { code: "ERR_SQLITE_ERROR", errcode: 1544 }, "read-only file or disk", "/srv/data"],
  ])("reports a failing disk in one short line: %s", (_whose, parts, words, place) => {
    const { lines, log } = recorded();
    const error = Object.assign(new Error("no"), parts);
    for (const each of [error, new Error("outer", { cause: error })])
      log.error({ error: each }, "Could not save player records");
    for (const line of lines)
      expect(JSON.parse(line)).toEqual({
        level: "error",
        time: expect.anything(),
        error: expect.stringMatching(/^[A-Z_]+$/),
        place,
        msg: `Could not save player records: ${words}`,
      });
    expect(lines).toHaveLength(2);
  });

  it("keeps the stack of a connection that was not allowed", () => {
    const { lines, log } = recorded();
    log.warn({ error: Object.assign(new Error("connect"), { code: "EACCES" }) }, "x");
    expect(first(lines)).toMatchObject({ msg: "x", error: { stack: expect.anything() } });
  });

  it("handles circular and endless values", () => {
    const { lines, log } = recorded();
    const loop: { self?: object } = {};
    loop.self = loop;
    log.info({ loop, big: 1n }, "x");
    expect(first(lines)).toMatchObject({ big: "1" });
  });

  it("writes readable text on a terminal, in a file, and if configured; with the date except on a terminal", () => {
    const line = /^\[(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\] WARN: listening \{"port":1\}\n$/;
    for (const [{ lines, log }, hasDay] of [
      [recorded({}, true), false],
      [recorded({ format: "pretty" }), true],
      [recorded({}, false, true), true],
    ] as const) {
      log.warn({ port: 1 }, "listening");
      expect(lines).toEqual([expect.stringMatching(line)]);
      expect(line.exec(lines[0] ?? "")?.[1] !== undefined).toBe(hasDay);
    }
    for (const json of [recorded({ format: "json" }, true), recorded({ format: "json" }, false, true)]) {
      json.log.info({}, "x");
      expect(first(json.lines)).toMatchObject({ msg: "x" });
    }
  });

  it("has colours only on a terminal", () => {
    for (const terminal of [true, false]) {
      const { lines, log } = recorded({ format: "pretty" }, terminal, !terminal, true);
      log.error({ error: new Error("a\u001b[2J\u009b2J") }, "b\u001b[31m\nc\u202e");
      const [line = "", ...more] = lines.join("").trimEnd().split("\n");
      expect(more).toEqual([]);
      expect(line.includes("\u001b[")).toBe(terminal);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(line.replace(/\u001b\[\d+m/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      expect(line).toContain("b\\u001b[31m\\u000ac\\u202e");
    }
  });

  it.each(["json", "pretty"] as const)(
    "writes an event with errors and their stacks as one line of %s",
    format => {
      for (const terminal of [true, false]) {
        const { lines, log } = recorded({ format }, terminal, false, terminal);
        const error = new Error("outer\nwith more lines", { cause: new TypeError("inner") });
        for (const fields of [{ error }, { err: error }, { type: "Error", stack: "one\ntwo", token: "s3" }])
          log.error(fields, "failed");
        expect(lines).toHaveLength(3);
        expect(lines.join("").split("\n")).toHaveLength(4);
        for (const line of lines.slice(0, 2)) expect(line).toMatch(/outer.*log\.test\.ts.*TypeError/);
        expect(lines.join("")).not.toContain("s3");
      }
    },
  );
});

describe("a throttled log", () => {
  it("writes 20 lines of a kind a minute and says how many it omitted", () => {
    const [clock, log] = [new ManualClock(), new RecordingLog()];
    const throttled = throttledLog(log, clock);
    for (let i = 0; i < 100; i++) throttled.info({ i }, "one");
    throttled.error({}, "two");
    expect(log.of("info")).toHaveLength(20);
    expect(log.of("error")).toHaveLength(1);
    clock.advance(3_000);
    throttled.info({ i: 100 }, "one");
    expect(log.lines.at(-1)).toEqual({ level: "info", message: "one", fields: { i: 100, leftOut: 80 } });
  });

  it("limits each game server separately", () => {
    const [clock, log] = [new ManualClock(), new RecordingLog()];
    const throttled = throttledLog(log, clock);
    for (let i = 0; i < 100; i++) throttled.warn({ server: "lobby" }, "one");
    throttled.warn({ server: "survival" }, "one");
    throttled.warn({}, "one");
    expect(log.lines).toHaveLength(22);
    clock.advance(3_000);
    for (const server of ["survival", "lobby"]) throttled.warn({ server }, "one");
    expect(log.lines.slice(22).map(({ fields }) => fields)).toEqual([
      { server: "survival" },
      { server: "lobby", leftOut: 80 },
    ]);
  });
});
