import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { examine } from "../../owner/doctor/examine.ts";
import { isProblem } from "../../owner/doctor/finding.ts";
import { loadConfig } from "../../sidecar/config/load.ts";
import { standing } from "./fixture.ts";
import { follow, keep } from "./mends.ts";

const MAIN = fileURLToPath(new URL("../../dist/sidecar/main.js", import.meta.url));
const fixture = standing();

describe("the sidecar's files", () => {
  it("are named in the sidecar's own words when they are not UTF-8", async () => {
    const back = keep(fixture.config);
    writeFileSync(fixture.config, Buffer.from("# \xfc\nlog.level: info\n", "latin1"));
    const loaded = loadConfig(fixture.config, {});
    expect((await fixture.wrong()).map(({ id, what }) => ({ id, what }))).toEqual(
      "faults" in loaded ? loaded.faults.map(what => ({ id: "config", what })) : [],
    );
    expect((await fixture.wrong()).map(({ mend }) => mend)).toEqual([
      `correct it there, then start the sidecar again`,
    ]);
    back();
    expect(await fixture.problems()).toEqual([]);
  });

  it.each(["no such folder", "no program in it"])(
    "wait for the server's folder where there is %s",
    async kind => {
      const folder = join(fixture.folder, "elsewhere");
      if (kind !== "no such folder") mkdirSync(folder, { recursive: true });
      const asked = { server: folder, config: join(fixture.folder, "none.yml") };
      const [first, second, ...more] = (await examine(asked, fixture.around)).filter(isProblem);
      expect([first?.id, second?.id, more]).toEqual(["server-folder", "config", []]);
      expect(second?.mend).toBe("mend what is said of the server's folder first, and run doctor again");
    },
  );

  it.each([
    ["modules.api", "203.0.113.7"],
    ["modules.api", "no-such-host.invalid"],
    ["bridge", "203.0.113.7"],
    ["bridge", "no-such-host.invalid"],
  ])("are named in the sidecar's own words when %s cannot listen at %s", async (key, host) => {
    const lines = keep(fixture.config);
    fixture.edit(fixture.config, text =>
      text.replace(new RegExp(`(${key.replace("modules.", "")}:\n *host: ).*`), `$1${host}`),
    );
    await fixture.stopSidecar();
    const [problem, ...more] = await fixture.wrong();
    const { stderr } = spawnSync(process.execPath, [MAIN, "--config", fixture.config], { encoding: "utf8" });
    expect([problem?.what, more]).toEqual([`${fixture.config}: ${stderr.trim()}`, []]);
    const usual = key === "bridge" ? "127.0.0.1" : "0.0.0.0";
    expect(problem?.mend).toBe(`npm run config -- set ${key}.host ${usual} --config "${fixture.config}"`);
    await follow(fixture, "", problem?.mend ?? "");
    await fixture.restartSidecar();
    expect(await fixture.problems()).toEqual([]);
    lines();
    await fixture.restartSidecar();
  });

  it("get a note for an address of Redis that is not used", async () => {
    const back = keep(fixture.config);
    fixture.edit(fixture.config, text => `${text}storage:\n  url: redis://127.0.0.1:6379\n`);
    expect(await fixture.stateOf("storage-url")).toBe("note");
    fixture.edit(fixture.config, text => text.replace("  url:", "  kind: redis\n  url:"));
    expect(await fixture.stateOf("storage-url")).toBeUndefined();
    back();
  });
});
