import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setProperties } from "../../owner/bds/properties.ts";
import { levelDat } from "../../scripts/make-server.mjs";
import type { Fixture } from "./fixture.ts";
import { keep } from "./mends.ts";

const HEADER = "0612fdb1-6896-42b9-b127-8e35632f6398";
export const MODULE = "d09dd5f3-f8bd-4efc-8114-e391c22053b3";

/** What it does may answer how the owner mends it by hand, where the advice is no command. */
type Break = (fixture: Fixture) => void | (() => void) | Promise<void> | Promise<() => void>;

/** One thing that can be wrong on a server that was set up, what the doctor calls it, and how it comes about. */
export interface Row {
  id: string;
  what: string;
  /** words that what is said of it has to have */
  says: string;
  break: Break;
  /** the script does not even start */
  stops?: boolean;
  /** the game that has opened the world last, where it is an older one */
  game?: string;
}

type Entry = { pack_id: string; version: number[] };
type Manifest = { header: object; dependencies: object[] };

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

const STOPS: [id: string, what: string, says: string, act: Break][] = [
  ["pack-installed", "the pack is gone", "is not in", fixture => rmSync(pack(fixture), { recursive: true })],
  [
    "pack-version",
    "the pack has another version",
    "has version 0.0.9",
    manifest(all => ({ ...all, header: { ...all.header, version: [0, 0, 9] } })),
  ],
  ...(
    [
      ["names another version", "lists version [0,0,9]", ours => ({ ...ours, version: [0, 0, 9] })],
      ["has no version", "without a version", ({ pack_id }) => ({ pack_id })],
      ["has the version as a text", 'version "', ours => ({ ...ours, version: ours.version.join(".") })],
      ["has a version of four numbers", ",0]", ours => ({ ...ours, version: [...ours.version, 0] })],
    ] as [string, string, (ours: Entry) => object][]
  ).map(([what, says, change]): [string, string, string, Break] => [
    "pack-listed-version",
    `the list ${what}`,
    says,
    listed(ours => [change(ours)]),
  ]),
  ["script-folder", "the settings are in a folder of the header's uuid", "the pack's header", folder(HEADER)],
  [
    "script-folder",
    "the folder of the settings has an upper-case name",
    "in lower case",
    folder(MODULE.toUpperCase()),
  ],
  [
    "beta-apis",
    "the Beta APIs are off",
    "is off in",
    async fixture => writeFileSync(level(fixture), await levelDat("off")),
  ],
  [
    "level-dat",
    "level.dat is gone, and the copy of the game is there",
    "is missing",
    fixture => renameSync(level(fixture), level(fixture, "_old")),
  ],
  [
    "level-dat",
    "level.dat is gone, and a damaged copy is there: setup has kept one",
    "is missing",
    fixture => {
      writeFileSync(level(fixture, "_old"), new Uint8Array(5));
      rmSync(level(fixture));
    },
  ],
  [
    "level-dat",
    "level.dat is gone, and no copy is there",
    "is missing",
    fixture => {
      const back = keep(level(fixture));
      rmSync(fixture.path("web-bridge-setup"), { recursive: true });
      rmSync(level(fixture));
      return back;
    },
  ],
];

const WORKS: [id: string, what: string, says: string, act: Break][] = [
  [
    "pack-once",
    "the pack is there twice",
    "2 times",
    fixture => cpSync(pack(fixture), fixture.path("development_behavior_packs/copy"), { recursive: true }),
  ],
  [
    "pack-manifest",
    "the manifest lost its modules",
    "manifest.json",
    manifest(all => ({ ...all, dependencies: all.dependencies.slice(0, 1) })),
  ],
  [
    "pack-manifest",
    "the manifest asks for a stable module",
    "asks for @minecraft/server 2.10.0",
    fixture => fixture.edit(pack(fixture, "manifest.json"), text => text.replace('"beta"', '"2.10.0"')),
  ],
  ["pack-listed-once", "the list names the pack twice", "2 times", listed((ours, all) => [...all, ours])],
  [
    "resource-pack-listed",
    "the resource pack is not on the world's list",
    "is not listed",
    fixture => writeFileSync(join(fixture.world, "world_resource_packs.json"), "[]"),
  ],
  ["bridge-url", "bridge-url is that of the public listener", "public listener", url(({ base }) => base)],
  [
    "bridge-url",
    "bridge-url asks for TLS at the sidecar's own port",
    "has no TLS",
    url(fixture => `https://127.0.0.1:${bridgePort(fixture)}`),
  ],
  [
    "bridge-url",
    "bridge-url has a mistyped host",
    "nobody answers there",
    url(fixture => `http://locahost.invalid:${bridgePort(fixture)}`),
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
  ],
];

/** What is a matter of more than one value or file. */
export const BREAKS: Row[] = [
  ...STOPS.map(([id, what, says, act]) => ({ id, what, says, break: act, stops: true })),
  ...WORKS.map(([id, what, says, act]) => ({ id, what, says, break: act })),
];
