import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Scope } from "../../shared/public/words.ts";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import type { BanStore } from "../../sidecar/features/bans/records.ts";
import type { WebFile } from "../../sidecar/features/console/web-files.ts";
import type { FeedLog } from "../../sidecar/features/feed/feed-log.ts";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import type { Audit, AuditEntry, AuditReader } from "../../sidecar/features/moderation/audit.ts";
import type { AskGame, ProcessFigures } from "../../sidecar/kernel/bridge/ports.ts";
import { CLIENT_TIMEOUTS, type ClientTimeouts } from "../../sidecar/kernel/http/overload/server.ts";
import type { SharedState } from "../../sidecar/kernel/shared.ts";
import type { Rates } from "../../sidecar/kernel/storage/ports.ts";
import type { RecordsWithStreams } from "../../sidecar/kernel/storage/records.ts";
import { type Sidecar, startSidecar } from "../../sidecar/sidecar.ts";
import type { Stores } from "../../sidecar/stores.ts";
import { ManualClock } from "./clock.ts";
import { serves } from "./contract.ts";
import { TOKEN } from "./fake-pack.ts";
import { RecordingLog } from "./log.ts";
import { memoryParts, type OwnStore } from "./memory-store.ts";

export { TOKEN };

/** The built sidecar. */
export const PROGRAM = fileURLToPath(new URL("../../dist/sidecar/main.js", import.meta.url));
export const ADMIN_KEY = "test-admin-key-0123456789";
export const MODERATOR_KEY = "test-key-of-a-moderator-0123456789";
export const FIGURES: ProcessFigures = { memoryUsedMB: 512, memoryMaxMB: 4096, cpuUsage: 12.5 };

/** Turns of the event loop in a tick: enough for a request and its response over the loopback interface. */
const TURNS = 6;

export interface TestSidecar {
  sidecar: Sidecar;
  config: Config;
  clock: ManualClock;
  log: RecordingLog;
  /** the store of the links */
  store: OwnStore;
  /** `http://127.0.0.1:port` of the listeners */
  base: string;
  bridge: string;
  /** Resolves when everything has been done that does not wait for the clock. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

export interface Options {
  /** configuration in YAML, without ports, token and admin key */
  yaml?: string;
  env?: Record<string, string>;
  clock?: ManualClock;
  store?: OwnStore;
  /** the storage of the feed, and the feed itself */
  feed?: RecordsWithStreams;
  feedLog?: FeedLog;
  known?: KnownStore;
  bans?: BanStore;
  rates?: Rates;
  audit?: Audit;
  auditReader?: AuditReader;
  figures?: ProcessFigures;
  askGame?: AskGame;
  /** ports to listen on; 0 unless a restart has to use the same ones */
  publicPort?: number;
  bridgePort?: number;
  /** namespace of the shared state of sidecars that are started one after the other */
  prefix?: string;
  /** shared secret, if it is not the default one */
  token?: string;
  /** files of the web console; none unless a test needs them */
  webFiles?: WebFile[];
  /** time limit for sending a request, if it is not the default one */
  timeouts?: ClientTimeouts;
}

/** A key named `key of the <name>` with these scopes, for these game servers if given. */
export const keyOf = (
  name: string,
  scopes: readonly Scope[],
  servers?: string[],
  key = `key of the ${name}`,
) => ({
  ...{ name, scopes: [...scopes], sha256: sha256Of(key) },
  ...(servers && { servers }),
});

/** Environment variables with these keys. */
export const keysOf = (...keys: object[]): Record<string, string> => ({
  WEB_BRIDGE_MODULES_API_ADMIN_KEYS: JSON.stringify(keys),
});

/** Environment variables with that key, with these scopes, for these game servers if given. */
export const moderators = (
  servers?: string[],
  scopes: readonly Scope[] = ["players:kick", "chat:announce", "bans:read", "bans:write"],
): Record<string, string> => keysOf(keyOf("moderator", scopes, servers, MODERATOR_KEY));

/** The configuration of a YAML text, with free ports and an admin key. */
export function testConfig(options: Options = {}): Config {
  const { yaml = "", env = {}, publicPort = 0, bridgePort = 0 } = options;
  const read = readConfig(
    yaml,
    {
      WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
      WEB_BRIDGE_MODULES_API_PORT: `${publicPort}`,
      WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
      WEB_BRIDGE_BRIDGE_PORT: `${bridgePort}`,
      WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
      ...env,
    },
    "/nowhere",
  );
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return read.config;
}

/** Names of the other game servers. */
export const namesOf = ({ servers }: Config): string[] => servers.map(({ name }) => name);

/** The real sidecar on free loopback ports, with a clock that the test controls. */
export async function startTestSidecar(
  options: Options = {},
  clock = options.clock ?? new ManualClock(),
  log = new RecordingLog(),
  shared?: SharedState & Stores,
): Promise<TestSidecar> {
  const config = testConfig(options);
  const parts = shared ? { shared, stores: shared } : memoryParts(clock, namesOf(config), options);
  const own = { ...parts.shared, ...(options.rates && { rates: options.rates }) };
  const stores = { ...parts.stores, ...(options.feedLog && { feedLog: options.feedLog }) };
  const audited: AuditEntry[] = [];
  const sidecar = await startSidecar({
    config,
    token: options.token ?? TOKEN,
    log,
    shared: own,
    stores,
    webFiles: options.webFiles ?? [],
    audit: options.audit ?? { write: async entry => void audited.push(entry) },
    auditReader: options.auditReader ?? { newest: async limit => audited.slice(-limit).reverse() },
    timeouts: options.timeouts ?? CLIENT_TIMEOUTS,
    createProbes: (_, name) => ({
      probe: { read: async () => options.figures ?? FIGURES },
      askGame: name === undefined ? options.askGame : undefined,
    }),
  });
  const base = `http://127.0.0.1:${sidecar.publicAddress.port}`;
  const forget = serves(base, config.modules.api);
  return {
    sidecar,
    config,
    clock,
    log,
    store: {
      ...stores.links,
      ...stores.choices,
      ...stores.connection(""),
      gameServerOf: stores.connection,
      signIn: () => stores.signIn,
      bridgeId: own.bridgeId,
      close: own.close,
    },
    base,
    bridge: `http://127.0.0.1:${sidecar.bridgeAddress.port}`,
    async quiet() {
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    },
    async stop() {
      const stopped = sidecar.stop();
      // Timeouts of the stop use the clock of the test, which stands still otherwise.
      const pump = setInterval(() => clock.advance(50), 1);
      await stopped;
      clearInterval(pump);
      // Clients notice that their connections are closed.
      for (let turn = 0; turn < 3; turn++) await nextTurn();
      forget();
    },
  };
}
