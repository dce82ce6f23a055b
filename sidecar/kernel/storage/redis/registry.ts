import { createHash, createHmac } from "node:crypto";
import { checkJson, type Infer, int, num, object, optional, text } from "../../../../shared/guard.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { RefusedLines } from "../ports.ts";
import type { RedisClient, RedisServer } from "./client.ts";
import type { OnServer, RedisConnection } from "./connection.ts";
import { RedisRefusal } from "./faults.ts";
import alive from "./lua/alive.lua";
import begin from "./lua/begin.lua";
import probe from "./lua/probe.lua";
import { listOf, numberOf, script, textOf, textsOf } from "./script.ts";

/** Rises with each change of what is stored that an older sidecar could not read. */
export const FORMAT = "3";
/** Those before, which are taken over. */
export const EARLIER_FORMATS: readonly string[] = ["1", "2"];

/** How long one sidecar has what is stored to itself while it brings it to this format, in milliseconds. */
const MIGRATION_MS = 60_000;

const BEGIN = script(begin, { mayOverfill: true });
export const PROBE = script(probe, { mayOverfill: true });
const ALIVE = script(alive, { mayOverfill: true });

const NAME_LENGTH = 256;
/** How often a sidecar says that it is there, in milliseconds. */
const ALIVE_MS = 1_000;

/** Brings what is stored in an earlier format to this one; broken off, it may be done again. */
export type Migrate = (
  redis: Pick<RedisConnection, "ask" | "key" | "read" | "run">,
  from: string,
) => Promise<void>;

/** What a sidecar tells the others of itself. */
export interface Self {
  name: string;
  /** of the product */
  version: string;
  /** of the settings that have to be the same everywhere */
  settings: string;
}

type RefusedCount = Parameters<RefusedLines["tell"]>[0];

/** What is believed of another one. */
export const other = object({
  name: text(NAME_LENGTH),
  at: num(0, Number.MAX_SAFE_INTEGER),
  since: num(0, Number.MAX_SAFE_INTEGER),
  version: text(NAME_LENGTH),
  settings: text(NAME_LENGTH),
  refused: optional(object({ lines: int(1, Number.MAX_SAFE_INTEGER), from: text(NAME_LENGTH) })),
});

const digest = (token: string, of: string): string => createHmac("sha256", token).update(of).digest("hex");

/** What tells one bridge from another under the same prefix, in the field `token` of `meta`. */
export const tokenDigest = (token: string): string => digest(token, "token");

/** How long a sidecar that says nothing counts as there, in milliseconds. */
export const THERE_MS = 10_000;

/** An id that every sidecar of a bridge would make up alike, so that a Redis that has lost its memory has it again. */
function bridgeIdOf(token: string, prefix: string): string {
  const hex = createHash("sha256")
    .update(digest(token, `id of ${prefix}`))
    .digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Sees to it that the sidecars under one prefix belong together. */
export function createRegistry(deps: {
  redis: RedisConnection;
  prefix: string;
  token: string;
  self: Self;
  machine: Clock;
  log: Pick<Log, "error" | "info" | "warn">;
  /** brings what is stored in an earlier format to this one */
  migrate: Migrate;
}) {
  const { redis, prefix, token, self, machine, log, migrate } = deps;
  let bridgeId = "";
  /** when what Redis holds began */
  let born = "";
  let toldOfOthers = "";
  let refused: RefusedCount | undefined;
  /** those who are alive */
  let others: Infer<typeof other>[] = [];

  /** Whether the user may do everything that will be needed is better known now than in the middle of it. */
  async function checkRights({ client }: RedisServer): Promise<void> {
    const forbidden = new Set(textsOf(await redis.runOn(client, PROBE, [`probe:${self.name}`], [])));
    const what = [...forbidden].join(", ");
    if (what !== "")
      throw new RedisRefusal("rights", `storage.url: the user may not use ${what}: see docs/scaling.md`);
  }

  /** Brings what an earlier version has stored to this format, unless another sidecar does, or one of that version still runs. */
  async function migrateStored(client: RedisClient, from: string, others: number): Promise<void> {
    if (others > 0)
      throw new Error("older sidecars are still running: stop them, then this one converts their data");
    const key = redis.key("migration");
    const ask = (...command: string[]): Promise<unknown> => redis.askOn(client, ...command);
    const isOurs = await ask("SET", key, self.name, "NX", "PX", `${MIGRATION_MS}`);
    if (isOurs === null) throw new Error("another sidecar is converting the data of an earlier version");
    log.info({}, "Converting the data of an earlier version");
    const more = machine.every(
      MIGRATION_MS / 4,
      () => void ask("PEXPIRE", key, `${MIGRATION_MS}`).catch(() => undefined),
    );
    try {
      const run: RedisConnection["run"] = (script, keys, values) => redis.runOn(client, script, keys, values);
      await migrate({ ask, key: redis.key, read: run, run }, from);
      await ask("HSET", redis.key("meta"), "format", FORMAT);
    } finally {
      more();
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
        `storage.prefix: ${prefix}: another version of this product has stored what is there (format ${textOf(what)}, expected ${FORMAT}): update this sidecar, or take another prefix`,
      );
    if (is === "token")
      throw new RedisRefusal(
        "prefix",
        `storage.prefix: ${prefix}: the sidecars of another bridge use it: take another prefix, or the same bridge.token`,
      );
    if (born !== "" && born !== since)
      log.error(
        {},
        "Redis has lost all stored data, such as links. See appendonly in docs/scaling.md",
      );
    bridgeId = textOf(what);
    born = textOf(since);
    await say(values => redis.runOn(client, ALIVE, KEYS, values));
    const stop = machine.every(ALIVE_MS, () => {
      say(values => redis.run(ALIVE, KEYS, values)).then(
        isStored => isStored || broken(new Error("somebody has emptied Redis")),
        () => undefined,
      );
    });
    onEnd(stop);
  };

  const KEYS = ["sidecars", "meta"];
  const startedAt = machine.now();

  /** Says that this sidecar is alive; whether Redis still has what was stored: another sidecar may have begun anew there. */
  async function say(tell: (values: string[]) => Promise<unknown>): Promise<boolean> {
    const own = { ...self, since: startedAt, ...(refused && { refused }) };
    const [now, since, all] = listOf(await tell([self.name, JSON.stringify(own)]));
    others = textsOf(all).flatMap(text => {
      const read = checkJson(other, text);
      const isAlive = "value" in read && numberOf(now) - read.value.at < THERE_MS;
      return isAlive && read.value.name !== self.name ? [read.value] : [];
    });
    compare();
    return since === born;
  }

  /** Says once that sidecars do not agree. */
  function compare(): void {
    const told = others
      .filter(({ settings, version }) => settings !== self.settings || version !== self.version)
      .map(({ name, version }) => `${name} (${version})`)
      .join(", ");
    if (told === toldOfOthers) return;
    toldOfOthers = told;
    if (told !== "")
      log.warn({ others: told }, "Other sidecars of this bridge have a different version or different settings");
  }

  return {
    register,
    bridgeId: () => bridgeId,
    refused: {
      tell(own) {
        refused = own;
      },
      others: () => others.flatMap(each => each.refused ?? []),
    } satisfies RefusedLines,
    /** Says that this sidecar is gone. */
    leave: () => redis.ask("HDEL", redis.key("sidecars"), self.name).catch(() => undefined),
  };
}
