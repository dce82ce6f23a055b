import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setProperties } from "../../../bds/properties.ts";
import { levelDat } from "../../../scripts/make-server.mjs";
import type { Breakage } from "./breakage.ts";
import { type Fixture, MODULE } from "./fixture.ts";

const HEADER = "0612fdb1-6896-42b9-b127-8e35632f6398";

type Entry = { pack_id: string; version: number[] };
type Manifest = { header: object; dependencies: object[] };
type Break = Breakage["break"];

const pack = (fixture: Fixture, name = ""): string => fixture.path("behavior_packs/web_bridge", name);
const manifest = (change: (all: Manifest) => object) => (fixture: Fixture) =>
  fixture.editJson<Manifest>(pack(fixture, "manifest.json"), change);
const listed = (change: (ours: Entry, all: Entry[]) => object[]) => (fixture: Fixture) =>
  fixture.editJson<Entry[]>(join(fixture.world, "world_behavior_packs.json"), all =>
    change(all.find(each => each.pack_id === HEADER) ?? { pack_id: "", version: [] }, all),
  );
const url = (value: (fixture: Fixture) => string) => (fixture: Fixture) =>
  fixture.editJson<object>(fixture.path("config", MODULE, "variables.json"), all => ({
    ...all,
    "bridge-url": value(fixture),
  }));
const folder = (name: string) => (fixture: Fixture) =>
  renameSync(fixture.path("config", MODULE), fixture.path("config", name));
const level = (fixture: Fixture, name = ""): string => join(fixture.world, `level.dat${name}`);
const bridgePort = (fixture: Fixture): number => fixture.running.bridgeAddress.port;

const VERSIONS: [what: string, says: string, change: (ours: Entry) => object][] = [
  ["names another version", "lists version [0,0,9]", ours => ({ ...ours, version: [0, 0, 9] })],
  ["has no version", "without a version", ({ pack_id }) => ({ pack_id })],
  [
    "has the version as a text",
    'lists version "0.1.0" of the behavior pack, expected [0,1,0] as in its manifest',
    ours => ({ ...ours, version: ours.version.join(".") }),
  ],
  ["has a version of four numbers", ",0]", ours => ({ ...ours, version: [...ours.version, 0] })],
];

type Plain = [id: string, what: string, says: string, act: Break, more?: Partial<Breakage>];

/** With these the script does not even start. */
const STOPS: Plain[] = [
  ["pack", "the add-on is gone", "is not in", fixture => rmSync(pack(fixture), { recursive: true })],
  [
    "pack",
    "the add-on has another version",
    "has version 0.0.9",
    manifest(all => ({ ...all, header: { ...all.header, version: [0, 0, 9] } })),
  ],
  ...VERSIONS.map(
    ([what, says, change]): Plain => ["pack-listed", `it ${what}`, says, listed(ours => [change(ours)])],
  ),
  [
    "script-folder",
    "the settings are in a folder of the header's uuid",
    "the add-on's header",
    folder(HEADER),
  ],
  [
    "script-folder",
    "the folder of the settings has an upper-case name",
    "in lower case",
    folder(MODULE.toUpperCase()),
    { byHand: true },
  ],
  [
    "beta-apis",
    "the Beta APIs are off",
    "is off in",
    async fixture => writeFileSync(level(fixture), await levelDat("off")),
  ],
  [
    "world",
    "level.dat is gone, and the copy of the game is there",
    "is missing",
    fixture => renameSync(level(fixture), level(fixture, "_old")),
  ],
  [
    "world",
    "level.dat is gone, and there is a damaged copy, made by setup",
    "is missing",
    fixture => {
      writeFileSync(level(fixture, "_old"), new Uint8Array(5));
      rmSync(level(fixture));
    },
  ],
  [
    "world",
    "level.dat is gone, and no copy is there",
    "is missing",
    fixture => {
      rmSync(fixture.path("web-bridge-setup"), { recursive: true });
      rmSync(level(fixture));
    },
    { byHand: true },
  ],
];

const WORKS: Plain[] = [
  [
    "pack",
    "the add-on is there twice",
    "2 times",
    fixture => cpSync(pack(fixture), fixture.path("development_behavior_packs/copy"), { recursive: true }),
  ],
  [
    "pack",
    "the manifest lost its modules",
    "manifest.json",
    manifest(all => ({ ...all, dependencies: all.dependencies.slice(0, 1) })),
  ],
  [
    "pack",
    "the manifest requires a stable module",
    "requires @minecraft/server 2.10.0",
    fixture => fixture.edit(pack(fixture, "manifest.json"), text => text.replace('"beta"', '"2.10.0"')),
  ],
  ["pack-listed", "the list names the add-on twice", "2 times", listed((ours, all) => [...all, ours])],
  [
    "resource-pack",
    "the resource pack is gone",
    "is not in resource_packs",
    fixture => rmSync(fixture.path("resource_packs/web_bridge"), { recursive: true }),
  ],
  [
    "resource-pack-listed",
    "the resource pack is not on the world's list",
    "is not listed",
    fixture => writeFileSync(join(fixture.world, "world_resource_packs.json"), "[]"),
  ],
  [
    "resource-pack-listed",
    "another pack of forms comes before the chest form",
    "Other textures (7e0f3a52-2f3d-4a0c-8a8e-1d5f0f7b6c22) also has a server_form.json and comes before ours",
    fixture => {
      cpSync(fixture.path("resource_packs/web_bridge/ui"), fixture.path("resource_packs/other/ui"), {
        recursive: true,
      });
      writeFileSync(fixture.path("resource_packs/other/ui/server_form.json"), "{}");
    },
    { byHand: true },
  ],
  [
    "bridge-url",
    "bridge-url has a mistyped host",
    "nothing answers there",
    url(fixture => `http://locahost.invalid:${bridgePort(fixture)}`),
  ],
  [
    "world-name",
    "the add-on calls the world otherwise",
    'world-name is "Old name"',
    fixture =>
      fixture.editJson<object>(fixture.path("config", MODULE, "variables.json"), all => ({
        ...all,
        "world-name": "Old name",
      })),
  ],
  [
    "ports",
    "the debugger has the sidecar's port",
    "force-inbound-debug-port",
    fixture =>
      fixture.edit(fixture.path("server.properties"), text =>
        setProperties(text, {
          "allow-inbound-script-debugging": "true",
          "force-inbound-debug-port": String(bridgePort(fixture)),
        }),
      ),
    { set: "force-inbound-debug-port=19144" },
  ],
  [
    "texturepack-required",
    "players need not take the resource pack",
    "could refuse the pack",
    fixture =>
      fixture.edit(fixture.path("server.properties"), text =>
        text.replace(/^texturepack-required=true/m, ""),
      ),
  ],
  [
    "started-by-hand",
    "the sidecar was started by hand beside a service",
    "was started by hand is running (process 4711)",
    fixture => {
      const { publicAddress } = fixture.running;
      const { configFile, root } = { configFile: fixture.config, root: fixture.folder };
      writeFileSync(join(fixture.folder, "sidecar/data/run-by"), "systemd:web-bridge\n");
      fixture.system = {
        ...fixture.system,
        portOwner: async port => (port === publicAddress.port ? { pid: 4711, program: "node" } : undefined),
        sidecarAt: () => ({ root, configFile, runBy: undefined }),
      };
    },
    { command: "kill 4711 && systemctl start web-bridge" },
  ],
];

/** Faults in more than one value or file. */
export const SERVER_BREAKAGES: readonly Breakage[] = [
  ...STOPS.map(
    ([id, what, says, act, more]): Breakage => ({ id, what, says, break: act, stops: true, ...more }),
  ),
  ...WORKS.map(([id, what, says, act, more]): Breakage => ({ id, what, says, break: act, ...more })),
];
