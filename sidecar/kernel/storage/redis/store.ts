import { isDeepStrictEqual } from "node:util";
import {
  dueAt,
  isEmpty,
  type LinkRecord,
  linkedUuid,
  NO_LINK,
  openRequest,
  parseRecord,
} from "../../../features/linking/rules/links.ts";
import type { LinkStore, Log, Turn } from "../ports.ts";
import { untilAgreed } from "./agree.ts";
import type { Connection } from "./connection.ts";
import openLinks from "./lua/open-links.lua";
import putLink from "./lua/put-link.lua";
import touch from "./lua/touch.lua";
import { listOf, maybeText, pairsOf, textOf, textsOf } from "./reply.ts";
import { script } from "./script.ts";

const PUT = script(putLink, { isFenced: true });
/** What the game has told takes the place of what it was asked. */
const PUT_TOLD = script(putLink, { isFenced: true, mayOverfill: true });
const OPEN = script(openLinks, { mayOverfill: true });
const TOUCH = script(touch);

const INDEXES = ["links", "requests", "places", "labels", "due", "last-place"];

/** Links in Redis: each change is decided on here, and stored there if nobody has changed the record meanwhile. */
export function createRedisStore(
  redis: Connection,
  log: Pick<Log, "warn">,
  bridgeId: () => string,
): LinkStore {
  function parse(session: string, stored: string): LinkRecord | undefined {
    if (stored === "") return NO_LINK;
    const record = parseRecord(stored);
    if (record === undefined)
      log.warn({ browser: session.slice(0, 8) }, "a stored link is damaged and counts as none");
    return record;
  }

  const stored = async (session: string): Promise<string> =>
    maybeText(await redis.ask("HGET", redis.key("links"), session)) ?? "";

  /** Stores a record; what is stored instead, where that is not what was decided on. */
  async function put(
    session: string,
    before: { text: string; record: LinkRecord | undefined },
    record: LinkRecord,
    turn: Turn | undefined,
  ): Promise<string | undefined> {
    const players = [linkedUuid(before.record ?? NO_LINK), linkedUuid(record)];
    const requests = [openRequest(before.record ?? NO_LINK), openRequest(record)];
    const reply = await redis.run(
      turn ? PUT_TOLD : PUT,
      [...INDEXES, ...players.map(uuid => `player:${uuid ?? ""}`)],
      [
        ...[session, before.text, isEmpty(record) ? "" : JSON.stringify(record)],
        ...requests.map(request => request ?? ""),
        dueAt(record) ?? "",
        ...players.map(uuid => (uuid === undefined ? "0" : "1")),
      ],
      turn,
    );
    return reply === 1 ? undefined : textOf(listOf(reply)[0]);
  }

  return {
    read: async session => parse(session, await stored(session)) ?? NO_LINK,
    async change(session, decide, turn) {
      let text = await stored(session);
      return untilAgreed("a link", async () => {
        const before = parse(session, text);
        const { record, answer } = decide(before ?? NO_LINK);
        // What is damaged is replaced by what it was taken for.
        if (before !== undefined && isDeepStrictEqual(record, before)) return { answer };
        const other = await put(session, { text, record: before }, record, turn);
        if (other === undefined) return { answer };
        text = other;
        return undefined;
      });
    },
    sessionOf: async request => maybeText(await redis.ask("HGET", redis.key("requests"), request)),
    async open(limit, prefix = "") {
      const found = pairsOf(await redis.run(OPEN, ["links", "places", "labels"], [prefix, limit]));
      return found.flatMap(([session, text]) => {
        const record = parse(session, text);
        return record === undefined ? [] : [{ session, record }];
      });
    },
    linkedTo: async (uuid, limit) =>
      limit === 0 ? [] : textsOf(await redis.ask("SRANDMEMBER", redis.key(`player:${uuid}`), `${limit}`)),
    due: async (now, limit) =>
      textsOf(
        await redis.ask("ZRANGE", redis.key("due"), "-inf", `${now}`, "BYSCORE", "LIMIT", "0", `${limit}`),
      ),
    checkWritable: async () => void (await redis.run(TOUCH, ["room"], [])),
    bridgeId: async () => bridgeId(),
    close: async () => undefined,
  };
}
