import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { levelDat } from "../../scripts/make-server.mjs";
import { keep } from "./mends.ts";
import { LEVEL, type Ward } from "./ward.ts";

export const HEADER = "0612fdb1-6896-42b9-b127-8e35632f6398";
export const MODULE = "d09dd5f3-f8bd-4efc-8114-e391c22053b3";

/** One thing that can be wrong on a server that was set up, what the doctor calls it, and how it comes about. */
export interface Break {
  id: string;
  what: string;
  /** what it does may answer how the owner mends it by hand, where the advice is no command */
  break: (ward: Ward) => void | (() => void) | Promise<void>;
  /** the script does not even start */
  stops?: true;
}

type Entry = { pack_id: string; version: number[] };
type Permissions = { allowed_modules: string[]; module_permissions: Record<string, Record<string, unknown>> };

const pack = (ward: Ward, name = ""): string => ward.path("behavior_packs/web_bridge", name);
const list = (ward: Ward): string => join(ward.world, "world_behavior_packs.json");
const script = (ward: Ward, name: string): string => ward.path("config", MODULE, name);
const entries = (ward: Ward, change: (ours: Entry, all: Entry[]) => Entry[]): void =>
  ward.editJson<Entry[]>(list(ward), all =>
    change(all.find(each => each.pack_id === HEADER) ?? { pack_id: "", version: [] }, all),
  );
const net = (key: string, value: unknown) => (ward: Ward) =>
  ward.editJson<Permissions>(script(ward, "permissions.json"), all => {
    const own = all.module_permissions["@minecraft/server-net"];
    return { ...all, module_permissions: { "@minecraft/server-net": { ...own, [key]: value } } };
  });
const variable = (value: (ward: Ward) => unknown) => (ward: Ward) =>
  ward.editJson<object>(script(ward, "variables.json"), all => ({ ...all, "bridge-url": value(ward) }));
const damage = (path: string): void => writeFileSync(path, '{ "a": ');
/** Gives a key of server.properties a value, whether it is there or not. */
const property = (key: string, value: string) => (ward: Ward) =>
  ward.edit(ward.path("server.properties"), text =>
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
    break: ward => {
      renameSync(ward.path("server.properties"), ward.path("held"));
      return () => renameSync(ward.path("held"), ward.path("server.properties"));
    },
  },
  {
    id: "world",
    what: "level-name names a world that is not there",
    break: ward =>
      ward.edit(ward.path("server.properties"), text => text.replace(`=${LEVEL}`, "=bedrock level")),
    stops: true,
  },
  {
    id: "pack-installed",
    what: "the pack is gone",
    break: ward => rmSync(pack(ward), { recursive: true }),
    stops: true,
  },
  {
    id: "pack-once",
    what: "the pack is there twice",
    break: ward => cpSync(pack(ward), ward.path("development_behavior_packs/copy"), { recursive: true }),
  },
  {
    id: "pack-manifest",
    what: "the manifest is damaged",
    break: ward => damage(pack(ward, "manifest.json")),
    stops: true,
  },
  {
    id: "pack-manifest",
    what: "the manifest lost its modules",
    break: ward =>
      ward.editJson<{ dependencies: object[] }>(pack(ward, "manifest.json"), all => ({
        ...all,
        dependencies: all.dependencies.slice(0, 1),
      })),
  },
  {
    id: "pack-version",
    what: "the pack has another version",
    break: ward =>
      ward.editJson<{ header: object }>(pack(ward, "manifest.json"), all => ({
        ...all,
        header: { ...all.header, version: [0, 0, 9] },
      })),
    stops: true,
  },
  {
    id: "pack-files",
    what: "main.js was changed",
    break: ward => ward.edit(pack(ward, "scripts/main.js"), text => `${text}\n// mine\n`),
  },
  {
    id: "pack-files",
    what: "main.js is gone",
    break: ward => rmSync(pack(ward, "scripts/main.js")),
    stops: true,
  },
  { id: "pack-list", what: "the world's list is damaged", break: ward => damage(list(ward)), stops: true },
  { id: "pack-listed", what: "the list names no pack", break: ward => entries(ward, () => []), stops: true },
  { id: "pack-listed", what: "the list is gone", break: ward => rmSync(list(ward)), stops: true },
  {
    id: "pack-listed-once",
    what: "the list names the pack twice",
    break: ward => entries(ward, (ours, all) => [...all, ours]),
  },
  {
    id: "pack-listed-version",
    what: "the list names another version",
    break: ward => entries(ward, ours => [{ ...ours, version: [0, 0, 9] }]),
    stops: true,
  },
  {
    id: "resource-pack-files",
    what: "the resource pack was changed",
    break: ward => rmSync(ward.path("resource_packs/web_bridge/texts/en_US.lang")),
  },
  {
    id: "resource-pack-listed",
    what: "the resource pack is not on the world's list",
    break: ward => writeFileSync(join(ward.world, "world_resource_packs.json"), "[]"),
  },
  {
    id: "script-folder",
    what: "the settings are in a folder of the header's uuid",
    break: ward => renameSync(ward.path("config", MODULE), ward.path("config", HEADER)),
    stops: true,
  },
  {
    id: "script-folder",
    what: "the folder of the settings has an upper-case name",
    break: ward => renameSync(ward.path("config", MODULE), ward.path("config", MODULE.toUpperCase())),
    stops: true,
  },
  {
    id: "permissions",
    what: "permissions.json is damaged",
    break: ward => damage(script(ward, "permissions.json")),
    stops: true,
  },
  {
    id: "permissions",
    what: "permissions.json is gone",
    break: ward => rmSync(script(ward, "permissions.json")),
    stops: true,
  },
  {
    id: "allowed-modules",
    what: "the network is not allowed",
    break: ward =>
      ward.editJson<Permissions>(script(ward, "permissions.json"), all => ({
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
    break: ward => damage(script(ward, "variables.json")),
  },
  { id: "bridge-url", what: "bridge-url is missing", break: variable(() => undefined) },
  { id: "bridge-url", what: "bridge-url is no address", break: variable(() => "127.0.0.1:8081") },
  { id: "bridge-url", what: "bridge-url is that of the public listener", break: variable(ward => ward.base) },
  { id: "bridge-url", what: "bridge-url has another port", break: variable(() => "http://127.0.0.1:1") },
  { id: "secrets", what: "secrets.json is damaged", break: ward => damage(script(ward, "secrets.json")) },
  {
    id: "bridge-token",
    what: "bridge-token is missing",
    break: ward => writeFileSync(script(ward, "secrets.json"), '{ "other": "secret" }'),
  },
  {
    id: "bridge-token",
    what: "bridge-token is another",
    break: ward =>
      writeFileSync(script(ward, "secrets.json"), '{ "bridge-token": "another-token-0123456789" }'),
  },
  {
    id: "beta-apis",
    what: "the Beta APIs are off",
    break: async ward => writeFileSync(join(ward.world, "level.dat"), await levelDat("off")),
    stops: true,
  },
  {
    id: "level-dat",
    what: "level.dat is cut short",
    break: ward => {
      const back = keep(ward.world, "level.dat");
      writeFileSync(join(ward.world, "level.dat"), new Uint8Array(5));
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
    break: ward => writeFileSync(ward.path("allowlist.json"), "[]"),
  },
  {
    id: "online-mode",
    what: "the allow list is on without online-mode",
    break: ward => {
      property("allow-list", "true")(ward);
      writeFileSync(ward.path("allowlist.json"), '[{ "name": "Steve Alex" }]');
      property("online-mode", "false")(ward);
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
    break: ward => {
      property("allow-inbound-script-debugging", "true")(ward);
      property("force-inbound-debug-port", String(ward.running.bridgeAddress.port))(ward);
    },
  },
];

export const BREAKS = [...ON_DISK, ...IN_PROPERTIES];
