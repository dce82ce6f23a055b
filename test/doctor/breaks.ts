import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { levelDat } from "../../scripts/make-server.mjs";
import { type Fixture, LEVEL } from "./fixture.ts";
import { keep } from "./mends.ts";

const HEADER = "0612fdb1-6896-42b9-b127-8e35632f6398";
export const MODULE = "d09dd5f3-f8bd-4efc-8114-e391c22053b3";

/** One thing that can be wrong on a server that was set up, what the doctor calls it, and how it comes about. */
export interface Break {
  id: string;
  what: string;
  /** what it does may answer how the owner mends it by hand, where the advice is no command */
  break: (fixture: Fixture) => void | (() => void) | Promise<void> | Promise<() => void>;
  /** the script does not even start */
  stops?: true;
}

/** A break made from a list, with words that what is said of it has to have. */
export interface Row extends Break {
  says: string;
  /** the game that has opened the world last, where it is an older one */
  game?: string;
}

type Entry = { pack_id: string; version: number[] };
type Permissions = { allowed_modules: string[]; module_permissions: Record<string, Record<string, unknown>> };

const pack = (fixture: Fixture, name = ""): string => fixture.path("behavior_packs/web_bridge", name);
const list = (fixture: Fixture): string => join(fixture.world, "world_behavior_packs.json");
const script = (fixture: Fixture, name: string): string => fixture.path("config", MODULE, name);
const entries = (fixture: Fixture, change: (ours: Entry, all: Entry[]) => object[]): void =>
  fixture.editJson<Entry[]>(list(fixture), all =>
    change(all.find(each => each.pack_id === HEADER) ?? { pack_id: "", version: [] }, all),
  );
const net = (key: string, value: unknown) => (fixture: Fixture) =>
  fixture.editJson<Permissions>(script(fixture, "permissions.json"), all => {
    const own = all.module_permissions["@minecraft/server-net"];
    return { ...all, module_permissions: { "@minecraft/server-net": { ...own, [key]: value } } };
  });
const variable = (value: (fixture: Fixture) => unknown) => (fixture: Fixture) =>
  fixture.editJson<object>(script(fixture, "variables.json"), all => ({
    ...all,
    "bridge-url": value(fixture),
  }));
const damage = (path: string): void => writeFileSync(path, '{ "a": ');
/** Gives a key of server.properties a value, whether it is there or not. */
const property = (key: string, value: string) => (fixture: Fixture) =>
  fixture.edit(fixture.path("server.properties"), text =>
    text
      .split("\n")
      .filter(line => !line.startsWith(`${key}=`))
      .concat(`${key}=${value}`, "")
      .join("\n"),
  );

const ON_DISK: Break[] = [
  {
    id: "server-folder",
    what: "server.properties is gone",
    break: fixture => {
      renameSync(fixture.path("server.properties"), fixture.path("held"));
      return () => renameSync(fixture.path("held"), fixture.path("server.properties"));
    },
  },
  {
    id: "world",
    what: "level-name names a world that is not there",
    break: fixture =>
      fixture.edit(fixture.path("server.properties"), text => text.replace(`=${LEVEL}`, "=bedrock level")),
    stops: true,
  },
  {
    id: "pack-installed",
    what: "the pack is gone",
    break: fixture => rmSync(pack(fixture), { recursive: true }),
    stops: true,
  },
  {
    id: "pack-once",
    what: "the pack is there twice",
    break: fixture =>
      cpSync(pack(fixture), fixture.path("development_behavior_packs/copy"), { recursive: true }),
  },
  {
    id: "pack-manifest",
    what: "the manifest is damaged",
    break: fixture => damage(pack(fixture, "manifest.json")),
    stops: true,
  },
  {
    id: "pack-manifest",
    what: "the manifest lost its modules",
    break: fixture =>
      fixture.editJson<{ dependencies: object[] }>(pack(fixture, "manifest.json"), all => ({
        ...all,
        dependencies: all.dependencies.slice(0, 1),
      })),
  },
  {
    id: "pack-manifest",
    what: "the manifest asks for a stable module",
    break: fixture =>
      fixture.edit(pack(fixture, "manifest.json"), text => text.replace('"beta"', '"2.10.0"')),
  },
  {
    id: "pack-version",
    what: "the pack has another version",
    break: fixture =>
      fixture.editJson<{ header: object }>(pack(fixture, "manifest.json"), all => ({
        ...all,
        header: { ...all.header, version: [0, 0, 9] },
      })),
    stops: true,
  },
  {
    id: "pack-files",
    what: "main.js was changed",
    break: fixture => fixture.edit(pack(fixture, "scripts/main.js"), text => `${text}\n// mine\n`),
  },
  {
    id: "pack-files",
    what: "main.js is gone",
    break: fixture => rmSync(pack(fixture, "scripts/main.js")),
    stops: true,
  },
  {
    id: "pack-list",
    what: "the world's list is damaged",
    break: fixture => damage(list(fixture)),
    stops: true,
  },
  {
    id: "pack-listed",
    what: "the list names no pack",
    break: fixture => entries(fixture, () => []),
    stops: true,
  },
  { id: "pack-listed", what: "the list is gone", break: fixture => rmSync(list(fixture)), stops: true },
  {
    id: "pack-listed-once",
    what: "the list names the pack twice",
    break: fixture => entries(fixture, (ours, all) => [...all, ours]),
  },
  {
    id: "pack-listed-version",
    what: "the list names another version",
    break: fixture => entries(fixture, ours => [{ ...ours, version: [0, 0, 9] }]),
    stops: true,
  },
  {
    id: "pack-listed-version",
    what: "the list has no version",
    break: fixture => entries(fixture, ours => [{ pack_id: ours.pack_id }]),
    stops: true,
  },
  {
    id: "pack-listed-version",
    what: "the list has the version as a text",
    break: fixture => entries(fixture, ours => [{ ...ours, version: ours.version.join(".") }]),
    stops: true,
  },
  {
    id: "pack-listed-version",
    what: "the list has a version of four numbers",
    break: fixture => entries(fixture, ours => [{ ...ours, version: [...ours.version, 0] }]),
    stops: true,
  },
  {
    id: "resource-pack-files",
    what: "the resource pack was changed",
    break: fixture => rmSync(fixture.path("resource_packs/web_bridge/texts/en_US.lang")),
  },
  {
    id: "resource-pack-listed",
    what: "the resource pack is not on the world's list",
    break: fixture => writeFileSync(join(fixture.world, "world_resource_packs.json"), "[]"),
  },
  {
    id: "script-folder",
    what: "the settings are in a folder of the header's uuid",
    break: fixture => renameSync(fixture.path("config", MODULE), fixture.path("config", HEADER)),
    stops: true,
  },
  {
    id: "script-folder",
    what: "the folder of the settings has an upper-case name",
    break: fixture =>
      renameSync(fixture.path("config", MODULE), fixture.path("config", MODULE.toUpperCase())),
    stops: true,
  },
  {
    id: "permissions",
    what: "permissions.json is damaged",
    break: fixture => damage(script(fixture, "permissions.json")),
    stops: true,
  },
  {
    id: "permissions",
    what: "permissions.json is gone",
    break: fixture => rmSync(script(fixture, "permissions.json")),
    stops: true,
  },
  {
    id: "allowed-modules",
    what: "the network is not allowed",
    break: fixture =>
      fixture.editJson<Permissions>(script(fixture, "permissions.json"), all => ({
        ...all,
        allowed_modules: all.allowed_modules.filter(name => name !== "@minecraft/server-net"),
      })),
    stops: true,
  },
  {
    id: "allowed-uris",
    what: "another address is allowed",
    break: net("allowed_uris", ["http://127.0.0.1:1/"]),
  },
  { id: "max-body-bytes", what: "bodies may be small only", break: net("max_body_bytes", 1024) },
  {
    id: "max-concurrent-requests",
    what: "one request at a time is allowed",
    break: net("max_concurrent_requests", 1),
  },
  { id: "force-tls", what: "TLS is asked for", break: net("force_tls", true) },
  {
    id: "variables",
    what: "variables.json is damaged",
    break: fixture => damage(script(fixture, "variables.json")),
  },
  { id: "bridge-url", what: "bridge-url is missing", break: variable(() => undefined) },
  { id: "bridge-url", what: "bridge-url is no address", break: variable(() => "127.0.0.1:8081") },
  {
    id: "bridge-url",
    what: "bridge-url is that of the public listener",
    break: variable(fixture => fixture.base),
  },
  {
    id: "bridge-url",
    what: "bridge-url asks for TLS at the sidecar's own port",
    break: variable(fixture => `https://127.0.0.1:${fixture.running.bridgeAddress.port}`),
  },
  {
    id: "bridge-url",
    what: "bridge-url has a mistyped host",
    break: variable(fixture => `http://locahost.invalid:${fixture.running.bridgeAddress.port}`),
  },
  { id: "bridge-url", what: "bridge-url has another port", break: variable(() => "http://127.0.0.1:1") },
  {
    id: "secrets",
    what: "secrets.json is damaged",
    break: fixture => damage(script(fixture, "secrets.json")),
  },
  {
    id: "bridge-token",
    what: "bridge-token is missing",
    break: fixture => writeFileSync(script(fixture, "secrets.json"), '{ "other": "secret" }'),
  },
  {
    id: "bridge-token",
    what: "bridge-token is another",
    break: fixture =>
      writeFileSync(script(fixture, "secrets.json"), '{ "bridge-token": "another-token-0123456789" }'),
  },
  {
    id: "beta-apis",
    what: "the Beta APIs are off",
    break: async fixture => writeFileSync(join(fixture.world, "level.dat"), await levelDat("off")),
    stops: true,
  },
  {
    id: "level-dat",
    what: "level.dat is gone, and the copy of the game is there",
    break: fixture => renameSync(join(fixture.world, "level.dat"), join(fixture.world, "level.dat_old")),
    stops: true,
  },
  {
    id: "level-dat",
    what: "level.dat is gone, and a damaged copy is there: setup has kept one",
    break: async fixture => {
      writeFileSync(join(fixture.world, "level.dat_old"), new Uint8Array(5));
      rmSync(join(fixture.world, "level.dat"));
    },
    stops: true,
  },
  {
    id: "level-dat",
    what: "level.dat is gone, and no copy is there",
    break: fixture => {
      const back = keep(fixture.world, "level.dat");
      rmSync(fixture.path("web-bridge-setup"), { recursive: true });
      rmSync(join(fixture.world, "level.dat"));
      return back;
    },
    stops: true,
  },
  {
    id: "level-dat",
    what: "level.dat is cut short",
    break: fixture => {
      const back = keep(fixture.world, "level.dat");
      writeFileSync(join(fixture.world, "level.dat"), new Uint8Array(5));
      return back;
    },
    stops: true,
  },
];

const IN_PROPERTIES: Break[] = [
  {
    id: "content-log",
    what: "the content log does not reach the console",
    break: property("content-log-console-output-enabled", "false"),
  },
  {
    id: "allow-list",
    what: "nobody is on the allow list",
    break: fixture => writeFileSync(fixture.path("allowlist.json"), "[]"),
  },
  {
    id: "online-mode",
    what: "the allow list is on without online-mode",
    break: fixture => {
      property("allow-list", "true")(fixture);
      writeFileSync(fixture.path("allowlist.json"), '[{ "name": "Steve Alex" }]');
      property("online-mode", "false")(fixture);
    },
  },
  { id: "chat-restriction", what: "chat is disabled", break: property("chat-restriction", "Disabled") },
  { id: "script-watchdog", what: "the watchdog is off", break: property("script-watchdog-enable", "false") },
  {
    id: "script-watchdog",
    what: "the watchdog ends scripts at once",
    break: property("script-watchdog-hang-threshold", "10"),
  },
  {
    id: "ports",
    what: "the debugger has the sidecar's port",
    break: fixture => {
      property("allow-inbound-script-debugging", "true")(fixture);
      property("force-inbound-debug-port", String(fixture.running.bridgeAddress.port))(fixture);
    },
  },
];

export const BREAKS = [...ON_DISK, ...IN_PROPERTIES];
