/**
 * Folders of the source, each with what its files may import besides each other: folders, files, `npm:` packages and
 * `node:` for modules of Node. A file belongs to the folder with the longest matching path. Types count like other
 * imports, unless they are listed under `types`. `npm run check` enforces this.
 * @type {Record<string, { may: string[], types?: string[] }>}
 */
const FOLDERS = {
  // The protocol and the schemas of the public API, which websites load: they import nothing else.
  shared: { may: [] },
  // Only types and lists of words: guards would be in the bundle of every website.
  client: { may: ["shared/public/words.ts"], types: ["shared/public"] },
  languages: { may: [] },

  // In the game.
  behavior_pack: { may: ["shared", "languages"] },
  "behavior_pack/game": { may: ["behavior_pack", "shared", "languages"], types: ["npm:@minecraft/*"] },
  "behavior_pack/game/modules.ts": { may: ["npm:@minecraft/*"] },
  "behavior_pack/game/beta-modules.ts": { may: ["npm:@minecraft/*"] },
  "behavior_pack/types": { may: [], types: ["npm:@minecraft/server"] },
  "behavior_pack/run-pack.ts": { may: ["behavior_pack"], types: ["npm:@minecraft/server"] },
  "behavior_pack/main.ts": { may: ["behavior_pack"] },
  "behavior_pack/main-stable.ts": { may: ["behavior_pack"], types: ["npm:@minecraft/server"] },

  // Beside the game. Rules are functions of values: see `PURE`.
  "sidecar/platform": {
    may: ["shared", "cli/errno.ts", "npm:pino", "npm:pino-pretty", "npm:@prometheus-io/client", "node:"],
    types: ["sidecar/config"],
  },
  // It gets collections and streams as arguments, and imports neither features nor the bridge.
  "sidecar/kernel/storage": {
    may: ["shared", "sidecar/platform", "cli/errno.ts", "cli/folders.ts", "cli/sqlite.ts", "node:"],
    types: ["sidecar/config"],
  },
  "sidecar/kernel/storage/redis": {
    may: [
      ...["shared", "sidecar/platform", "sidecar/kernel/storage", "sidecar/kernel/bridge", "cli/errno.ts"],
      ...["npm:@redis/client", "node:"],
    ],
    types: ["sidecar/config", "sidecar/kernel/shared.ts"],
  },
  // It gets the features as arguments, and imports none.
  "sidecar/kernel": {
    may: [...["shared", "sidecar/platform", "cli/errno.ts", "node:"], "npm:express"],
    types: ["sidecar/config"],
  },
  "sidecar/kernel/http": {
    may: [
      ...["shared", "sidecar/platform", "sidecar/kernel/storage", "cli/errno.ts", "node:"],
      ...["npm:express", "npm:cors", "npm:cookie", "npm:proxy-addr"],
    ],
    types: ["sidecar/config"],
  },
  "sidecar/features": {
    may: [
      ...["shared", "sidecar/platform", "sidecar/kernel", "cli/errno.ts", "cli/folders.ts"],
      ...["npm:uuid", "npm:ws", "node:"],
    ],
    types: ["sidecar/config", "npm:express"],
  },
  "sidecar/features/docs": {
    may: ["shared", "sidecar/kernel", "sidecar/features", "sidecar/config/admin-keys.ts", "node:"],
    types: ["sidecar/config", "npm:express"],
  },
  // The game server's process on this machine.
  "sidecar/features/status/process": {
    may: ["bds", "shared", "sidecar/platform", "cli/errno.ts", "npm:pidusage", "node:"],
    types: ["sidecar/kernel/bridge/ports.ts"],
  },
  // The sign-in provider, which is loaded only if sign-in is on.
  "sidecar/features/sign-in": {
    may: [
      ...["shared", "sidecar/platform", "sidecar/kernel", "sidecar/features", "npm:oidc-provider", "node:"],
      ...["cli/errno.ts", "cli/folders.ts", "cli/secret-file.ts"],
    ],
    types: ["sidecar/config", "npm:express"],
  },
  "sidecar/config": {
    may: [
      "shared",
      "languages",
      "cli/errno.ts",
      "cli/folders.ts",
      "cli/secret-file.ts",
      "cli/variables.ts",
      "npm:yaml",
      "npm:proxy-addr",
      "node:",
    ],
    types: ["sidecar/platform"],
  },
  sidecar: {
    may: [
      ...["shared", "cli/errno.ts", "cli/commands.ts", "cli/launch-channel.ts", "cli/variables.ts"],
      "node:",
    ],
  },

  // In the browser.
  web: { may: ["client", "shared/names.ts", "npm:preact", "npm:uplot"] },

  // Commands of server owners.
  cli: { may: ["node:"] },
  bds: { may: ["shared", "cli/errno.ts", "cli/within.ts", "npm:jsonc-parser", "node:"] },
  "owner/setup": {
    may: [...["bds", "cli", "shared", "sidecar/config"], ...["npm:jsonc-parser", "npm:yaml", "node:"]],
  },
  "owner/doctor": {
    may: [
      ...["bds", "cli", "shared", "sidecar/config", "sidecar/kernel/storage/redis"],
      ...["node:", "sidecar/features/sign-in/rules/secrets.ts", "sidecar/features/sign-in/secrets-file.ts"],
    ],
  },
  // What needs `sidecar/config` is loaded only when a pack asks for the link.
  "owner/launch/console-link": {
    may: [
      "bds",
      "cli",
      "shared",
      "sidecar/config",
      "sidecar/platform/clock.ts",
      "owner/launch/find-game.ts",
      "node:",
    ],
  },
  "owner/launch": { may: ["bds", "cli", "shared", "sidecar/platform/clock.ts", "node:"] },
  "owner/admin": {
    may: [
      ...[
        "cli",
        "bds",
        "owner/setup/config-file.ts",
        "owner/setup/yaml-edit.ts",
        "sidecar/config",
        "sidecar/features",
        "sidecar/kernel/storage/redis",
        "sidecar/files.ts",
      ],
      ...[
        "sidecar/kernel/storage/stream-ids.ts",
        "sidecar/platform/clock.ts",
        "shared/guard.ts",
        "shared/public/known-players.ts",
        "shared/public/words.ts",
        "npm:yaml",
        "node:",
      ],
    ],
    types: ["sidecar/kernel/storage", "sidecar/platform", "shared/public"],
  },
  // Parts of one game server: in the game, and beside it.
  "prove/script": { may: ["behavior_pack"], types: ["npm:@minecraft/*"] },
  "prove/script/main.ts": { may: ["prove/script", "npm:@minecraft/*"] },
  prove: {
    may: [
      ...["bds", "cli", "shared", "sidecar/config/settings.ts", "npm:yaml", "npm:ws", "node:"],
      // It carries the console link as `launch` does.
      ...["owner/launch/console-link", "sidecar/platform/clock.ts"],
    ],
  },

  // Around it.
  "lab/reference": {
    may: [
      ...[
        "sidecar/features/docs",
        "sidecar/routes.ts",
        "sidecar/config",
        "npm:ajv",
        "npm:ajv-formats",
        "node:",
      ],
    ],
    types: ["shared/public", "sidecar/kernel/http/description.ts"],
  },
  "lab/chaos": {
    may: [
      ...["cli", "client", "lab/simulator", "lab/scale", "lab/console-link", "sidecar/platform/clock.ts"],
      ...["npm:ws", "node:"],
    ],
  },
  "lab/console-link": {
    may: ["lab/simulator", "owner/launch/console-link", "shared/console-link", "node:"],
    types: ["sidecar/platform/clock.ts"],
  },
  "lab/scale": { may: ["cli/free-port.ts", "npm:@redis/client", "node:"] },
  "lab/simulator": { may: ["bds", "npm:quickjs-emscripten", "node:"] },
  "lab/simulator/guest": { may: ["lab/simulator"] },
  "lab/demo/panel/protocol.ts": { may: [] },
  "lab/demo/panel/read-command.ts": { may: ["lab/demo/panel/protocol.ts", "shared"] },
  "lab/demo/page": {
    may: [
      ...["client", "lab/demo/panel/protocol.ts", "lab/demo/panel/read-command.ts", "npm:preact"],
      ...[
        "web/ui/announce.tsx",
        "web/ui/coloured-text.tsx",
        "web/ui/contrast.ts",
        "web/service/fetch-json.ts",
      ],
      ...["web/players/player-head.tsx", "web/platform/hooks.ts"],
    ],
  },
};

/** @param {string} text */
const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * A pattern for the files of a folder, or for one file.
 * @param {string} name
 */
const place = name => (/\.\w+$/.test(name) ? `^${escaped(name)}$` : `^${escaped(name)}/`);

/**
 * A pattern for imported modules.
 * @param {string} name
 */
function target(name) {
  const [, kind, rest = ""] = /^(npm|node):(.*)$/.exec(name) ?? [];
  if (kind === "npm") return `^node_modules/(@types/)?${escaped(rest.replace(/\/\*$/, ""))}/`;
  // Paths have a dot before their ending, and modules of Node have none.
  if (kind === "node") return rest === "" ? "^[^.]+$" : `^${rest}$`;
  return place(name);
}

/** Files of the sidecar with pure functions: without waiting, clocks or I/O. */
const PURE = [
  "^sidecar/features/[^/]+/rules(/|\\.ts$)",
  "^sidecar/kernel/http/overload/rules\\.ts$",
  "^sidecar/kernel/bridge/(snapshot|outbox)\\.ts$",
  "^sidecar/kernel/storage/stream-ids\\.ts$",
  "^sidecar/platform/(rate|web-text)\\.ts$",
];

/** Tests and their helpers: they may import everything, and only tests import them. */
const TESTS = "\\.(test|contract)\\.ts$|/testing/";

/** @param {[string, { may: string[], types?: string[] }]} entry */
function rulesOf([folder, { may, types = [] }]) {
  const inner = Object.keys(FOLDERS).filter(other => other.startsWith(`${folder}/`));
  const from = { path: place(folder), pathNot: [...inner.map(place), TESTS] };
  const allowed = [folder, ...may].map(target);
  const typed = types.map(target);
  return [
    {
      name: folder,
      comment: `may import ${[...may, ...types.map(name => `types of ${name}`)].join(", ") || "nothing"}`,
      severity: "error",
      from,
      to: { pathNot: [...allowed, ...typed] },
    },
    ...typed.map(path => ({
      name: `${folder}-types`,
      comment: `may import nothing but types of ${types.join(", ")}`,
      severity: "error",
      from,
      to: { path, pathNot: allowed, dependencyTypesNot: ["type-only"] },
    })),
  ];
}

/** Programs of server owners, without code that is bundled for browsers and the game. */
const RUN_BY_NODE = [
  "sidecar",
  "cli",
  "bds",
  "owner/setup",
  "owner/doctor",
  "owner/launch",
  "owner/admin",
  "prove",
].map(place);

export default {
  forbidden: [
    ...Object.entries(FOLDERS).flatMap(rulesOf),
    {
      name: "pure-rules",
      comment: "rules are functions of values: they import shared and other rules alone",
      severity: "error",
      from: { path: PURE, pathNot: TESTS },
      to: { pathNot: ["^shared/", ...PURE], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-test-in-the-product",
      severity: "error",
      from: { pathNot: ["^(test|lab)/", TESTS] },
      to: { path: ["^test/", TESTS] },
    },
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "nothing-missing",
      severity: "error",
      // What the cookbook shows is copied next to the client.
      from: { pathNot: "^docs/cookbook/" },
      to: { couldNotResolve: true },
    },
    {
      name: "no-file-that-nobody-imports",
      severity: "error",
      from: { orphan: true, pathNot: ["\\.d\\.ts$", "^\\.dependency-cruiser\\.mjs$"] },
      to: {},
    },
    {
      name: "no-tool-of-developers",
      comment: "what owners run needs no development dependency",
      severity: "error",
      from: { path: RUN_BY_NODE, pathNot: [place("prove/script"), TESTS] },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["type-only"],
        pathNot: "^node_modules/@types/",
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|test-artefacts)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
