import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { linesOf, problem, skipped, summary } from "../../owner/doctor/finding.ts";
import { Fixture } from "./fixture.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/doctor.js", import.meta.url));
const DEMO = fileURLToPath(new URL("../../dist/tools/demo.js", import.meta.url));
/** A demo that does not must not outlive its test. */
const CONNECTS_WITHIN_MS = 60_000;
const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
});
afterAll(() => fixture.remove());

function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise(resolve => {
    const child = execFile(process.execPath, [PROGRAM, ...args], (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

/** Does what it advises first. */
async function mend(out: string): Promise<void> {
  await fixture.setUp(/mend: (npm run setup .*)$/m.exec(out)?.[1] ?? "");
}

it("ends with 2 and its usage when it is called wrongly, and with 0 when it is asked for it", async () => {
  for (const args of [[], ["--server"], ["--server", "x", "--fast"], ["x"]]) {
    const { code, err } = await run(...args);
    expect([code, err]).toEqual([2, expect.stringContaining("usage: npm run doctor -- --server <folder>")]);
  }
  expect(await run("--help")).toMatchObject({ code: 0, out: expect.stringContaining("usage:") });
});

it("ends with 1 while something is wrong, with 0 when nothing is, and says so on lines or as JSON", async () => {
  const args = ["--server", fixture.server, "--config", fixture.config];
  const before = await run(...args);
  expect(before.code).toBe(1);
  expect(before.out).toMatch(
    /^!! {2}the behavior pack is not in behavior_packs of .+\n {4}mend: npm run setup -- /m,
  );
  await mend(before.out);
  const after = await run(...args, "--json");
  expect(after.code).toBe(0);
  const findings: { id: string; ok: boolean; what: string }[] = JSON.parse(after.out);
  expect(findings.length).toBeGreaterThan(25);
  expect(findings.every(({ ok }) => ok)).toBe(true);
  expect(findings[0]).toEqual({ id: "server-folder", state: "ok", what: expect.any(String), ok: true });
});

it("writes each finding on a line of its own, with its advice below", () => {
  const findings = [problem("a", "it is wrong", "do this"), skipped("b", "that: not there")];
  expect(findings.flatMap(linesOf)).toEqual([
    "!!  it is wrong",
    "    mend: do this",
    "--  skipped: that: not there",
  ]);
  expect(summary(findings)).toMatch(/^There is 1 problem\./);
  expect(summary([])).toBe("Everything that could be looked at is right.");
});

describe("at length", () => {
  beforeAll(async () => {
    await mend((await run("--server", fixture.server, "--config", fixture.config)).out);
  });

  it("reports several servers one by one, on lines and as JSON, and asks for a folder behind each --server", async () => {
    const other = join(fixture.folder, "other");
    const args = ["--server", fixture.server, "--server", other, "--config", fixture.config];
    const { code, out } = await run(...args);
    expect(code).toBe(1);
    expect(out.split("\n").filter(line => line.endsWith(":"))).toEqual([
      `${fixture.server}:`,
      `${other}:`,
      "the sidecar:",
    ]);
    const findings: { server?: string; id: string; ok: boolean }[] = JSON.parse(
      (await run(...args, "--json")).out,
    );
    expect(findings.filter(({ ok }) => !ok)).toEqual([
      expect.objectContaining({ server: other, id: "server-folder" }),
    ]);
    expect(findings.filter(({ id }) => id === "config")).toEqual([
      expect.not.objectContaining({ server: expect.anything() }),
    ]);
    expect((await run("--server", fixture.server, "--server", "")).code).toBe(2);
  });

  it("is followed by the demo, which plays the server of that folder", async () => {
    const demo = spawn(process.execPath, [DEMO, "--server", fixture.server], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(demo, "exit");
    const tooLong = setTimeout(() => demo.kill("SIGTERM"), CONNECTS_WITHIN_MS);
    const seen: string[] = [];
    for await (const line of createInterface({ input: demo.stdout })) {
      seen.push(line);
      if (line.includes("[web bridge] connected")) break;
    }
    clearTimeout(tooLong);
    demo.stdout.resume();
    demo.kill("SIGTERM");
    expect(seen.at(-1)).toContain("[web bridge] connected");
    expect(await ended).toEqual([0, null]);
    expect(seen.join("\n")).toContain("Server started.");
  });
});
