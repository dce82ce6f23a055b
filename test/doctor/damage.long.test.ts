import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createServerFolderSimulator } from "../../lab/simulator/server-folder.ts";
import { systemFiles } from "../../owner/bds/system.ts";
import { isProblem } from "../../owner/doctor/finding.ts";
import { MODULE } from "./breaks.ts";
import { Fixture } from "./fixture.ts";

const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp(fixture.command("--chest-form"));
  await fixture.stopSidecar();
  fixture.around = { ...fixture.around, fetch: () => Promise.reject(new TypeError("nobody")) };
});
afterAll(() => fixture.remove());

const files = (): string[] => [
  ...["permissions", "variables", "secrets"].map(name => fixture.path("config", MODULE, `${name}.json`)),
  ...["world_behavior_packs.json", "world_resource_packs.json", "level.dat"].map(name =>
    join(fixture.world, name),
  ),
  fixture.path("behavior_packs/web_bridge/manifest.json"),
  fixture.path("allowlist.json"),
  fixture.path("server.properties"),
  fixture.config,
  fixture.tokenFile,
];
const PIECE = {
  pack_id: MODULE,
  module_permissions: { "@minecraft/server-net": 1 },
  header: { uuid: 1 },
  modules: [1],
};

it("survives whatever stands in a file, and so does the game in that folder", async () => {
  const content = fc.oneof(
    fc.json().map(text => Buffer.from(text)),
    fc
      .constantFrom(PIECE, [PIECE], { allowed_modules: [1], "bridge-url": {}, "bridge-token": 1 })
      .map(value => Buffer.from(JSON.stringify(value))),
    fc.uint8Array({ maxLength: 64 }),
  );
  const which = fc.nat(files().length - 1);
  await fc.assert(
    fc.asyncProperty(which, content, async (index, bytes) => {
      const path = files()[index] ?? "";
      const before = systemFiles.read(path) ?? new Uint8Array();
      writeFileSync(path, bytes);
      try {
        const findings = await fixture.doctor();
        expect(findings.filter(isProblem).every(each => each.state === "problem" && each.mend !== "")).toBe(
          true,
        );
        const game = await createServerFolderSimulator(fixture.server).catch((error: unknown) =>
          String(error),
        );
        if (typeof game === "string") expect(game).toContain("server.properties");
        else game.simulator.dispose();
      } finally {
        writeFileSync(path, before);
      }
    }),
    { numRuns: 60 },
  );
});

it("survives files and folders that are gone, or are of the other kind", async () => {
  for (const path of files()) {
    const before = systemFiles.read(path) ?? new Uint8Array();
    rmSync(path);
    expect((await fixture.doctor()).length).toBeGreaterThan(1);
    mkdirSync(path);
    expect((await fixture.doctor()).length).toBeGreaterThan(1);
    rmSync(path, { recursive: true });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, before, { mode: 0o600 });
  }
  expect(await fixture.problems()).toEqual(["sidecar-running"]);
});

it("names each file that it may not read", async () => {
  for (const denied of files()) {
    const error = Object.assign(new Error(`EACCES: permission denied, open '${denied}'`), { code: "EACCES" });
    const read = (path: string): Uint8Array | undefined => {
      if (path === denied) throw error;
      return systemFiles.read(path);
    };
    const found = await fixture.wrong({ files: { ...systemFiles, read } });
    expect(found.map(({ id }) => id).filter(id => id !== "sidecar-running")).toEqual(["readable"]);
    expect(found.find(({ id }) => id === "readable")?.what).toContain(denied);
  }
});
