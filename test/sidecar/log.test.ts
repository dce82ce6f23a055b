import { describe, expect, it } from "@jest/globals";
import type { Config } from "../../sidecar/config/settings.ts";
import { createLog } from "../../sidecar/log.ts";

const recorded = (settings: Partial<Config["log"]> = {}, terminal = false) => {
  const lines: string[] = [];
  const target = { write: (line: string) => void lines.push(line), terminal, colours: false };
  return { lines, log: createLog({ level: "info", format: "auto", ...settings }, target) };
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

  it("writes nothing below its level", () => {
    const { lines, log } = recorded({ level: "warn" });
    log.debug({}, "a");
    log.info({}, "b");
    log.warn({}, "c");
    expect(lines).toHaveLength(1);
    const silent = recorded({ level: "silent" });
    silent.log.error({}, "d");
    expect(silent.lines).toEqual([]);
  });

  it("hides secrets wherever they are", () => {
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

  it("survives what has no end", () => {
    const { lines, log } = recorded();
    const loop: { self?: object } = {};
    loop.self = loop;
    log.info({ loop, big: 1n }, "x");
    expect(first(lines)).toMatchObject({ big: "1" });
  });

  it("adds the fields of a child to each line", () => {
    const { lines, log } = recorded();
    log.child({ room: "bridge" }).child({ n: 1 }).info({ n: 2 }, "x");
    expect(first(lines)).toMatchObject({ room: "bridge", n: 2 });
  });

  it("writes for people on a terminal and when told to", () => {
    for (const { lines, log } of [recorded({}, true), recorded({ format: "pretty" })]) {
      log.warn({ port: 1 }, "listening");
      expect(lines).toEqual([expect.stringMatching(/^\[\d\d:\d\d:\d\d\] WARN: listening \{"port":1\}\n$/)]);
    }
    const json = recorded({ format: "json" }, true);
    json.log.info({}, "x");
    expect(first(json.lines)).toMatchObject({ msg: "x" });
  });

  it("keeps a line that a field would break in one piece", () => {
    const { lines, log } = recorded({ format: "pretty" });
    log.info({ name: "a\nb\u001b[2J" }, "joined");
    expect(lines.join("").split("\n")).toHaveLength(2);
    expect(lines.join("")).not.toContain("\u001b");
  });
});
