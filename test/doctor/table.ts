import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { setProperties } from "../../owner/bds/properties.ts";
import { SCRIPT_MODULES } from "../../owner/bds/script-config.ts";
import { levelDat } from "../../scripts/make-server.mjs";
import { BREAKS, MODULE, type Row } from "./breaks.ts";
import { type Fixture, LEVEL } from "./fixture.ts";
import { keep } from "./mends.ts";
import { ENCODING, NETWORK } from "./network-rows.ts";

/** What may have become of a file, and its bytes then. */
const DAMAGES: Record<string, (bytes: Uint8Array) => Uint8Array | string | "folder" | undefined> = {
  gone: () => undefined,
  "a folder": () => "folder",
  empty: () => "",
  "cut in half": bytes => bytes.subarray(0, bytes.length / 2),
  "UTF-16": bytes => Buffer.from(`\uFEFF${Buffer.from(bytes).toString()}`, "utf16le"),
  "full of zeros": bytes => new Uint8Array(bytes.length),
  "a list": () => "[]",
  "an object": () => "{}",
  null: () => "null",
  "larger than it may be": () => " ".repeat(2 * 1024 * 1024 + 1),
  "nested too deep": () => "[".repeat(101) + "]".repeat(101),
};

function damage(path: string, how: string): void {
  const after = DAMAGES[how]?.(readFileSync(path));
  rmSync(path);
  if (after === "folder") mkdirSync(path);
  else if (after !== undefined) writeFileSync(path, after, { mode: 0o600 });
}

/** The rows of a file: what has become of it, and what the doctor calls that. `back`: its owner puts it back. */
const ofFile = (
  place: string,
  says: string,
  ids: Record<string, string>,
  { back = false, stops = false } = {},
): Row[] =>
  Object.entries(ids).map(([how, id]) => ({
    id,
    stops,
    what: `${place.split("/").at(-1)} is ${how}`,
    says,
    break: fixture => {
      const path = fixture.path(place);
      const put = keep(path);
      damage(path, how);
      const putBack = (): void => {
        rmSync(path, { recursive: true, force: true });
        put();
      };
      return back ? putBack : undefined;
    },
  }));

const script = (name: string): string => `config/${MODULE}/${name}`;
const faults = (id: string, hows: string[]): Record<string, string> =>
  Object.fromEntries(hows.map(how => [how, id]));
const UNREADABLE = [
  "a folder",
  "cut in half",
  "UTF-16",
  "full of zeros",
  "larger than it may be",
  "nested too deep",
];

const FILES: Row[] = [
  ...ofFile(
    script("permissions.json"),
    "permissions.json",
    {
      ...faults("permissions", ["gone", ...UNREADABLE, "a list", "null"]),
      ...faults("allowed-modules", ["empty", "an object"]),
    },
    { stops: true },
  ),
  ...ofFile(script("variables.json"), "variables.json", {
    ...faults("variables", ["gone", ...UNREADABLE, "a list", "null"]),
    ...faults("bridge-url", ["empty", "an object"]),
  }),
  ...ofFile(script("secrets.json"), "secrets.json", {
    ...faults("secrets", ["gone", ...UNREADABLE, "a list", "null"]),
    ...faults("bridge-token", ["empty", "an object"]),
  }),
  ...ofFile(
    `worlds/${LEVEL}/world_behavior_packs.json`,
    "world_behavior_packs.json",
    {
      ...faults("pack-list", [...UNREADABLE, "an object", "null"]),
      ...faults("pack-listed", ["gone", "empty", "a list"]),
    },
    { stops: true },
  ),
  ...ofFile(
    "behavior_packs/web_bridge/manifest.json",
    "manifest.json",
    faults("pack-manifest", ["gone", ...UNREADABLE, "empty", "a list", "an object", "null"]),
    { stops: true },
  ),
  ...ofFile(
    "allowlist.json",
    "list",
    faults("allow-list", ["gone", ...UNREADABLE, "empty", "a list", "an object", "null"]),
    { back: true },
  ),
  ...ofFile(
    "server.properties",
    "server.properties",
    faults("server-folder", ["gone", "UTF-16", "full of zeros", "larger than it may be"]),
    { back: true },
  ),
];

type Json = Record<string, unknown>;
/** A key of a file of the script's settings with values that it must not have. */
const values = (name: string, id: string, key: string, ...all: unknown[]): Row[] =>
  all.map(given => ({
    id,
    what: `${key} is ${JSON.stringify(given)}`,
    says: key,
    break: fixture => fixture.editJson<Json>(fixture.path(script(name)), held => ({ ...held, [key]: given })),
  }));
const net = (id: string, key: string, ...all: unknown[]): Row[] =>
  values("permissions.json", id, key, ...all).map((row, place) => ({
    ...row,
    break: fixture =>
      fixture.editJson<Json>(fixture.path(script("permissions.json")), held => {
        const own = (held.module_permissions as Record<string, Json>)["@minecraft/server-net"];
        return { ...held, module_permissions: { "@minecraft/server-net": { ...own, [key]: all[place] } } };
      }),
  }));

const VALUES: Row[] = [
  ...SCRIPT_MODULES.flatMap(module =>
    values(
      "permissions.json",
      "allowed-modules",
      "allowed_modules",
      SCRIPT_MODULES.filter(each => each !== module),
    ).map(row => ({ ...row, what: `${module} is not allowed`, says: `lacks ${module}`, stops: true })),
  ),
  ...values("permissions.json", "permissions", "allowed_modules", "all", 1, [1], {}),
  ...values("permissions.json", "permissions", "module_permissions", [], "all", {
    "@minecraft/server-net": 1,
  }),
  ...net("allowed-uris", "allowed_uris", [], "http://127.0.0.1/", ["http://127.0.0.1/"]),
  ...net("max-body-bytes", "max_body_bytes", 0, 1000, "1048576", null),
  ...net("max-concurrent-requests", "max_concurrent_requests", 0, 2, "8"),
  ...net("force-tls", "force_tls", true),
  ...values("variables.json", "bridge-url", "bridge-url", "", " ", 8081, null, ["http://127.0.0.1"]),
  ...values("variables.json", "bridge-url", "bridge-url", "localhost:8081", "ftp://127.0.0.1", "http://"),
  ...values("variables.json", "bridge-url", "bridge-url", "http://127.0.0.1:99999", "http://127.0.0.1"),
  ...values("secrets.json", "bridge-token", "bridge-token", "", 1, null, "short", "another-token-0123456789"),
];

const PROPERTIES: Row[] = (
  [
    ["content-log", "content-log-console-output-enabled", ["", "false", "yes", undefined]],
    ["content-log", "content-log-level", ["error"]],
    ["chat-restriction", "chat-restriction", ["Dropped", "disabled"]],
    ["script-watchdog", "script-watchdog-enable", ["false", "off"]],
    ["script-watchdog", "script-watchdog-hang-threshold", ["0", "-1", "soon"]],
    ["script-watchdog", "script-watchdog-memory-limit", ["1", "much"]],
    ["server-folder", "level-name", ["../other", "a/b", ".."]],
    ["world", "level-name", ["bedrock level", "other"]],
  ] as const
).flatMap(([id, key, values]) =>
  values.map(
    (given): Row => ({
      id,
      stops: id === "world",
      what: `${key} is ${given ?? "missing"}`,
      says: key === "level-name" ? (given ?? "") : key,
      break: fixture => {
        const path = fixture.path("server.properties");
        const back = keep(path);
        fixture.edit(path, text => setProperties(text, { [key]: given }));
        return id === "server-folder" || given === "other" ? back : undefined;
      },
    }),
  ),
);

/** Lists of players with entries that the game makes nothing of. */
const LISTS: Row[] = (
  [
    ["a text", "1 of its 2", '[{"name":"Steve"},"Alex"]'],
    ["two texts", "2 of its 2", '["Steve Alex","Alex"]'],
    [
      "a mistyped key",
      "1 of its 1",
      '[{"ignoresPlayerLimit":false,"nmae":"Alex","xuid":"2535400000000000"}]',
    ],
    ["an empty name", "1 of its 2", '[{"name":""},{"name":"Steve"}]'],
    ["a name that is a number", "1 of its 2", '[{"name":7},{"name":"Steve"}]'],
    ["a list in a list", "1 of its 2", '[{"name":"Steve"},[]]'],
  ] as const
).map(([how, says, text]) => ({
  id: "allow-list",
  what: `allowlist.json has ${how} for an entry`,
  says,
  break: fixture => writeFileSync(fixture.path("allowlist.json"), text),
}));

const NO_LISTS: Row[] = (
  [
    ["a comma behind its last entry", "it is no JSON: line 1, column 19", '[{"name":"Steve"},]'],
    ["a comma behind a key", "it is no JSON", '[{"name":"Steve",}]'],
    ["names without quotes", "it is no JSON", "[Steve]"],
  ] as const
).map(([how, says, text]) => ({
  id: "allow-list",
  what: `allowlist.json has ${how}`,
  says,
  break: fixture => {
    const back = keep(fixture.path("allowlist.json"));
    writeFileSync(fixture.path("allowlist.json"), text);
    return back;
  },
}));

/** A level.dat with so many compounds in each other. */
function nested(depth: number): Uint8Array {
  const content = [...Array.from({ length: depth }, () => [10, 0, 0]).flat(), ...new Uint8Array(depth)];
  const bytes = Uint8Array.from([...new Uint8Array(8), ...content]);
  new DataView(bytes.buffer).setUint32(4, content.length, true);
  return bytes;
}

const LEVELS: Row[] = (
  [
    ["empty", "it is empty", async () => new Uint8Array()],
    ["cut short", "it is cut short", async bytes => bytes.subarray(0, 100)],
    ["one of Java Edition", "Java Edition", async bytes => gzipSync(bytes)],
    ["too long", "its header says", async bytes => Buffer.concat([bytes, Buffer.alloc(3)])],
    ["larger than it may be", "is larger than 2 MiB", async () => new Uint8Array(2 * 1024 * 1024 + 1)],
    ["nested too deep", "is nested deeper than 512", async () => nested(514)],
    ["full of zeros", "no level.dat of Bedrock", async bytes => new Uint8Array(bytes.length)],
  ] as [string, string, (bytes: Uint8Array) => Promise<Uint8Array>][]
).map(([how, says, make]) => ({
  id: "level-dat",
  what: `level.dat is ${how}`,
  says,
  break: async fixture => {
    const path = join(fixture.world, "level.dat");
    writeFileSync(join(fixture.world, "level.dat_old"), readFileSync(path));
    writeFileSync(path, await make(readFileSync(path)));
  },
}));

const NO_BETA: Row = {
  id: "beta-apis",
  what: "level.dat has no experiments",
  says: "level.dat",
  break: async fixture => writeFileSync(join(fixture.world, "level.dat"), await levelDat("none")),
};

const OTHER_LANGUAGE = /^(?!en_US)\w+\.lang$/;
const built = (pack: string): string => fileURLToPath(new URL(`../../dist/${pack}_pack`, import.meta.url));
/** Every file of both packs, gone and changed; of the languages one. */
const PACKS: Row[] = (["behavior", "resource"] as const).flatMap(kind =>
  readdirSync(built(kind), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== "manifest.json" && !OTHER_LANGUAGE.test(entry.name))
    .flatMap(({ parentPath, name }) => {
      const file = relative(built(kind), join(parentPath, name)).split("\\").join("/");
      const id = kind === "behavior" ? "pack-files" : "resource-pack-files";
      const at = (fixture: Fixture): string => fixture.path(`${kind}_packs/web_bridge`, file);
      return [
        {
          id,
          what: `${file} of the ${kind} pack is gone`,
          says: `${file} is missing`,
          break: (fixture: Fixture) => rmSync(at(fixture)),
          stops: file === "scripts/main.js",
        },
        {
          id,
          what: `${file} of the ${kind} pack is empty`,
          says: file,
          break: (fixture: Fixture) => writeFileSync(at(fixture), ""),
        },
      ];
    }),
);

export const TABLE: Row[] = [
  ...BREAKS,
  ...FILES,
  ...VALUES,
  ...PROPERTIES,
  ...LISTS,
  ...NO_LISTS,
  ...LEVELS,
  NO_BETA,
  ...PACKS,
  ...NETWORK,
  ENCODING,
];
