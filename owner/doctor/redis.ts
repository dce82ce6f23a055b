import { quoted } from "../../cli/commands.ts";
import { messageOf } from "../../cli/errno.ts";
import { splitUrls } from "../../sidecar/config/redis-kinds.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import type { Client, Place } from "../../sidecar/redis/client.ts";
import type { RefusalOf } from "../../sidecar/redis/faults.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { checkSharing } from "./sharing.ts";
import { keysOf } from "./sign-in.ts";
import { commandsOf, configCommand, type Side, type Surroundings } from "./target.ts";

/** How long all of it may take, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** How far apart two clocks may be, in milliseconds. */
const CLOCK_MS = 60_000;
/** Share of `maxmemory` from which on it is nearly full. */
const NEARLY_FULL = 0.9;

const TIMERS = {
  every(ms: number, callback: () => void): () => void {
    const timer = setInterval(callback, ms);
    return () => clearInterval(timer);
  },
};

const RECIPE = "deploy/redis/redis.conf";
/** The users of the recipe may give Redis no orders. */
const RESTART = "sudo systemctl restart redis-server";
const REACHABLE = "redis-reachable";

/** Whether the Redis of the configuration is there and is set as sidecars need it; nothing where there is none in it. */
export async function checkRedis(side: Side, around: Surroundings): Promise<Finding[]> {
  const { storage } = side.config;
  if (storage.kind !== "redis") return [];
  // Whoever has one sidecar does not load any of it.
  const { close, findServer, shown } = await import("../../sidecar/redis/client.ts");
  let client: Client | undefined;
  try {
    const server = await inTime(findServer(storage, TIMERS));
    client = server.client;
    const at = shown(server.place);
    return [ok(REACHABLE, `Redis answers at ${at}`), ...(await inTime(look(server, side, around)))];
  } catch (error) {
    return [await unreachable(error, storage, setIn(side, around))];
  } finally {
    if (client) close(client);
  }
}

async function inTime<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Command that gives a setting another value. */
type Set = (key: string, value: string) => string;

const setIn =
  (side: Side, around: Surroundings): Set =>
  (key, value) =>
    configCommand(side, around, "set", key, value);

/** What mends what Redis, or the way to it, refuses. */
const MENDS: Record<RefusalOf | "replica" | "reachable", (set: Set) => string> = {
  password: set => `${set("storage.url", "-")}, which reads it: redis://user:password@host:6379`,
  rights: () =>
    `give the user what deploy/redis/users.acl lists, with your storage.prefix in it, then have Redis read it: ${RESTART}`,
  certificate: set =>
    `${set("storage.ca", "-")}, which reads the path of its authority's file; and call Redis by the name in its certificate`,
  "client-certificate": set =>
    `${set("storage.client-cert", "-")}, which reads the path of its file; and so storage.client-key`,
  protocol: set =>
    `${set("storage.url", "-")}, which reads it: rediss:// where Redis speaks TLS, else redis://`,
  version: () => "update Redis, or install Valkey",
  sentinel: set =>
    `${set("storage.sentinel", "-")}, which reads its name, with Sentinels in storage.url; blank where that has Redis itself`,
  prefix: set => `${set("storage.prefix", "-")}, which reads another one`,
  replica: set =>
    `${set("storage.url", "-")}, which reads the address of its master; or Sentinels: storage.sentinel`,
  reachable: set =>
    `start Redis there, or: ${set("storage.url", "-")}, which reads it: rediss:// where Redis speaks TLS, else redis://`,
};

async function unreachable(error: unknown, storage: Config["storage"], set: Set): Promise<Finding> {
  const { addressesOf, wrongProtocol } = await import("../../sidecar/redis/client.ts");
  const { inWords, isOfReplica, refusalOf } = await import("../../sidecar/redis/faults.ts");
  const refusal = refusalOf(error) ?? (await wrongProtocol(storage));
  const about = refusal?.about ?? (isOfReplica(error) ? "replica" : "reachable");
  const why = (refusal?.message ?? inWords(error)).replace(/^storage\.[\w-]+: /, "");
  const hosts = addressesOf(storage.url).map(({ host }) => host);
  return problem(`redis-${about}`, `storage.url (${hosts.join(", ")}): ${why}`, MENDS[about](set));
}

async function look(
  { client, place }: { client: Client; place: Place },
  side: Side,
  around: Surroundings,
): Promise<Finding[]> {
  const { text, textOf } = askers(client);
  const info = new Map(
    ((await text("INFO")) ?? "").split("\r\n").map(line => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 1)] as [string, string];
    }),
  );
  const appendfsync = await textOf("CONFIG", "GET", "appendfsync");
  // Who may not see its settings may not change them.
  const set = setting(side.config.storage.url, place, appendfsync !== undefined);
  const version = info.get("valkey_version") ?? info.get("redis_version");
  const unseen = Object.entries({
    version: "version of Redis",
    persistence: "whether Redis keeps what it is told",
    memory: "what Redis does when it is full",
  }).map(([id, what]) => skipped(`redis-${id}`, `${what}: its user may not see it (INFO)`));
  return [
    ...(version === undefined
      ? unseen
      : [
          ok("redis-version", `it is ${info.get("server_name") ?? "redis"} ${version}`),
          ...checkPersistence(info, appendfsync, set),
          checkMemory(info, set),
        ]),
    await checkRights(client, side, around),
    await checkClock(client, around),
    ...(await checkKeys(text, side, around)),
    ...(await checkSharing(client, side, around)),
  ];
}

/** Commands whose answers may be denied: undefined then. */
function askers(client: Client) {
  const ask = async (...command: string[]): Promise<unknown> => {
    try {
      return await client.sendCommand(command);
    } catch (error) {
      if (/^NOPERM\b/.test(messageOf(error))) return undefined;
      throw error;
    }
  };
  const textIn = (reply: unknown): string | undefined => (typeof reply === "string" ? reply : undefined);
  return {
    text: async (...command: string[]) => textIn(await ask(...command)),
    /** the value of a setting */
    textOf: async (...command: string[]) => {
      const reply = await ask(...command);
      return Array.isArray(reply) ? textIn(reply[1]) : undefined;
    },
  };
}

/** Tries each command at a key that nobody uses, as a sidecar does when it starts. */
async function checkRights(client: Client, side: Side, around: Surroundings): Promise<Finding> {
  const { PROBE } = await import("../../sidecar/redis/registry.ts");
  const { textsOf } = await import("../../sidecar/redis/reply.ts");
  const keys = [`{${side.config.storage.prefix}}:probe:doctor`];
  const forbidden = new Set(textsOf(await client.eval(PROBE.source, { keys, arguments: [] })));
  if (forbidden.size === 0) return ok("redis-rights", "its user may do what sidecars need");
  const what = `its user may not use ${[...forbidden].join(", ")}`;
  return problem("redis-rights", what, MENDS.rights(setIn(side, around)));
}

type SetInRedis = (pair: string, loss?: string) => string;

/** What changes a setting of Redis. `loss`: what a restart would cost. */
const setting =
  (url: string, { host, port }: Place, isAllowed: boolean): SetInRedis =>
  (pair, loss) => {
    const file = `in its configuration as ${RECIPE} does`;
    const { protocol = "", username = "" } = splitUrls(url)[0] ?? {};
    const tls = protocol === "rediss:" ? " --tls" : "";
    const user = username === "" ? "" : ` --user ${quoted(decodeURIComponent(username))} --askpass`;
    if (isAllowed)
      return `redis-cli -h ${host} -p ${port}${tls}${user} CONFIG SET ${pair}, and set it ${file}`;
    return `set ${pair} ${file}, then: ${RESTART}${loss === undefined ? "" : `  (${loss})`}`;
  };

function checkPersistence(
  info: ReadonlyMap<string, string>,
  appendfsync: string | undefined,
  set: SetInRedis,
): Finding[] {
  const id = "redis-persistence";
  if (info.get("aof_enabled") !== "1") {
    const what = "Redis keeps no file of what it is told (appendonly no): links are gone when it restarts";
    const loss =
      "it begins anew with that: players link again, unless CONFIG SET is given first by a user who may";
    return [problem(id, what, set("appendonly yes", loss))];
  }
  if (info.get("aof_last_write_status") === "err") {
    const what = "Redis cannot write its file (aof_last_write_status err)";
    return [problem(id, what, "make room on its disk, and see its log")];
  }
  return [ok(id, "Redis keeps a file of what it is told"), whenWritten(appendfsync, set)];
}

function whenWritten(appendfsync: string | undefined, set: SetInRedis): Finding {
  const id = "redis-appendfsync";
  if (appendfsync === undefined)
    return skipped(id, "when that file is on the disk (appendfsync): its user may not see it (CONFIG GET)");
  if (appendfsync === "everysec")
    return note(
      id,
      "appendfsync is everysec: a machine without power may lose links of the last two seconds",
    );
  if (appendfsync !== "no")
    return ok(id, "it is on the disk before anybody is answered (appendfsync always)");
  const what =
    "Redis leaves it to the system when its file is on the disk (appendfsync no): half a minute is lost without power";
  return problem(id, what, set("appendfsync always"));
}

function checkMemory(info: ReadonlyMap<string, string>, set: SetInRedis): Finding {
  const id = "redis-memory";
  const policy = info.get("maxmemory_policy") ?? "";
  const most = Number(info.get("maxmemory") ?? 0);
  const used = Number(info.get("used_memory") ?? 0);
  if (policy !== "noeviction") {
    const what = `Redis throws things away for room (maxmemory-policy ${policy}): links and halves of queues among them`;
    return problem(id, what, set("maxmemory-policy noeviction"));
  }
  if (most > 0 && used >= NEARLY_FULL * most) {
    const percent = Math.round((100 * used) / most);
    return problem(
      id,
      `Redis is nearly full: ${percent} % of maxmemory`,
      "raise maxmemory, or see what else uses this Redis",
    );
  }
  return ok(id, "Redis throws nothing away when it is full");
}

/** Whether the keys of sign-ins can be read. */
async function checkKeys(
  text: (...command: string[]) => Promise<string | undefined>,
  side: Side,
  around: Surroundings,
): Promise<Finding[]> {
  if (!side.config.signIn.enabled) return [];
  const key = `{${side.config.storage.prefix}}:sign-in-secrets`;
  const mend = `redis-cli DEL ${quoted(key)}, and others are made: nobody has to sign in again, then: ${commandsOf(side, around).start}`;
  return [keysOf((await text("GET", key)) ?? "", `${key} in Redis`, mend)];
}

async function checkClock(client: Client, around: Surroundings): Promise<Finding> {
  const id = "redis-clock";
  const reply = await client.sendCommand(["TIME"]);
  const seconds = Array.isArray(reply) ? Number(reply[0]) : Number.NaN;
  const apart = Math.abs(around.now() - seconds * 1000);
  if (apart <= CLOCK_MS) return ok(id, "the clocks of Redis and of this machine are the same");
  const what = `the clocks of Redis and of this machine are ${Math.round(apart / 1000)} s apart: deadlines and times go by that of Redis`;
  return problem(id, what, "set both to the right time, for example with NTP");
}
