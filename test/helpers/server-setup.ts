import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { beforeEach } from "@jest/globals";
import type { ProcessTable } from "../../bds/running-servers.ts";
import { systemProcesses } from "../../bds/system.ts";
import type { Plan } from "../../owner/setup/change.ts";
import { type Disk, systemDisk } from "../../owner/setup/disk.ts";
import type { Options, Outcome, SetupSystem } from "../../owner/setup/options.ts";
import { planLines } from "../../owner/setup/output.ts";
import { setUp, undo } from "../../owner/setup/setup.ts";
import { makeServer, type ServerOptions } from "../../scripts/make-server.mjs";
import { newFolder } from "./folder.ts";

/** The folder of the script's settings, in that of the server. */
export const SCRIPT = "config/d09dd5f3-f8bd-4efc-8114-e391c22053b3";

/** Name, type, mode and hash of everything below a folder. */
export type Tree = Record<string, string>;

export function treeOf(folder: string): Tree {
  const tree: Tree = { ".": `folder ${(statSync(folder).mode & 0o7777).toString(8)}` };
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join("/");
    const mode = (statSync(path).mode & 0o7777).toString(8);
    if (entry.isDirectory()) tree[name] = `folder ${mode}`;
    else tree[name] = `file ${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
  }
  return tree;
}

/** Such a tree without setup's own files. */
export const serversOwn = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => !name.startsWith("web-bridge-setup")));

/** Files of the first tree that are neither as in the second nor as in the third. Temporary files are ignored. */
export function tornFiles(now: Tree, ...whole: Tree[]): string[] {
  const names = new Set([now, ...whole].flatMap(tree => Object.keys(serversOwn(tree))));
  return [...names].filter(
    name => !name.endsWith(".web-bridge-tmp") && !whole.some(tree => tree[name] === now[name]),
  );
}

/** Modification time of each file and folder. */
export const timesOf = (folder: string): Record<string, number> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .concat(".")
      .map(name => [name, statSync(join(folder, name)).mtimeMs]),
  );

function writePack(folder: string, manifest: object, files: Record<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "scripts"), { recursive: true });
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** A server, packs to install, and a sidecar's configuration, in their own folder. */
export class Bench {
  readonly folder = newFolder("setup ü ");
  readonly server = join(this.folder, "my server");
  readonly config = join(this.folder, "sidecar", "config.yml");
  packs = {
    behavior: join(this.folder, "built", "bp"),
    stable: join(this.folder, "built", "stable"),
    resource: join(this.folder, "built", "rp"),
  };
  /** the last printed plan */
  plan: Plan = { changes: [], items: [] };
  /** no running process is taken for the server */
  processes: ProcessTable = { ...systemProcesses, pids: () => [], locks: () => [] };
  disk: Disk = systemDisk;
  answer = true;
  /** the answer to the question about achievements, undefined: Enter; and what is said each time it is asked */
  keepAchievements: boolean | undefined;
  achievementsQuestions: { usual: boolean; hasUsedExperiments: boolean }[] = [];
  /** the answer to the question about link requests, and the number of times it was asked */
  chest = false;
  formQuestions = 0;
  /** the answer to the question about the list of past players, and the number of times it was asked */
  everybody = false;
  knownPlayersQuestions = 0;
  /** what is said when setup asks whether the world is the one that is played, and the other worlds that it has named */
  isPlayed = true;
  otherWorlds: readonly string[] = [];
  isAlive: (pid: number) => boolean = () => false;
  env: Record<string, string> = {};
  /** local ports that other programs use */
  taken: number[] = [];
  levelName = "Ülis schöne Welt 世界";

  async make(options: ServerOptions = {}): Promise<this> {
    this.buildPack([0, 1, 0]);
    await makeServer(this.server, { ...options, levelName: this.levelName });
    return this;
  }

  /** Makes a copy of the server to restore later. */
  save(): () => void {
    const copy = join(mkdtempSync(join(this.folder, "copy ")), "server");
    cpSync(this.server, copy, { recursive: true, preserveTimestamps: true });
    return () => {
      rmSync(this.server, { recursive: true, force: true });
      cpSync(copy, this.server, { recursive: true, preserveTimestamps: true });
    };
  }

  buildPack(version: number[], more: Record<string, string> = {}): void {
    const own: { header: object; modules: object[]; dependencies: object[] } = JSON.parse(
      readFileSync(new URL("../../manifest.json", import.meta.url), "utf8"),
    );
    const manifest = { ...own, header: { ...own.header, version } };
    const files = { "scripts/main.js": `// version ${version.join(".")}\n`, ...more };
    const stable = { ...manifest, dependencies: [{ module_name: "@minecraft/server", version: "2.9.0" }] };
    writePack(this.packs.behavior, manifest, files);
    writePack(this.packs.stable, stable, { "scripts/main.js": `// stable ${version.join(".")}\n` });
  }

  buildResourcePack(version = [0, 1, 0], folder = this.packs.resource): void {
    mkdirSync(folder, { recursive: true });
    const header = { name: "Web Bridge", uuid: "11111111-2222-4333-8444-555555555555", version };
    writeFileSync(join(folder, "manifest.json"), JSON.stringify({ format_version: 2, header }));
  }

  /** The lines of the last printed plan. */
  get lines(): string {
    return planLines(this.plan).join("\n");
  }

  path(name: string): string {
    return join(this.server, name);
  }

  /** A file of the script's settings. */
  script(name: string): string {
    return this.path(`${SCRIPT}/${name}`);
  }

  world(name: string): string {
    return join(this.server, "worlds", this.levelName, name);
  }

  read(path: string): string {
    return readFileSync(path, "utf8");
  }

  setUp(options: Partial<Options> = {}): Promise<Outcome> {
    return setUp(this.#options(options), this.#system(), this.#confirm, {
      keepAchievements: async (usual, hasUsedExperiments) => {
        this.achievementsQuestions.push({ usual, hasUsedExperiments });
        return this.keepAchievements ?? usual;
      },
      chestForm: async () => {
        this.formQuestions++;
        return this.chest;
      },
      knownPlayers: async () => {
        this.knownPlayersQuestions++;
        return this.everybody;
      },
      isPlayedWorld: async (_levelName, others) => {
        this.otherWorlds = others;
        return this.isPlayed;
      },
    });
  }

  undo(options: Partial<Options> = {}): Promise<Outcome> {
    return undo(this.#options(options), this.#system(), this.#confirm);
  }

  readonly #confirm = async (plan: Plan): Promise<boolean> => {
    this.plan = plan;
    return this.answer;
  };

  #options(options: Partial<Options>): Options {
    const { server, config } = this;
    return { server, config, bridgeUrl: undefined, chestForm: undefined, dryRun: false, ...options };
  }

  #system(): SetupSystem {
    const { disk, processes, packs, env, isAlive, taken } = this;
    return { disk, processes, packs, env, isAlive, isPortInUse: async ({ port }) => taken.includes(port) };
  }
}

/** A new one for each test of a file that asked for it. It is removed with the file's temporary folder. */
export let bench: Bench;

export const freshBench = (how: "made" | "not made" = "made"): void =>
  beforeEach(async () => {
    bench = new Bench();
    if (how === "made") await bench.make();
  });
