import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { levelDat } from "../../../scripts/make-server.mjs";
import type { Breakage } from "./breakage.ts";
import { type Fixture, LEVEL, MODULE } from "./fixture.ts";

/** Possible damage of a file, with the resulting bytes. */
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
  "too large": () => " ".repeat(4 * 1024 * 1024 + 1),
  "nested too deep": () => "[".repeat(101) + "]".repeat(101),
};

function damage(path: string, how: string): void {
  const after = DAMAGES[how]?.(readFileSync(path));
  rmSync(path);
  if (after === "folder") mkdirSync(path);
  else if (after !== undefined) writeFileSync(path, after, { mode: 0o600 });
}

/** The rows of a file: what has become of it, and which check finds that. Setup makes it again, once it is deleted. */
const ofFile = (
  place: string,
  says: string,
  ids: Record<string, string>,
  more: Partial<Breakage> = {},
): Breakage[] =>
  Object.entries(ids).map(([how, id]) => ({
    id,
    what: `${place.split("/").at(-1)} is ${how}`,
    says,
    break: fixture => damage(fixture.path(place), how),
    first: fixture => rmSync(fixture.path(place), { recursive: true, force: true }),
    ...more,
  }));

const script = (name: string): string => `config/${MODULE}/${name}`;
const faults = (id: string, hows: string[]): Record<string, string> =>
  Object.fromEntries(hows.map(how => [how, id]));
const UNREADABLE = ["a folder", "cut in half", "UTF-16", "full of zeros", "too large", "nested too deep"];

const FILES: readonly Breakage[] = [
  ...ofFile(
    script("permissions.json"),
    "permissions.json",
    faults("permissions", ["gone", ...UNREADABLE, "a list", "null", "empty", "an object"]),
    { stops: true },
  ),
  ...ofFile(script("variables.json"), "variables.json", {
    ...faults("variables", ["gone", ...UNREADABLE, "a list", "null"]),
    ...faults("bridge-url", ["empty", "an object"]),
  }),
  ...ofFile(
    script("secrets.json"),
    "secrets.json",
    faults("bridge-token", ["gone", ...UNREADABLE, "a list", "null", "empty", "an object"]),
  ),
  ...ofFile(
    `worlds/${LEVEL}/world_behavior_packs.json`,
    "world_behavior_packs.json",
    faults("pack-listed", ["gone", "a folder", "empty", "a list"]),
    { stops: true },
  ),
  // It lists the owner's other packs too: setup cannot make it again.
  ...ofFile(
    `worlds/${LEVEL}/world_behavior_packs.json`,
    "world_behavior_packs.json",
    faults("pack-listed", [...UNREADABLE.filter(how => how !== "a folder"), "an object", "null"]),
    { stops: true, byHand: true },
  ),
  ...ofFile(
    "behavior_packs/web_bridge/manifest.json",
    "manifest.json",
    faults("pack", ["gone", ...UNREADABLE, "empty", "a list", "an object", "null"]),
    {
      stops: true,
      first: fixture => rmSync(fixture.path("behavior_packs/web_bridge"), { recursive: true, force: true }),
    },
  ),
  ...ofFile(
    "allowlist.json",
    "list",
    faults("allow-list", ["gone", ...UNREADABLE, "empty", "a list", "an object", "null"]),
    { byHand: true },
  ),
  ...ofFile(
    "server.properties",
    "server.properties",
    faults("server-folder", ["gone", "UTF-16", "full of zeros", "too large"]),
    { byHand: true },
  ),
];

const LISTS: Breakage[] = (
  [
    ["an entry that admits no player", "1 of its 1", '[{"ignoresPlayerLimit":false,"nmae":"Alex"}]'],
    ["a comma behind its last entry", "invalid JSON at line 1, column 19", '[{"name":"Steve"},]'],
  ] as const
).map(([how, says, text]) => ({
  id: "allow-list",
  what: `allowlist.json has ${how}`,
  says,
  break: fixture => writeFileSync(fixture.path("allowlist.json"), text),
  byHand: true,
}));

const LEVELS: Breakage[] = (
  [
    ["cut short", "it is truncated", bytes => bytes.subarray(0, 100)],
    ["larger than it may be", "is larger than 4 MiB", () => new Uint8Array(4 * 1024 * 1024 + 1)],
  ] as [string, string, (bytes: Uint8Array) => Uint8Array][]
).map(([how, says, make]) => ({
  id: "beta-apis",
  what: `level.dat is ${how}`,
  says,
  break: fixture => {
    const path = join(fixture.world, "level.dat");
    writeFileSync(join(fixture.world, "level.dat_old"), readFileSync(path));
    writeFileSync(path, make(readFileSync(path)));
  },
}));

const NO_BETA: Breakage = {
  id: "beta-apis",
  what: "level.dat has no experiments",
  says: "level.dat",
  break: async fixture => writeFileSync(join(fixture.world, "level.dat"), await levelDat("none")),
};

const OTHER_LANGUAGE = /^(?!en_US)\w+\.lang$/;
const built = (pack: string): string => fileURLToPath(new URL(`../../../dist/${pack}_pack`, import.meta.url));
/** Every file of both packs, gone and changed; of the languages one. */
const PACKS: Breakage[] = (["behavior", "resource"] as const).flatMap(kind =>
  readdirSync(built(kind), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== "manifest.json" && !OTHER_LANGUAGE.test(entry.name))
    .flatMap(({ parentPath, name }) => {
      const file = relative(built(kind), join(parentPath, name)).split("\\").join("/");
      const id = kind === "behavior" ? "pack" : "resource-pack";
      const at = (fixture: Fixture): string => fixture.path(`${kind}_packs/web_bridge`, file);
      return [
        {
          id,
          what: `${file} of the ${kind} pack is gone`,
          says: `${file} is missing`,
          break: (fixture: Fixture) => rmSync(at(fixture)),
          ...(file === "scripts/main.js" && { stops: true as const }),
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

export const FILE_BREAKAGES: readonly Breakage[] = [...FILES, ...LISTS, ...LEVELS, NO_BETA, ...PACKS];
