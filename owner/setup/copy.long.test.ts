import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { newFolder } from "../../test/helpers/folder.ts";
import { treeOf } from "../../test/helpers/server-setup.ts";
import { Fixture, LEVEL } from "../doctor/testing/fixture.ts";
import { COPY_CONFIG } from "./copy.ts";
import { systemDisk } from "./disk.ts";
import type { Outcome } from "./options.ts";
import { setUp, undo } from "./setup.ts";

/** What an owner downloads where setup was never run. */
const NEEDED = [
  "server.properties",
  ...["level.dat", "world_behavior_packs.json", "world_resource_packs.json"].map(
    name => `worlds/${LEVEL}/${name}`,
  ),
  COPY_CONFIG,
  "web-bridge/data/bridge-token",
];
const [yes, no] = [async () => true, async () => false];

let host: Fixture;
let copy: string;
beforeEach(async () => {
  host = new Fixture();
  await host.make();
  copy = newFolder("copy ");
});
afterEach(() => host.remove());

/** A path on the host. This sidecar's folder is beside that of the server. */
const onHost = (name: string): string =>
  join(
    host.folder,
    name.startsWith("web-bridge/") ? name.replace("web-bridge", "sidecar") : join("my server", name),
  );

const download = (names: readonly string[]): void => {
  for (const name of names) cpSync(onHost(name), join(copy, name), { recursive: true });
};

/** Changes the host as setup has said, by SFTP: others can read new files. */
function upload({ transfer }: Outcome): void {
  for (const name of transfer?.delete ?? []) rmSync(onHost(name), { recursive: true });
  for (const name of transfer?.upload ?? []) {
    const isNew = !existsSync(onHost(name));
    mkdirSync(dirname(onHost(name)), { recursive: true });
    cpSync(join(copy, name), onHost(name), { recursive: true });
    if (isNew && statSync(onHost(name)).isFile()) chmodSync(onHost(name), 0o644);
  }
}

const options = () => ({
  server: copy,
  config: join(copy, COPY_CONFIG),
  bridgeUrl: undefined,
  chestForm: undefined,
  dryRun: false,
  isCopy: true,
});
const system = () => ({
  disk: systemDisk,
  processes: host.processes,
  env: {},
  packs: host.system.packs,
  isPortInUse: no,
});

it("connects a server on a host with nothing but the named files, and undoes it there with the named files", async () => {
  const before = treeOf(host.server);
  download(NEEDED);
  upload(
    await setUp(options(), system(), yes, {
      keepAchievements: no,
      chestForm: yes,
      knownPlayers: yes,
      isPlayedWorld: yes,
    }),
  );
  await host.restartSidecar();
  await host.startGame();
  await host.until(() => host.ready());
  expect(await host.problems()).toEqual([]);
  const uploaded = treeOf(host.server);
  await host.stopGame();
  await host.setUp();
  expect(treeOf(host.server)).toEqual(uploaded);

  rmSync(copy, { recursive: true });
  mkdirSync(copy);
  download([
    ...NEEDED,
    "config",
    "behavior_packs/web_bridge",
    "resource_packs/web_bridge",
    "web-bridge-setup",
  ]);
  upload(await undo(options(), system(), yes));
  expect(treeOf(host.server)).toEqual(before);
});
