import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "@jest/globals";
import type { ProcessTable } from "../../../bds/running-servers.ts";
import { systemProcesses } from "../../../bds/system.ts";
import { freePort } from "../../../cli/free-port.ts";
import { type RealtimeDriver, runRealtime } from "../../../lab/simulator/realtime.ts";
import { createServerFolderSimulator, type ServerFolderGame } from "../../../lab/simulator/server-folder.ts";
import { makeServer } from "../../../scripts/make-server.mjs";
import { loadConfig } from "../../../sidecar/config/load.ts";
import { digestsOf } from "../../../sidecar/config/startup-settings.ts";
import { bridgeToken, serverTokens } from "../../../sidecar/config/token.ts";
import { systemClock } from "../../../sidecar/platform/clock.ts";
import { type Sidecar, startSidecar } from "../../../sidecar/sidecar.ts";
import { ask } from "../../../test/helpers/client.ts";
import { newFolder } from "../../../test/helpers/folder.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { memoryParts } from "../../../test/helpers/memory-store.ts";
import { ADMIN_KEY, FIGURES } from "../../../test/helpers/sidecar.ts";
import { systemDisk } from "../../setup/disk.ts";
import { setUp, undo } from "../../setup/setup.ts";
import { examine } from "../examine.ts";
import { type Finding, isProblem, type Problem } from "../finding.ts";
import { portOwner } from "../port-owner.ts";
import { doctorSystem } from "../system.ts";
import type { DoctorSystem } from "../target.ts";
import { readSetup } from "./command.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const LEVEL = "Bedrock level";
/** uuid of the pack's script module */
export const MODULE = "d09dd5f3-f8bd-4efc-8114-e391c22053b3";

/** A server's folder, a sidecar in this process with its files, and a game that runs in the folder. */
export class Fixture {
  readonly folder = newFolder("doctor é ");
  readonly server = join(this.folder, "my server");
  readonly world = join(this.server, "worlds", LEVEL);
  readonly config = join(this.folder, "sidecar", "config.yml");
  readonly tokenFile = join(this.folder, "sidecar", "data", "bridge-token");
  readonly log = new RecordingLog();
  /** no process of this machine is taken for the server */
  processes: ProcessTable = { ...systemProcesses, pids: () => [], locks: () => [] };
  system: DoctorSystem = {
    ...doctorSystem(ROOT),
    env: {},
    processes: this.processes,
    // The game's ports on this machine are not this test's. To look through all processes for the sidecar of this one would
    // take most of the time.
    portOwner: async (port, host, protocol) =>
      port === 19132 || port === 7551
        ? undefined
        : this.#listens(port)
          ? { pid: process.pid, program: "node" }
          : portOwner(port, host, protocol),
    fetchJoinInfo: async () => ({ value: {} }),
  };
  sidecar: Sidecar | undefined;
  game: ServerFolderGame | undefined;
  #driver: RealtimeDriver | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #kept = newFolder("doctor-kept-");
  #keptAround = this.system;

  /** Makes the folders and starts the sidecar; the server is as it was downloaded and started once. */
  async make(): Promise<void> {
    await makeServer(this.server, { levelName: LEVEL });
    // Without an xuid the list goes by names.
    writeFileSync(join(this.server, "allowlist.json"), '[{"name":"Steve Alex"}]');
    mkdirSync(join(this.folder, "sidecar"));
    // Ports that it finds free again after each restart.
    this.writeConfig(await freePort(), await freePort());
    await this.startSidecar();
  }

  get running(): Sidecar {
    if (this.sidecar === undefined) throw new Error("the sidecar does not run");
    return this.sidecar;
  }

  get base(): string {
    return `http://127.0.0.1:${this.running.publicAddress.port}`;
  }

  #listens(port: number): boolean {
    const { publicAddress, bridgeAddress } = this.sidecar ?? {};
    return port === publicAddress?.port || port === bridgeAddress?.port;
  }

  writeConfig(publicPort: number, bridgePort: number): void {
    const lines = [
      "modules:",
      "  api:",
      "    host: 127.0.0.1",
      `    port: ${publicPort}`,
      `    admin-api-key: ${ADMIN_KEY}`,
      "    metrics-refresh-interval: 200ms",
      "    link-form: buttons",
      "    whitelist-names: gamertag",
      "bridge:",
      "  host: 127.0.0.1",
      `  port: ${bridgePort}`,
      // Setup has nothing to fill in, so that the running sidecar has the settings of its file.
      'server.info.title: "A server"',
      'server.info.version: "1.26.60"',
    ];
    writeFileSync(this.config, `${lines.join("\n")}\n`);
  }

  async startSidecar(env: Record<string, string> = {}): Promise<void> {
    const loaded = loadConfig(this.config, env);
    if ("faults" in loaded) throw new Error(loaded.faults.join("\n"));
    const { config } = loaded;
    const token = bridgeToken(config, this.log);
    if ("fault" in token) throw new Error(token.fault);
    const others = serverTokens(config, token.token, this.log);
    if ("fault" in others) throw new Error(others.fault);
    const servers = config.servers.map(({ name }) => name);
    this.sidecar = await startSidecar({
      config,
      token: token.token,
      tokens: others.tokens,
      settings: key => ({ config: this.config, ...digestsOf(loaded.written, key) }),
      log: this.log,
      ...memoryParts(systemClock, servers),
      createProbes: () => ({ probe: { read: async () => FIGURES }, askGame: undefined }),
    });
  }

  async restartSidecar(): Promise<void> {
    await this.stopSidecar();
    await this.startSidecar();
  }

  async stopSidecar(): Promise<void> {
    await this.sidecar?.stop();
    this.sidecar = undefined;
  }

  /** Starts the game in the folder, in real time. */
  async startGame(): Promise<ServerFolderGame> {
    await this.stopGame();
    const game = await createServerFolderSimulator(this.server);
    this.game = game;
    this.#driver = runRealtime(game.simulator, {
      onTick: () => {
        for (const wake of this.#waiting.splice(0)) wake();
      },
    });
    return game;
  }

  async stopGame(): Promise<void> {
    await this.#driver?.stop();
    await this.game?.simulator.stop();
    this.game = undefined;
  }

  /** Waits for something that the sidecar or the game does; looks at it once a tick. */
  async until(holds: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await holds())) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }

  async ready(): Promise<boolean> {
    return (await ask(this.base, "/readyz")).status === 200;
  }

  async doctor(more: Partial<DoctorSystem> = {}): Promise<Finding[]> {
    return examine({ server: this.server, config: this.config }, { ...this.system, ...more });
  }

  async wrong(more: Partial<DoctorSystem> = {}): Promise<Problem[]> {
    return (await this.doctor(more)).filter(isProblem);
  }

  /** Ids of the problems. */
  async problems(more: Partial<DoctorSystem> = {}): Promise<string[]> {
    return (await this.wrong(more)).map(({ id }) => id);
  }

  async find(wanted: string, more: Partial<DoctorSystem> = {}): Promise<Finding | undefined> {
    return (await this.doctor(more)).find(({ id }) => id === wanted);
  }

  /** State and words of a finding. */
  async verdictOf(id: string, more: Partial<DoctorSystem> = {}): Promise<string | undefined> {
    const found = await this.find(id, more);
    return found && `${found.state}: ${found.what}`;
  }

  /** Keeps all files, and how the doctor sees the rest, for `restore`. */
  keep(): void {
    cpSync(this.folder, this.#kept, { recursive: true });
    this.#keptAround = this.system;
  }

  restore(): void {
    rmSync(this.folder, { recursive: true, force: true });
    cpSync(this.#kept, this.folder, { recursive: true });
    this.system = this.#keptAround;
  }

  /** The command that sets the server up, as it is printed. */
  command(...more: string[]): string {
    return [`npm run setup -- --server "${this.server}" --config "${this.config}"`, ...more].join(" ");
  }

  /** A system in which the server's process runs. */
  runs(pid = 1): ProcessTable {
    return {
      ...this.processes,
      pids: () => [pid],
      linkOf: (_pid, what) => (what === "exe" ? this.path("bedrock_server") : this.server),
      realPath: path => path,
    };
  }

  /** Runs set-up as a printed command says. */
  async setUp(command = this.command()): Promise<void> {
    const options = readSetup(command);
    const { packs, processes } = this.system;
    const wanted = { ...options, dryRun: false };
    const system = { disk: systemDisk, processes, env: {}, packs, isPortInUse: async () => false };
    const [yes, no] = [async () => true, async () => false];
    if (options.undo) await undo(wanted, system, yes);
    else
      await setUp(wanted, system, yes, {
        keepAchievements: async usual => usual,
        chestForm: no,
        knownPlayers: no,
        isPlayedWorld: yes,
      });
  }

  path(...parts: string[]): string {
    return join(this.server, ...parts);
  }

  /** Changes the text of a file. */
  edit(path: string, change: (text: string) => string): void {
    const before = readFileSync(path, "utf8");
    const after = change(before);
    if (after === before) throw new Error(`${path} was not changed`);
    writeFileSync(path, after);
  }

  /** Changes the JSON of a file, comments lost. */
  editJson<T>(path: string, change: (value: T) => unknown): void {
    this.edit(path, text => JSON.stringify(change(JSON.parse(text.replace(/^\s*\/\/.*$/gm, "")))));
  }

  async remove(): Promise<void> {
    await this.stopGame();
    await this.stopSidecar();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One for all tests of a file, with a server that was set up. */
export function fixtureWithSetup(...options: string[]): Fixture {
  const fixture = new Fixture();
  beforeAll(async () => {
    await fixture.make();
    await fixture.setUp(fixture.command(...options));
    if (options.length > 0) await fixture.restartSidecar();
  });
  afterAll(() => fixture.remove());
  return fixture;
}
