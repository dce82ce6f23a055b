import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { createServerFolderSimulator } from "../../lab/simulator/server-folder.ts";
import { MODULE } from "./breaks.ts";
import { standing } from "./fixture.ts";
import { keep } from "./mends.ts";

/** What works in another way than setup makes it, and what must not hide another thing. */
const fixture = standing();

const script = (name: string): string => fixture.path("config", MODULE, name);
const common = (name: string): string => fixture.path("config", "default", name);
async function starts(): Promise<boolean> {
  const { simulator, started } = await createServerFolderSimulator(fixture.server);
  simulator.dispose();
  return started !== undefined;
}

it("takes the settings for all scripts where the script has none of its own", async () => {
  renameSync(script("secrets.json"), common("secrets.json"));
  expect([await fixture.problems(), await starts()]).toEqual([[], true]);
  const back = keep(common("permissions.json"));
  for (const name of ["permissions.json", "variables.json"]) renameSync(script(name), common(name));
  expect([await fixture.problems(), await starts()]).toEqual([[], true]);
  renameSync(fixture.path("config", MODULE), fixture.path("held"));
  const found = await fixture.doctor();
  expect(found.find(({ id }) => id === "script-folder")).toMatchObject({
    state: "ok",
    what: "the settings of the script are those for all scripts, in config/default",
  });
  expect([await fixture.problems(), await starts()]).toEqual([[], true]);
  writeFileSync(common("secrets.json"), '{ "bridge-token": "another-token-0123456789" }');
  expect(await fixture.problems()).toEqual(["bridge-token"]);
  renameSync(fixture.path("held"), fixture.path("config", MODULE));
  for (const name of ["permissions.json", "variables.json"]) renameSync(common(name), script(name));
  back();
  await fixture.setUp();
  expect(await fixture.problems()).toEqual([]);
});

it("names the version of the list as it stands there, when only its form is another", async () => {
  const path = join(fixture.world, "world_behavior_packs.json");
  const back = keep(path);
  fixture.edit(path, text => text.replace(/\[\s*0,\s*1,\s*0\s*\]/, '"0.1.0"'));
  const [found] = await fixture.wrong();
  expect(found).toMatchObject({
    id: "pack-listed-version",
    what: 'world_behavior_packs.json lists version "0.1.0" of the behavior pack, expected [0,1,0] as in its manifest',
  });
  back();
});

it("says that the pack is not connected beside what does not keep it from that", async () => {
  const signs = fixture.runs();
  const back = keep(fixture.path("allowlist.json"));
  writeFileSync(fixture.path("allowlist.json"), "[]");
  expect(await fixture.problems({ signs })).toEqual(["allow-list", "pack-connected"]);
  const token = keep(script("secrets.json"));
  writeFileSync(script("secrets.json"), "{}");
  expect(await fixture.problems({ signs })).toEqual(["bridge-token", "allow-list"]);
  token();
  back();
});

it("says that the manifest asks for other versions of modules, and keeps them until it is told otherwise", async () => {
  const path = fixture.path("behavior_packs/web_bridge/manifest.json");
  const noted = async () => await fixture.find("module-versions");
  const setup = `npm run setup -- --server "${fixture.server}" --config "${fixture.config}"`;
  expect(await noted()).toBeUndefined();
  fixture.edit(path, text => text.replace(/"beta"(\s*\}\s*\])/, '"1.0.0-beta"$1').replace(/\n/g, "\r\n"));
  expect([await fixture.problems(), await starts()]).toEqual([[], true]);
  expect(await noted()).toMatchObject({
    state: "note",
    what: `manifest.json in behavior_packs/web_bridge asks for @minecraft/server-admin 1.0.0-beta, this build for beta: right for a game that refuses beta (docs/after-an-update.md), and setup keeps it; to go back: ${setup} --module-versions beta`,
  });
  await fixture.setUp(setup);
  expect(await noted()).toBeDefined();
  await fixture.setUp(`${setup} --module-versions beta`);
  expect([await noted(), await fixture.problems()]).toEqual([undefined, []]);
});
