import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { needs } from "../test/helpers/needs.ts";
import { has } from "../test/package/packages.ts";

const RUN = fileURLToPath(new URL("../.ci/run", import.meta.url));
/** Tools that the run would otherwise install. */
const PROGRAMS = ["nginx", "caddy", "apache2", "haproxy", "redis-server"];

/** Ends like a run whose tests print this. */
function run(test: [said: string, code: number], long: [said: string, code: number]) {
  const folder = newFolder("ci-");
  mkdirSync(join(folder, "bin"));
  const says = ([said, code]: [string, number]): string => `printf '%s\\n' '${said}'; exit ${code}`;
  const npm = `case "$*" in "--silent test") ${says(test)};; "--silent run test:long") ${says(long)};; esac`;
  for (const [name, script] of [["npm", npm], ...PROGRAMS.map(each => [each, ""])] as const)
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const PATH = `${join(folder, "bin")}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, CHROMIUM: "/bin/true" };
  const { status, stdout } = spawnSync("bash", [RUN], { env, encoding: "utf8" });
  return [status, stdout];
}

needs("bash", has("bash", "--version")).all(() => {
  it("a run of both kinds ends with one line that adds them up", () => {
    expect(run(["PASS a\n3 passed, 0 failed", 0], ["PASS b\n4 passed, 0 failed, 1 skipped", 0])).toEqual([
      0,
      "PASS a\nPASS b\n7 passed, 0 failed, 1 skipped\n",
    ]);
  });

  it("lists at its end what was skipped, and why", () => {
    const lacks = "skipped 2 tests for lack of: a browser";
    expect(run([`${lacks}\n3 passed, 0 failed, 2 skipped`, 0], ["PASS b\n4 passed, 0 failed", 0])).toEqual([
      0,
      `PASS b\n${lacks}\n7 passed, 0 failed, 2 skipped\n`,
    ]);
  });

  it.each([
    ["of the short ones", ["2 passed, 1 failed", 1], ["4 passed, 0 failed", 0], "6 passed, 1 failed\n"],
    ["of the long ones", ["3 passed, 0 failed", 0], ["4 passed, 2 failed", 1], "7 passed, 2 failed\n"],
    ["where one says nothing", ["killed", 137], ["4 passed, 0 failed", 0], "killed\n4 passed, 1 failed\n"],
  ] as const)("fails after a failure %s", (_where, test, long, out) => {
    const [status, stdout] = run([...test], [...long]);
    expect(stdout).toBe(out);
    expect(status).not.toBe(0);
  });
});
