import { once } from "node:events";
import { createServer } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createServerCommands } from "../../lab/simulator/server-commands.ts";
import { createServerConsole } from "../../lab/simulator/server-console.ts";
import type { AllowListEntry, SimulatorOptions } from "../../lab/simulator/types.ts";
import type { ServerFolder } from "../../owner/bds/folder.ts";
import type { GameConsole, Probe, Seen, Trial } from "../../owner/prove/probe.ts";
import {
  openProbeHost,
  PROBE_BODY_BYTES,
  PROBE_REQUESTS,
  probeAddresses,
} from "../../owner/prove/probe-host.ts";
import { PACK, TestBridge } from "../helpers/bridge.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";

// Own connections: the port of a made-up game, which is no service of ours.

const PROVE_PACK = fileURLToPath(new URL("../../dist/prove_pack/scripts/main.js", import.meta.url));
export const ALONE_PACK = fileURLToPath(new URL("../../dist/prove_pack/scripts/alone.js", import.meta.url));
const VERSION = [1, 26, 60, 6];
const MOST_TURNS = 200;

/** How the made-up game differs from the one that is assumed. */
export interface Bend {
  game?: Partial<SimulatorOptions>;
  /** changes a line of the console, or leaves it out */
  line?: (line: string) => string | undefined;
  /** changes what the script answers to a question */
  answer?: (name: string, value: unknown, input: unknown) => unknown;
  /** changes a file */
  read?: (path: string, text: string | undefined) => string | undefined;
  properties?: Record<string, string>;
  /** changes what the game tells of itself */
  join?: (told: Record<string, unknown>) => unknown;
}

/** A trial of a made-up game on a time of its own, with the sidecar beside it. */
export class MemoryTrial implements Trial {
  platform: Trial["platform"] = "linux";
  readonly bridge: TestBridge;
  readonly host: Awaited<ReturnType<typeof openProbeHost>>;
  readonly lines: string[] = [];
  readonly #bend: Bend;
  readonly #isPlain: boolean;
  #list: readonly AllowListEntry[] = [];
  #type: (line: string) => Promise<void> = async () => undefined;
  #asked = 0;
  #going = true;
  #ticking: Promise<void> = Promise.resolve();
  /** what the game tells of itself at its port */
  readonly #join = createServer((_, response) => {
    const players = this.bridge.game?.world.players.length ?? 0;
    const told = {
      name: "trial",
      version: "1.26.60",
      level: "trial",
      protocol: 2225,
      players,
      maxPlayers: 10,
      gameType: 0,
    };
    response.end(JSON.stringify(this.#bend.join ? this.#bend.join(told) : told));
  });
  #undo: (() => Promise<void> | void)[] = [];

  private constructor(bridge: TestBridge, host: MemoryTrial["host"], run: Probe["run"], bend: Bend) {
    this.bridge = bridge;
    this.host = host;
    this.#isPlain = run === "plain" || run === "online";
    this.#bend = bend;
  }

  static async start(run: Probe["run"], bend: Bend = {}): Promise<MemoryTrial> {
    const bridge = new TestBridge({ askGame: async () => ({ version: "1.26.60", maxPlayers: 10 }) });
    const host = await openProbeHost(bridge.clock.monotonic, bridge.clock);
    const trial = new MemoryTrial(bridge, host, run, bend);
    trial.#join.listen(0, "127.0.0.1");
    await once(trial.#join, "listening");
    await bridge.startSidecar();
    await trial.#start();
    trial.#ticking = trial.#go();
    return trial;
  }

  get console(): GameConsole {
    const { lines } = this;
    return {
      lines,
      type: command => void this.#type(command),
      line: async (pattern, ms, since = lines.length) => {
        const end = this.now() + ms;
        for (let place = since; ; ) {
          for (; place < lines.length; place++) if (pattern.test(lines[place] ?? "")) return lines[place];
          if (this.now() >= end) return undefined;
          await nextTurn();
        }
      },
    };
  }

  get script(): Trial["script"] {
    if (this.#isPlain) return undefined;
    return {
      ask: async (name, input, ms = 30_000) => {
        const id = ++this.#asked;
        const since = this.lines.length;
        await this.#type(`scriptevent prove:ask ${JSON.stringify({ id, name, input })}`);
        const parts: string[] = [];
        const mark = `[Scripting] [prove] {"id":${id},`;
        for (let place = since; ; place++) {
          const line = await this.console.line(/\[prove\] \{/, ms, place);
          if (line === undefined) throw new Error(`the script did not answer ${name}`);
          place = this.lines.indexOf(line, place);
          if (!line.startsWith(mark)) continue;
          const { part, of, text } = JSON.parse(line.slice(mark.indexOf("{")));
          parts[part] = text;
          if (parts.filter(each => each !== undefined).length === of) break;
        }
        const answer = JSON.parse(parts.join(""));
        if (answer.error !== undefined) throw new Error(answer.error);
        return this.#bend.answer ? this.#bend.answer(name, answer.value, input) : answer.value;
      },
    };
  }

  get web(): Trial["web"] {
    return { url: this.bridge.base, key: ADMIN_KEY };
  }

  now(): number {
    return this.bridge.clock.monotonic();
  }

  read(path: string): string | undefined {
    const address = this.#join.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const files: Record<string, string> = {
      "allowlist.json": JSON.stringify(this.#list),
      "server.properties": `server-port=${port}\nmax-players=10\n`,
    };
    const text = files[path];
    return this.#bend.read ? this.#bend.read(path, text) : text;
  }

  async restart(by: "stop" | "kill"): Promise<void> {
    // Between its end and its being gone no tick may come.
    this.bridge.frozen = true;
    if (by === "stop") {
      this.#say("Server stop requested.", "Stopping server...");
      await this.bridge.stopGame("stop");
      this.#say("Quit correctly");
    } else await this.bridge.stopGame("kill");
    this.bridge.frozen = false;
    await this.#start();
    // The probes wait for the script as the runner does.
    if (!this.#isPlain) await this.console.line(/\[prove\] \{"ready":1\}/, 30_000, 0);
  }

  atEnd(undo: () => Promise<void> | void): void {
    this.#undo.push(undo);
  }

  async stop(): Promise<void> {
    for (const undo of this.#undo.reverse()) await undo();
    this.#going = false;
    await this.#ticking;
    await this.bridge.stop();
    await this.host.close();
    this.#join.close();
  }

  /** Asks a probe. What it throws is broken, as the runner has it. */
  async ask(probe: Probe): Promise<Seen> {
    try {
      return await probe.ask(this);
    } catch (error) {
      return { state: "broken", seen: error instanceof Error ? error.message : String(error) };
    }
  }

  #say(...lines: string[]): void {
    for (const line of lines) {
      const bent = this.#bend.line ? this.#bend.line(line) : line;
      if (bent !== undefined) this.lines.push(bent);
    }
  }

  async #start(): Promise<void> {
    const properties = new Map(
      Object.entries({
        "level-name": "trial",
        "server-port": "19132",
        "allow-list": "false",
        "online-mode": "false",
        "content-log-console-output-enabled": "true",
        ...this.#bend.properties,
      }),
    );
    const server = { levelName: "trial", properties } as ServerFolder;
    const console = createServerConsole(server, VERSION, (_, line) => this.#say(line));
    console.header();
    this.#say(
      "Experiment(s) active: gtst",
      "Opening level 'worlds/trial/db'",
      "[Packs] [SERVER] Pack Stack -",
    );
    const uuid = "d09dd5f3-f8bd-4efc-8114-e391c22053b3";
    this.#say(`[Scripting] Plugin Discovered [Web Bridge v0.1.0] PackId [${uuid}_0.1.0] ModuleId [${uuid}]`);
    const game = await this.bridge.startGame({
      pack: this.#isPlain ? PACK : PROVE_PACK,
      net: {
        allowedUris: [`${this.bridge.bridgeUrl}/`, ...probeAddresses(this.host.url)],
        maxBodyBytes: PROBE_BODY_BYTES,
        maxConcurrentRequests: PROBE_REQUESTS,
        forceTls: false,
      },
      allowListFile: {
        read: () => this.#list,
        write: entries => {
          this.#list = entries;
        },
      },
      log: console.content,
      happened: console.happened,
      ...this.#bend.game,
    });
    console.listening(this.#list.length === 0, true);
    console.started();
    this.#type = createServerCommands(server, game, (_, line) => this.#say(line));
  }

  /** Ticks as fast as everybody has had their turn. */
  async #go(): Promise<void> {
    while (this.#going) {
      await this.bridge.tick();
      for (let turn = 0; turn < MOST_TURNS && this.#isBusy(); turn++) await nextTurn();
    }
  }

  /** Whether a request of the script is on its way, that nobody holds. */
  #isBusy(): boolean {
    const held = this.host.held + 1;
    return (this.bridge.game?.http.unanswered ?? 0) > held;
  }
}
