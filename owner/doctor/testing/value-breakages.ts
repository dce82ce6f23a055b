import { cpSync, rmSync } from "node:fs";
import { setProperties } from "../../../bds/properties.ts";
import { SCRIPT_MODULES } from "../../../bds/script-config.ts";
import type { Breakage } from "./breakage.ts";
import { type Fixture, LEVEL, MODULE } from "./fixture.ts";

const script = (name: string): string => `config/${MODULE}/${name}`;

type Json = Record<string, unknown>;
/** A key of a file of the script's settings with values that it must not have. */
const values = (name: string, id: string, key: string, ...all: unknown[]): Breakage[] =>
  all.map(given => ({
    id,
    what: `${key} is ${JSON.stringify(given)}`,
    says: key,
    break: fixture =>
      fixture.editJson<Json>(fixture.path(script(name)), content => ({ ...content, [key]: given })),
  }));
const net = (id: string, key: string, ...all: unknown[]): Breakage[] =>
  values("permissions.json", id, key, ...all).map((row, place) => ({
    ...row,
    break: fixture =>
      fixture.editJson<Json>(fixture.path(script("permissions.json")), content => {
        const own = (content.module_permissions as Record<string, Json>)["@minecraft/server-net"];
        return { ...content, module_permissions: { "@minecraft/server-net": { ...own, [key]: all[place] } } };
      }),
  }));

const VALUES: readonly Breakage[] = [
  ...SCRIPT_MODULES.flatMap(module =>
    values(
      "permissions.json",
      "permissions",
      "allowed_modules",
      SCRIPT_MODULES.filter(each => each !== module),
    ).map(row => ({
      ...row,
      what: `${module} is not allowed`,
      says: `lacks ${module}`,
      stops: true as const,
    })),
  ),
  ...[
    ...values("permissions.json", "permissions", "allowed_modules", "all", 1, [1], {}),
    ...values("permissions.json", "permissions", "module_permissions", [], "all", {
      "@minecraft/server-net": 1,
    }),
  ].map(row => ({ ...row, first: (fixture: Fixture) => rmSync(fixture.path(script("permissions.json"))) })),
  ...net("allowed-uris", "allowed_uris", [], "http://127.0.0.1/", ["http://127.0.0.1/"]),
  ...net("permissions", "max_body_bytes", 0, 1000, "1048576", null),
  ...net("permissions", "max_concurrent_requests", 0, 2, "8"),
  ...net("allowed-uris", "force_tls", true),
  ...values("variables.json", "bridge-url", "bridge-url", "", " ", 8081, null, ["http://127.0.0.1"]),
  ...values("variables.json", "bridge-url", "bridge-url", "localhost:8081", "ftp://127.0.0.1", "http://"),
  ...values("variables.json", "bridge-url", "bridge-url", "http://127.0.0.1:99999", "http://127.0.0.1"),
  ...values("secrets.json", "bridge-token", "bridge-token", "", 1, null, "short", "another-token-0123456789"),
];

/** Keys of server.properties with values that they must not have, and the pair that the fix sets; none: setup does it. */
const PROPERTIES: readonly Breakage[] = (
  [
    ["content-log", "content-log-console-output-enabled", ["", "false", "yes", undefined], undefined],
    ["content-log", "content-log-level", ["error"], "info"],
    ["chat-restriction", "chat-restriction", ["Dropped", "disabled"], "None"],
    ["script-watchdog", "script-watchdog-enable", ["false", "off"], "true"],
    ["script-watchdog", "script-watchdog-hang-threshold", ["0", "-1", "soon"], "10000"],
    ["script-watchdog", "script-watchdog-memory-limit", ["1", "much"], "250"],
    ["world", "level-name", ["bedrock level", "Bedrock_Level", "BedrockLevel"], LEVEL],
    ["server-folder", "level-name", ["../other", "a/b", ".."], "by hand"],
  ] as const
).flatMap(([id, key, values, right]) =>
  values.map(
    (given): Breakage => ({
      id,
      what: `${key} is ${given ?? "missing"}`,
      says: key === "level-name" ? (given ?? "") : key,
      break: fixture =>
        fixture.edit(fixture.path("server.properties"), text => setProperties(text, { [key]: given })),
      ...(id === "world" && { stops: true }),
      ...(right === "by hand" ? { byHand: true } : right !== undefined && { set: `${key}=${right}` }),
    }),
  ),
);

/** A world whose name is new: the game makes it, and setup is run then. */
const NEW_WORLD: Breakage = {
  id: "world",
  what: "level-name is that of no world",
  says: `there is no world "Winter"`,
  break: fixture =>
    fixture.edit(fixture.path("server.properties"), text => setProperties(text, { "level-name": "Winter" })),
  first: fixture => cpSync(fixture.world, fixture.path("worlds/Winter"), { recursive: true }),
  stops: true,
};

export const VALUE_BREAKAGES: readonly Breakage[] = [...VALUES, ...PROPERTIES, NEW_WORLD];
