import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { PRODUCT_VERSION } from "../shared/version.ts";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const NOT_OURS = ["data", "dist", "docs", "node_modules"];
const FOLDERS = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !entry.name.startsWith(".") && !NOT_OURS.includes(entry.name))
  .map(({ name }) => name);
const files = FOLDERS.flatMap(folder =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
    .map(name => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter(name => /\.(tsx?|mjs)$/.test(name)),
);
const MODULE = /^(?:import|export)\s[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** What a file imports: paths from the root for files of ours, names for everything else. */
function importsOf(file: string): string[] {
  return [...read(file).matchAll(MODULE)].map(([, from, bare, dynamic]) => {
    const name = from ?? bare ?? dynamic ?? "";
    return name.startsWith(".") ? posix.join(posix.dirname(file), name) : name;
  });
}

const imports = new Map(files.map(file => [file, importsOf(file)]));

/** Imports, written `file -> what`, of files that begin with `room` and that `allowed` does not let through. */
function strays(room: string, allowed: (name: string) => boolean): string[] {
  const own = files.filter(file => file.startsWith(room));
  expect(own.length).toBeGreaterThan(0);
  return own.flatMap(file =>
    (imports.get(file) ?? []).filter(name => !allowed(name)).map(name => `${file} -> ${name}`),
  );
}

const below =
  (...rooms: string[]) =>
  (name: string): boolean =>
    rooms.some(room => name.startsWith(room));

const isIn = (name: string, modules: string[]): boolean => modules.includes(name);

describe("imports", () => {
  it("of shared stay in shared", () => {
    expect(strays("shared/", below("shared/"))).toEqual([]);
  });

  it("of the client stay in the client", () => {
    expect(strays("client/", below("client/"))).toEqual([]);
  });

  it("of the console lead to the client and what draws it, and to no part of the service", () => {
    expect(strays("web/", below("web/", "client/", "preact", "uplot"))).toEqual([]);
  });

  it("of the demo's page lead to what runs in a browser, and to the messages of its server", () => {
    const messages = ["demo/panel/protocol.ts", "demo/panel/read-command.ts"];
    const parts = ["announce.tsx", "coloured.tsx", "fetch-json.ts", "hooks.ts"].map(name => `web/${name}`);
    expect(strays("demo/page/", below("demo/page/", "client/", "preact", ...messages, ...parts))).toEqual([]);
    expect(strays("demo/panel/read-command.ts", below("shared/guard.ts", ...messages))).toEqual([]);
    expect(strays("demo/panel/protocol.ts", () => false)).toEqual([]);
  });

  it("of the client and the console by the sidecar are types of answers, where answers are made", () => {
    const users = strays("sidecar/", name => !below("client/", "web/")(name)).map(line => line.split(" ")[0]);
    expect(users).not.toEqual([]);
    for (const file of users.filter(one => one !== undefined)) {
      expect(file).toMatch(/^sidecar\/(http|app|domain)\//);
      expect(read(file)).not.toMatch(/^import (?!type ).*"(\.\.\/)+(client|web)\//m);
    }
    expect(strays("sidecar/", name => !name.startsWith("web/"))).toEqual([
      "sidecar/http/routes/console.ts -> web/console-data.ts",
    ]);
  });

  it("of the domain lead to shared and the answers of the client at most", () => {
    expect(strays("sidecar/domain/", below("shared/", "sidecar/domain/", "client/"))).toEqual([]);
  });

  it("of the app know no transport, no store and no configuration", () => {
    const allowed = below(
      "shared/",
      "sidecar/domain/",
      "sidecar/app/",
      "sidecar/ports.ts",
      "client/",
      "uuid",
      "node:crypto",
    );
    expect(strays("sidecar/app/", allowed)).toEqual([]);
  });

  it("of the adapters do not lead to one another", () => {
    const ports = ["sidecar/ports.ts", "sidecar/domain/", "shared/"];
    const foreign = (name: string): boolean => !name.startsWith("sidecar/");
    for (const room of ["sidecar/bridge/", "sidecar/store/", "sidecar/process/"])
      expect(strays(room, name => foreign(name) || below(room, ...ports)(name))).toEqual([]);
  });

  it.each([
    [["express", "ws", "cors", "cookie", "prom-client"], "sidecar/http/"],
    [["libsql"], "sidecar/store/"],
    [["pino", "pino-pretty"], "sidecar/log.ts"],
    [["pidusage"], "sidecar/process/"],
    [["yaml"], "sidecar/config/"],
  ])("of %s come from %s only", (modules, place) => {
    const others = strays("sidecar/", name => !isIn(name, modules)).filter(line => !line.startsWith(place));
    expect(others).toEqual([]);
  });

  it("of node:http come from sidecar/http and its composition only", () => {
    const users = strays("sidecar/", name => name !== "node:http").map(line => line.split(" ")[0] ?? "");
    expect(users.filter(file => !file.startsWith("sidecar/http/"))).toEqual(["sidecar/sidecar.ts"]);
    expect(read("sidecar/sidecar.ts")).toContain('import type { Server } from "node:http"');
  });

  it("of the pack lead to shared, the texts and the game, never to Node or the sidecar", () => {
    expect(strays("behavior_pack/", below("behavior_pack/", "shared/", "languages/", "@minecraft/"))).toEqual(
      [],
    );
  });

  it("of the game's modules come from the adapters of the pack only", () => {
    const users = strays("behavior_pack/", name => !name.startsWith("@minecraft/"));
    const outside = users.filter(line => !line.startsWith("behavior_pack/game/"));
    expect(outside).toEqual(["behavior_pack/main.ts -> @minecraft/server"]);
    expect(read("behavior_pack/main.ts")).toContain('import type { Player } from "@minecraft/server"');
  });

  it("of the reference lead to the descriptions and to what they are configured by", () => {
    expect(
      strays("reference/", below("reference/", "sidecar/http/contracts/", "sidecar/config/", "node:")),
    ).toEqual([]);
  });

  it("of what the programs share lead to Node only", () => {
    expect(strays("cli/", below("cli/", "node:"))).toEqual([]);
  });

  it("of the formats of a server's folder lead to an editor of JSON, and to no room but errors of the system", () => {
    expect(strays("bds/", below("bds/", "cli/errno.ts", "node:", "jsonc-parser"))).toEqual([]);
  });

  it.each([
    ["setup/", ["yaml", "jsonc-parser"]],
    ["doctor/", ["behavior_pack/address.ts"]],
  ])(
    "of %s lead to what programs share, the folder's formats and the sidecar's configuration",
    (room, own) => {
      const rooms = [room, "bds/", "cli/", "shared/", "sidecar/config/", "node:"];
      expect(strays(room, below(...rooms, ...own))).toEqual([]);
    },
  );

  it("of the simulator know neither the sidecar nor the pack", () => {
    expect(strays("simulator/", name => !below("sidecar/", "behavior_pack/", "shared/")(name))).toEqual([]);
  });

  it("of the product lead to no test, bench or demo", () => {
    for (const room of ["shared/", "behavior_pack/", "cli/", "sidecar/", "client/", "web/", "simulator/"])
      expect(
        strays(room, name => !below("test/", "bench/", "demo/", "reference/", "scripts/")(name)),
      ).toEqual([]);
  });

  it("form no circle", () => {
    const done = new Set<string>();
    const circles: string[] = [];
    function visit(file: string, above: string[]): void {
      if (above.includes(file)) circles.push([...above.slice(above.indexOf(file)), file].join(" -> "));
      if (done.has(file) || above.includes(file)) return;
      for (const next of imports.get(file) ?? []) if (imports.has(next)) visit(next, [...above, file]);
      done.add(file);
    }
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("of our own files all exist", () => {
    const missing = files.flatMap(file =>
      (imports.get(file) ?? []).filter(
        name => FOLDERS.includes(name.split("/")[0] ?? "") && !existsSync(new URL(name, root)),
      ),
    );
    expect(missing).toEqual([]);
  });
});

describe("time", () => {
  it("is asked for in the clocks only", () => {
    const asking = files.filter(
      file => /^(sidecar|behavior_pack|shared)\//.test(file) && /\bDate\.now\b|\bnew Date\b/.test(read(file)),
    );
    expect(asking.sort()).toEqual(["behavior_pack/game/server.ts", "sidecar/clock.ts"]);
  });
});

describe("source files", () => {
  it("are no longer than 350 lines, and half of them under 100", () => {
    const lengths = files
      .map(file => ({ file, lines: read(file).split("\n").length - 1 }))
      .sort((a, b) => b.lines - a.lines);
    expect(lengths.filter(({ lines }) => lines > 350)).toEqual([]);
    const product = lengths.filter(({ file }) => !file.startsWith("test/"));
    expect(product[Math.floor(product.length / 2)]?.lines).toBeLessThan(100);
  });

  it("leave nothing for later and silence no checker without a reason", () => {
    const marks = new RegExp(
      ["TO" + "DO", "FIX" + "ME", "@ts-" + "ignore", "@ts-" + "nocheck", "as " + "unknown as"].join("|"),
    );
    expect(files.filter(file => marks.test(read(file)))).toEqual([]);
    const silenced = files.flatMap(file =>
      read(file)
        .split("\n")
        .filter(line => line.includes(`biome-${"ignore"} `)),
    );
    expect(silenced.filter(line => !/ignore\S* \S+: \S+/.test(line))).toEqual([]);
  });
});

describe("versions and ids", () => {
  const { version } = JSON.parse(read("package.json"));
  const numbers = version.split(".").map(Number);
  const uuids = ({ header, modules }: Manifest): string[] => [
    header.uuid,
    ...modules.map(({ uuid }) => uuid),
  ];

  interface Manifest {
    header: { uuid: string; version: number[] };
    modules: { uuid: string; version: number[] }[];
  }

  it("are one version in package.json, its lock file and shared/version.ts", () => {
    expect(PRODUCT_VERSION).toBe(version);
    expect(JSON.parse(read("package-lock.json")).version).toBe(version);
  });

  it.each(["manifest.json", "dist/behavior_pack/manifest.json"])("are the same in %s", file => {
    const manifest: Manifest = JSON.parse(read(file));
    expect(manifest.header.version).toEqual(numbers);
    for (const module of manifest.modules) expect(module.version).toEqual(numbers);
    expect(new Set(uuids(manifest)).size).toBe(2);
    expect(uuids(manifest)).toEqual(uuids(JSON.parse(read("manifest.json"))));
  });
});
