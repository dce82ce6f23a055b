import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "@jest/globals";
import { createServerFolderSimulator } from "../../lab/simulator/server-folder.ts";
import { systemFiles, systemSigns } from "../../owner/bds/system.ts";
import { examine } from "../../owner/doctor/examine.ts";
import { isProblem } from "../../owner/doctor/finding.ts";
import { systemSurroundings } from "../../owner/doctor/system.ts";
import { systemDisk } from "../../owner/setup/disk.ts";
import { setUp, undo } from "../../owner/setup/setup.ts";
import { makeLayout } from "../helpers/server-layouts.mjs";
import { newFolder } from "../helpers/folder.ts";
import { treeOf } from "../helpers/server-setup.ts";

const folder = newFolder("new game ");
const [server, config] = [join(folder, "server"), join(folder, "sidecar", "config.yml")];
const all = systemSurroundings(fileURLToPath(new URL("../../", import.meta.url)));
const signs = { ...systemSigns, pids: () => [], locks: () => [] };

beforeAll(async () => {
  await makeLayout(server, "the zip of Mojang of 1.26.60, after its first start");
  mkdirSync(join(folder, "sidecar"));
});

it("sets a server of 1.26.60 up, finds nothing wrong with it, starts it, and takes all of it back", async () => {
  writeFileSync(join(server, "allowlist.json"), '[{"name":"Steve"}]');
  const before = treeOf(server);
  const asked = { server, config, bridgeUrl: undefined, chestForm: false, dryRun: false };
  const around = { disk: systemDisk, signs, env: {}, packs: all.packs, isTaken: async () => false };
  expect((await setUp(asked, around, async () => true)).end).toBe("done");
  const findings = await examine(
    { server, config },
    {
      ...all,
      signs,
      files: systemFiles,
      env: {},
      fetch: () => Promise.reject(new TypeError("nobody")),
      holderOf: async () => undefined,
      offline: async () => undefined,
    },
  );
  expect(findings.filter(isProblem).map(({ id }) => id)).toEqual(["sidecar-running"]);
  expect(findings).toContainEqual({
    id: "transport",
    state: "ok",
    what: "players come over NetherNet, to port 19132",
  });
  expect(findings.find(({ id }) => id === "game-version")?.what).toContain("the game is 1.26.60.6");
  const { simulator, started, stdout } = await createServerFolderSimulator(server);
  simulator.dispose();
  expect(started).toBeDefined();
  expect(stdout.join("\n")).toMatch(/Version: 1\.26\.60\.6.*Accepting clients on \[::\]:19132/s);
  expect((await undo(asked, around, async () => true)).end).toBe("done");
  expect(treeOf(server)).toEqual(before);
});
