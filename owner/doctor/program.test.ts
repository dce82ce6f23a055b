import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { runTool } from "../../test/helpers/tools.ts";
import { Fixture } from "./testing/fixture.ts";

const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
});
afterAll(() => fixture.remove());

const run = (...args: string[]) => runTool("doctor", args);

it("exits with 2 and its usage after wrong arguments, and with 0 for --help", async () => {
  for (const args of [["--server"], ["--server", "x", "--fast"], ["--server", "x", "--server", ""]]) {
    const { code, err } = await run(...args);
    expect([args, code, err]).toEqual([
      args,
      2,
      expect.stringContaining("usage: npm run doctor -- --server"),
    ]);
  }
  expect(await run("--help")).toMatchObject({ code: 0, out: expect.stringContaining("usage:") });
});

it("exits with 1 if something is wrong or the game server is not running, and with 0 if all checks pass", async () => {
  const args = ["--server", fixture.server, "--config", fixture.config];
  const before = await run(...args);
  expect(before.code).toBe(1);
  expect(before.out).toMatch(
    /^!! {2}the behavior pack is not in behavior_packs of .+\n {4}run: npm run setup -- /m,
  );
  await fixture.setUp(/run: (npm run setup .*)$/m.exec(before.out)?.[1] ?? "");
  const stopped = await run(...args);
  expect(stopped.code).toBe(1);
  expect(stopped.out).toContain(
    "--  not checked: whether the add-on is connected: the game server is not running, or runs on another machine\n",
  );
  expect(stopped.out.trimEnd().split("\n").at(-1)).toBe(
    "The game server is not running: not checked whether the add-on connects. Start it, then run doctor again.",
  );
  await fixture.startGame();
  await fixture.until(() => fixture.ready());
  const after = await run(...args, "--json");
  expect(after.code).toBe(0);
  const findings: { id: string; ok: boolean; what: string }[] = JSON.parse(after.out);
  expect(findings.length).toBeGreaterThan(25);
  expect(findings.every(({ ok }) => ok)).toBe(true);
  expect(findings[0]).toEqual({ id: "server-folder", state: "ok", what: expect.any(String), ok: true });
  const lines = (await run(...args)).out.trimEnd().split("\n");
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(
      /^-- {2}note: to test the add-on with this version of the game .*: npm run prove -- --server /,
    ),
    "No problems found.",
  ]);
  await fixture.stopGame();
});

it("reports several servers one by one, on lines and as JSON", async () => {
  const other = join(fixture.folder, "other");
  const args = ["--server", fixture.server, "--server", other, "--config", fixture.config];
  const { code, out } = await run(...args);
  expect(code).toBe(1);
  const heads = out.split("\n").filter(line => line.endsWith(":"));
  expect(heads).toEqual([`${fixture.server}:`, `${other}:`, "the sidecar:"]);
  const findings: { server?: string; id: string; ok: boolean }[] = JSON.parse(
    (await run(...args, "--json")).out,
  );
  expect(findings.filter(({ ok }) => !ok)).toEqual([
    expect.objectContaining({ server: other, id: "server-folder" }),
  ]);
  expect(findings.find(({ id }) => id === "config")).toEqual(
    expect.not.objectContaining({ server: expect.anything() }),
  );
});
