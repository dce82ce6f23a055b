import { quoted } from "../../cli/commands.ts";
import { messageOf } from "../../cli/errno.ts";
import { within } from "../../cli/within.ts";
import { checkJson } from "../../shared/guard.ts";
import { commonDigest } from "../../sidecar/config/startup-settings.ts";
import {
  addressesOf,
  close,
  findServer,
  formatAddress,
  type RedisClient,
  wrongProtocol,
} from "../../sidecar/kernel/storage/redis/client.ts";
import { describeFault, isReplicaError, refusalOf } from "../../sidecar/kernel/storage/redis/faults.ts";
import {
  EARLIER_FORMATS,
  FORMAT,
  otherSidecar,
  PROBE,
  THERE_MS,
  tokenDigest,
} from "../../sidecar/kernel/storage/redis/registry.ts";
import { pairsOf, textsOf } from "../../sidecar/kernel/storage/redis/script.ts";
import { type Fix, note, ok, problem, type Verdict } from "./finding.ts";
import { bySetting, commandsOf } from "./fixes.ts";
import { checkClock } from "./http-request.ts";
import { checkKeys } from "./sign-in.ts";
import type { CheckedSidecar } from "./target.ts";

/** How long finding Redis may take, and then its checks, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Share of `maxmemory` from which on a warning is given. */
const NEARLY_FULL = 0.9;

const TIMERS = {
  every(ms: number, callback: () => void): () => void {
    const timer = setInterval(callback, ms);
    return () => clearInterval(timer);
  },
};

/** Whether Redis works, keeps its data, and belongs to this bridge. */
export async function checkRedis(sidecar: CheckedSidecar): Promise<Verdict[]> {
  let client: RedisClient | undefined;
  try {
    const server = await inTime(findServer(sidecar.config.storage, TIMERS));
    client = server.client;
    return [ok(`Redis answers at ${formatAddress(server.place)}`), ...(await inTime(look(client, sidecar)))];
  } catch (error) {
    return [await unreachable(error, sidecar)];
  } finally {
    if (client) close(client);
  }
}

async function inTime<T>(call: Promise<T>): Promise<T> {
  const result = await within(call, TIMEOUT_MS);
  if (result === undefined) throw new Error(`no answer within ${TIMEOUT_MS / 1000} s`);
  return result;
}

const RIGHTS: Fix = {
  text: "give its user the rights in deploy/redis/users.acl, with your storage.prefix; then restart Redis",
  command: "sudo systemctl restart redis-server",
};

/** Why Redis cannot be used, in the words of a sidecar that fails to start, with the setting. */
async function unreachable(error: unknown, sidecar: CheckedSidecar): Promise<Verdict> {
  const { storage } = sidecar.config;
  const refusal = refusalOf(error) ?? (await wrongProtocol(storage));
  const why = refusal?.message ?? describeFault(error);
  const hosts = addressesOf(storage.url).map(({ host }) => host);
  const what = `Redis (${hosts.join(", ")}) cannot be used: ${why}`;
  if (refusal?.about === "rights") return problem(what, RIGHTS);
  if (refusal?.about === "version") return problem(what, "update Redis, or install Valkey");
  const key = /^(storage\.[\w-]+): /.exec(why)?.[1] ?? "storage.url";
  const form = "redis://user:password@host:6379, or rediss:// where Redis speaks TLS";
  const url = isReplicaError(error)
    ? "write the address of its master"
    : `start Redis there, or write ${form}`;
  return problem(what, bySetting(sidecar, key, "-", key === "storage.url" ? url : undefined));
}

async function look(client: RedisClient, sidecar: CheckedSidecar): Promise<Verdict[]> {
  const { storage, signIn } = sidecar.config;
  /** The reply to a command; undefined: the user has no right to use it. */
  const sendRequest = async (...command: string[]): Promise<unknown> => {
    try {
      return await client.sendCommand(command);
    } catch (error) {
      if (/^NOPERM\b/.test(messageOf(error))) return undefined;
      throw error;
    }
  };
  const info = String((await sendRequest("INFO")) ?? "");
  const sync = await sendRequest("CONFIG", "GET", "appendfsync");
  const time = await client.sendCommand(["TIME"]);
  const now = (Array.isArray(time) ? Number(time[0]) : Number.NaN) * 1000;
  const secrets = `{${storage.prefix}}:sign-in-secrets`;
  return [
    ...checkInfo(
      new Map(info.split("\r\n").map(line => line.split(/:(.*)/s, 2) as [string, string])),
      Array.isArray(sync) ? String(sync[1]) : undefined,
    ),
    await checkRights(client, storage.prefix),
    checkClock("Redis", now, sidecar.system),
    ...(signIn.enabled
      ? [
          checkKeys(String((await sendRequest("GET", secrets)) ?? ""), `${secrets} in Redis`, {
            text: `new ones are made at the next start, and nobody has to sign in again: ${commandsOf(sidecar).start}`,
            command: `redis-cli DEL ${quoted(secrets)}`,
          }),
        ]
      : []),
    await checkSharing(client, now, sidecar),
  ];
}

/** A change by hand in the configuration of Redis: the sidecar's user has no right to change it. */
const setInRedis = (pair: string): string =>
  `set ${pair} in the configuration of Redis, as deploy/redis/redis.conf does, then restart it`;

function checkInfo(info: ReadonlyMap<string, string>, appendfsync: string | undefined): Verdict[] {
  const version = info.get("valkey_version") ?? info.get("redis_version");
  if (version === undefined)
    return [note("version, persistence and memory of Redis are not known: its user may not run INFO")];
  const name = info.get("server_name") ?? "redis";
  return [ok(`it is ${name} ${version}`), checkFile(info), checkSync(appendfsync), checkMemory(info)];
}

function checkFile(info: ReadonlyMap<string, string>): Verdict {
  if (info.get("aof_enabled") !== "1") {
    const what = "Redis saves nothing to disk (appendonly no): a restart loses all links";
    return problem(what, setInRedis("appendonly yes"));
  }
  if (info.get("aof_last_write_status") !== "err") return ok("Redis saves its data to disk");
  const what = "Redis cannot write its file (aof_last_write_status err)";
  return problem(what, "free space on its disk, and check its log");
}

function checkSync(appendfsync: string | undefined): Verdict {
  switch (appendfsync) {
    case undefined:
      return note("appendfsync is not known: its user may not read it");
    case "everysec":
      return note("appendfsync is everysec: a power failure may lose the links of the last two seconds");
    case "no": {
      const what = "appendfsync is no: a power failure loses up to 30 seconds";
      return problem(what, setInRedis("appendfsync always"));
    }
    default:
      return ok("each write is on disk before it is confirmed (appendfsync always)");
  }
}

function checkMemory(info: ReadonlyMap<string, string>): Verdict {
  const policy = info.get("maxmemory_policy") ?? "";
  const most = Number(info.get("maxmemory") ?? 0);
  const used = Number(info.get("used_memory") ?? 0);
  if (policy !== "noeviction") {
    const what = `Redis deletes links and parts of queues when it is full (maxmemory-policy ${policy})`;
    return problem(what, setInRedis("maxmemory-policy noeviction"));
  }
  if (most === 0 || used < NEARLY_FULL * most) return ok("Redis deletes nothing when it is full");
  const what = `Redis is nearly full: ${Math.round((100 * used) / most)} % of maxmemory`;
  return problem(what, "raise maxmemory, or see what else uses this Redis");
}

/** Tries each command on an unused key, as a sidecar does when it starts. */
async function checkRights(client: RedisClient, prefix: string): Promise<Verdict> {
  const keys = [`{${prefix}}:probe:doctor`];
  const forbidden = new Set(textsOf(await client.eval(PROBE.source, { keys, arguments: [] })));
  if (forbidden.size === 0) return ok("its user has all rights that sidecars need");
  return problem(`its user may not use ${[...forbidden].join(", ")}`, RIGHTS);
}

/** Whether all sidecars under the prefix belong to this bridge, and agree. */
async function checkSharing(client: RedisClient, now: number, sidecar: CheckedSidecar): Promise<Verdict> {
  const { config, configFile, token = "", tokens } = sidecar;
  const { prefix } = config.storage;
  const hash = async (name: string): Promise<ReadonlyMap<string, string>> =>
    new Map(pairsOf(await client.sendCommand(["HGETALL", `{${prefix}}:${name}`])));
  const meta = await hash("meta");
  const format = meta.get("format");
  if (format === undefined) return ok(`nothing is stored under the prefix ${prefix} yet`);
  const foreign = (what: string, before: string): Verdict =>
    problem(what, bySetting(sidecar, "storage.prefix", "-", `${before}, or write another prefix`));
  if (EARLIER_FORMATS.includes(format))
    return ok(
      `data under the prefix ${prefix} is from an earlier version: the sidecar converts it at its next start`,
    );
  if (format !== FORMAT) {
    const what = `the data under the prefix ${prefix} is from another version of this product (format ${format}, expected ${FORMAT})`;
    return foreign(what, "update this sidecar");
  }
  const connected = [...(await hash("sidecars")).values()].flatMap(each => {
    const read = checkJson(otherSidecar, each);
    return "value" in read && now - read.value.at < THERE_MS ? [read.value] : [];
  });
  const all = listed(connected.map(({ name }) => name));
  if (meta.get("token") !== tokenDigest(token))
    return connected.length > 0
      ? foreign(
          `sidecars of another bridge use the prefix ${prefix}: ${all}`,
          "give all of them the same bridge.token",
        )
      : note(`the prefix ${prefix} was last used by another bridge: the next sidecar takes it over`);
  const digest = commonDigest(config, token, tokens);
  const differ = connected.filter(({ settings }) => settings !== digest).map(({ name }) => name);
  const fix = "give all of them the same version and settings, and restart them one by one";
  if (new Set(connected.map(({ version }) => version)).size > 1) {
    const versions = listed(connected.map(({ name, version }) => `${name} (${version})`));
    return problem(`the sidecars are of different versions: ${versions}`, fix);
  }
  if (differ.length > 0)
    return problem(`sidecars whose settings differ from ${configFile}: ${listed(differ)}`, fix);
  return ok(`the prefix ${prefix} belongs to this bridge; connected sidecars: ${all || "none"}`);
}

const listed = (names: readonly string[]): string => [...names].sort().join(", ");
