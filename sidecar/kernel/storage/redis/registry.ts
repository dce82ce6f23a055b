import { createHash, createHmac } from "node:crypto";
import { checkJson, type Infer, int, num, object, optional, text } from "../../../../shared/guard.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { RejectedMessages } from "../ports.ts";
import type { RedisClient, RedisServer } from "./client.ts";
import type { OnServer, RedisConnection } from "./connection.ts";
import { RedisRefusal } from "./faults.ts";
import alive from "./lua/alive.lua";
import begin from "./lua/begin.lua";
import probe from "./lua/probe.lua";
import { listOf, numberOf, script, textOf, textsOf } from "./script.ts";

/** Increases with each change of the stored data that an older sidecar could not read. */
export const FORMAT = "3";
/** Earlier formats that can be migrated. */
export const EARLIER_FORMATS: readonly string[] = ["1", "2"];

/** Lifetime of the migration lock without renewal, in milliseconds. */
const MIGRATION_MS = 60_000;

const BEGIN = script(begin, { mayOverfill: true });
export const PROBE = script(probe, { mayOverfill: true });
const ALIVE = script(alive, { mayOverfill: true });

const NAME_LENGTH = 256;
/** Heartbeat interval of a sidecar, in milliseconds. */
const ALIVE_MS = 1_000;

/** Migrates data of an earlier format to this one; it may be repeated after an interruption. */
export type Migrate = (
  redis: Pick<RedisConnection, "ask" | "key" | "read" | "run">,
  from: string,
) => Promise<void>;

/** What a sidecar publishes about itself. */
export interface SidecarInfo {
  name: string;
  /** product version */
  version: string;
  /** digest of the settings that have to be the same everywhere */
  settings: string;
}

type RejectedCount = Parameters<RejectedMessages["publish"]>[0];

/** What another sidecar has published. */
export const otherSidecar = object({
  name: text(NAME_LENGTH),
  at: num(0, Number.MAX_SAFE_INTEGER),
  since: num(0, Number.MAX_SAFE_INTEGER),
  version: text(NAME_LENGTH),
  settings: text(NAME_LENGTH),
  refused: optional(object({ lines: int(1, Number.MAX_SAFE_INTEGER), from: text(NAME_LENGTH) })),
});

const digest = (token: string, of: string): string => createHmac("sha256", token).update(of).digest("hex");

/** Identifies a bridge under a prefix, in the field `token` of `meta`. */
export const tokenDigest = (token: string): string => digest(token, "token");

/** How long a sidecar without a heartbeat counts as running, in milliseconds. */
export const THERE_MS = 10_000;

/** An id that every sidecar of a bridge derives in the same way, so that it is restored if Redis has lost its data. */
function bridgeIdOf(token: string, prefix: string): string {
  const hex = createHash("sha256")
    .update(digest(token, `id of ${prefix}`))
    .digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Registers this sidecar, and ensures that the sidecars under one prefix belong together. */
export function createRegistry(deps: {
  redis: RedisConnection;
  prefix: string;
  token: string;
  self: SidecarInfo;
  machine: Clock;
  log: Pick<Log, "error" | "info" | "warn">;
  /** migrates data of an earlier format to this one */
  migrate: Migrate;
}) {
  const { redis, prefix, token, self, machine, log, migrate } = deps;
  let bridgeId = "";
  /** when the data in Redis was created */
  let createdAt = "";
  let loggedOthers = "";
  let refused: RejectedCount | undefined;
  /** the other running sidecars */
  let others: Infer<typeof otherSidecar>[] = [];

  /** Checks at the start that the user may run every command that will be needed. */
  async function checkRights({ client }: RedisServer): Promise<void> {
    const forbidden = new Set(textsOf(await redis.runOn(client, PROBE, [`probe:${self.name}`], [])));
    const what = [...forbidden].join(", ");
    if (what !== "")
      throw new RedisRefusal("rights", `storage.url: the user may not use ${what}: see docs/scaling.md`);
  }

  /** Migrates the data of an earlier version. @throws while another sidecar migrates it, or one of that version still runs */
  async function migrateStored(client: RedisClient, from: string, others: number): Promise<void> {
    if (others > 0)
      throw new Error("older sidecars are still running: stop them, then this one will convert their data");
    const key = redis.key("migration");
    const ask = (...command: string[]): Promise<unknown> => redis.askOn(client, ...command);
    const isOurs = await ask("SET", key, self.name, "NX", "PX", `${MIGRATION_MS}`);
    if (isOurs === null) throw new Error("another sidecar is converting the data of an earlier version");
    log.info({}, "Converting the data of an earlier version");
    const renew = machine.every(
      MIGRATION_MS / 4,
      () => void ask("PEXPIRE", key, `${MIGRATION_MS}`).catch(() => undefined),
    );
    try {
      const run: RedisConnection["run"] = (script, keys, values) => redis.runOn(client, script, keys, values);
      await migrate({ ask, key: redis.key, read: run, run }, from);
      await ask("HSET", redis.key("meta"), "format", FORMAT);
    } finally {
      renew();
      await ask("DEL", key).catch(() => undefined);
    }
  }

  const register: OnServer = async (server, broken, onEnd) => {
    await checkRights(server);
    const { client } = server;
    const reply = await redis.runOn(
      client,
      BEGIN,
      ["meta", "sidecars", "web-chat", "feed-floor"],
      [
        ...[FORMAT, bridgeIdOf(token, prefix), tokenDigest(token), self.name],
        ...[bridgeId === "" ? "start" : "back", ` ${EARLIER_FORMATS.join(" ")} `],
      ],
    );
    const [is, what, since] = listOf(reply);
    if (is === "earlier") {
      await migrateStored(server.client, textOf(what), numberOf(since));
      return register(server, broken, onEnd);
    }
    if (is === "format")
      throw new RedisRefusal(
        "prefix",
        `storage.prefix: ${prefix}: its data has the format of another version (format ${textOf(what)}, expected ${FORMAT}): update this sidecar, or use another prefix`,
      );
    if (is === "token")
      throw new RedisRefusal(
        "prefix",
        `storage.prefix: ${prefix}: it is used by the sidecars of another bridge: use another prefix, or the same bridge.token`,
      );
    if (createdAt !== "" && createdAt !== since)
      log.error({}, "Redis has lost all stored data, such as links. See appendonly in docs/scaling.md");
    bridgeId = textOf(what);
    createdAt = textOf(since);
    await sendHeartbeat(values => redis.runOn(client, ALIVE, KEYS, values));
    const stop = machine.every(ALIVE_MS, () => {
      sendHeartbeat(values => redis.run(ALIVE, KEYS, values)).then(
        isStored => isStored || broken(new Error("the data in Redis was deleted")),
        () => undefined,
      );
    });
    onEnd(stop);
  };

  const KEYS = ["sidecars", "meta"];
  const startedAt = machine.now();

  /** Sends a heartbeat; returns whether Redis still has its data: if not, another sidecar may have started fresh there. */
  async function sendHeartbeat(send: (values: string[]) => Promise<unknown>): Promise<boolean> {
    const info = { ...self, since: startedAt, ...(refused && { refused }) };
    const [now, since, all] = listOf(await send([self.name, JSON.stringify(info)]));
    others = textsOf(all).flatMap(text => {
      const read = checkJson(otherSidecar, text);
      const isAlive = "value" in read && numberOf(now) - read.value.at < THERE_MS;
      return isAlive && read.value.name !== self.name ? [read.value] : [];
    });
    compare();
    return since === createdAt;
  }

  /** Logs once if sidecars differ in version or settings. */
  function compare(): void {
    const differing = others
      .filter(({ settings, version }) => settings !== self.settings || version !== self.version)
      .map(({ name, version }) => `${name} (${version})`)
      .join(", ");
    if (differing === loggedOthers) return;
    loggedOthers = differing;
    if (differing !== "")
      log.warn(
        { others: differing },
        "Other sidecars of this bridge have a different version or different settings",
      );
  }

  return {
    register,
    bridgeId: () => bridgeId,
    refused: {
      publish(count) {
        refused = count;
      },
      others: () => others.flatMap(each => each.refused ?? []),
    } satisfies RejectedMessages,
    /** Unregisters this sidecar. */
    leave: () => redis.ask("HDEL", redis.key("sidecars"), self.name).catch(() => undefined),
  };
}
