import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Lease } from "../../kernel/storage/ports.ts";
import {
  beginningWith,
  collection,
  exactly,
  lookUp,
  ordered,
  parseJson,
  type Records,
} from "../../kernel/storage/records.ts";
import {
  dueAt,
  isEmpty,
  type LinkRecord,
  linkedUuid,
  linkRecord,
  NO_LINK,
  openRequest,
  requestDeadline,
} from "./rules/links.ts";
import { forgetAt, NO_REQUESTS, type PlayerRequests, playerRequests } from "./rules/player-requests.ts";

/** Links by browser session. */
export const LINKS = collection<LinkRecord>({
  name: "links",
  damaged: "A stored link is damaged and ignored",
  parse: parseJson(linkRecord),
  indexes: {
    request: record => [openRequest(record)],
    // Every request is open for as long, so that the oldest ends first.
    deadline: record => [at(requestDeadline(record))],
    "open-session": (record, session) => [openRequest(record) && session],
    due: record => [at(dueAt(record))],
    player: record => [linkedUuid(record)],
  },
});

const at = (time: number | undefined): string | undefined => (time === undefined ? undefined : ordered(time));

/** Recent requests for players, by a hash of their names: those may be long, and have any characters. */
export const REQUESTS = collection<PlayerRequests>({
  name: "player-requests",
  isSmall: true,
  expires: true,
  parse: parseJson(playerRequests),
});

/** Links of browser sessions. Several sidecar processes may share one store. */
export interface LinkStore {
  /** The record of a session; one that was never stored reads as `not_linked`. */
  read(session: string): Promise<LinkRecord>;
  /**
   * Changes the record of one session in one step: `decide` gets the stored one and returns the one to store with an answer for the
   * caller. It may be called more than once. Once the promise settles, the change survives the process being killed.
   */
  change<T>(
    session: string,
    decide: (record: LinkRecord) => { record: LinkRecord; answer: T },
    lease?: Lease,
  ): Promise<T>;
  /** The session whose record names this link request, if any. */
  sessionOf(request: string): Promise<string | undefined>;
  /** Sessions with an open link request, oldest first, at most `limit`; of those only that begin with `prefix`. */
  open(limit: number, prefix?: string): Promise<{ session: string; record: LinkRecord }[]>;
  /** Sessions with an accepted link to the player of this uuid, at most `limit`. */
  linkedTo(uuid: string, limit: number): Promise<string[]>;
  /** Sessions with a record, or a part of it, that expires at or before `now`, at most `limit`. */
  due(now: number, limit: number): Promise<string[]>;
  /** Rejects when nothing can be stored at the moment. */
  checkWritable(): Promise<void>;
}

/**
 * Whether a change has to survive a power loss, which takes time. Requests need not: the game closes a form whose request is lost,
 * and the browser can send another one. Links and answers have to.
 */
const isWorthTheDisk = ({ link: before }: LinkRecord, { link }: LinkRecord): boolean =>
  !isDeepStrictEqual(before, link) && (link.status !== "pending" || before.status === "accepted");

export function createLinkStore(records: Records): LinkStore {
  const keysOf = (entries: readonly { key: string }[]): string[] => entries.map(({ key }) => key);
  return {
    read: async session => (await records.get(LINKS, session)) ?? NO_LINK,
    change: (session, decide, lease) =>
      records.transact(
        transaction => {
          const before = transaction.get(LINKS, session) ?? NO_LINK;
          const { record, answer } = decide(before);
          if (isEmpty(record)) transaction.delete(LINKS, session);
          else transaction.put(LINKS, session, record);
          if (isWorthTheDisk(before, record)) transaction.makeDurable();
          return answer;
        },
        { lease },
      ),
    sessionOf: async request => (await records.entries(LINKS, "request", exactly(request)))[0]?.key,
    async open(limit, prefix = "") {
      const isWhole = prefix === "";
      const range = isWhole ? { limit } : { ...beginningWith(prefix), limit };
      const { found } = await lookUp(records, LINKS, isWhole ? "deadline" : "open-session", range);
      const open = found.map(([session, record]) => ({ session, record }));
      const deadlineOf = ({ record }: { record: LinkRecord }): number => requestDeadline(record) ?? 0;
      return isWhole ? open : open.sort((one, other) => deadlineOf(one) - deadlineOf(other));
    },
    linkedTo: async (uuid, limit) =>
      keysOf((await lookUp(records, LINKS, "player", { ...exactly(uuid), limit })).entries),
    due: async (now, limit) =>
      keysOf((await lookUp(records, LINKS, "due", { to: ordered(now + 1), limit })).entries),
    checkWritable: records.checkWritable,
  };
}

/** Recent link requests for each player. Several sidecar processes may share one. */
export interface PlayerRequestStore {
  /**
   * Changes the requests for the player of this name in one step: `decide` gets them and the time of a monotonic clock in
   * milliseconds, and returns them with an answer for the caller. It may be called more than once.
   */
  change<T>(
    player: string,
    decide: (before: PlayerRequests, now: number) => { record: PlayerRequests; answer: T },
    lease?: Lease,
  ): Promise<T>;
}

/**
 * @param now monotonic clock of the requests, in milliseconds
 */
export const createPlayerRequestStore = (records: Records, now: () => number): PlayerRequestStore => ({
  change(player, decide, lease) {
    const key = createHash("sha256").update(player).digest("base64url");
    return records.transact(
      transaction => {
        const at = now();
        const { record, answer } = decide(transaction.get(REQUESTS, key) ?? NO_REQUESTS, at);
        const until = forgetAt(record);
        if (until === 0) transaction.delete(REQUESTS, key);
        else transaction.put(REQUESTS, key, record, Math.max(1, until - at));
        return answer;
      },
      { lease },
    );
  },
});
