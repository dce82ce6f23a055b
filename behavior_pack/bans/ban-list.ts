import { type BanChange, banChange, endsBan, entryKey, replaces } from "../../shared/bans.ts";
import type { BansAnswer } from "../../shared/frames.ts";
import { anything, check, checkJson, count, list, object, optional, text } from "../../shared/guard.ts";
import { BANS_PER_FRAME, ID_LENGTH } from "../../shared/limits.ts";
import { foldName, renamed } from "../../shared/names.ts";
import type { BansFrame } from "../../shared/requests.ts";
import { errorName, type Notices } from "../notices.ts";
import type { Clock, Store } from "../ports.ts";

const KEY = "web_bridge:bans";

/**
 * World properties that the list is split into, by a hash of the entry's key. Even a full list keeps each far below the
 * 32,767 bytes that a property may have.
 */
const PARTS = 512;

interface Entry {
  readonly change: BanChange;
  /** whether the sidecar has this change */
  isSynced: boolean;
}

/** The world property that describes all others. */
const storedHead = object({
  /** which list of the sidecar this is a copy of, and the number of its newest change here */
  list: optional(text(ID_LENGTH, 1)),
  after: count,
  /** the first part to report again because the sidecar has a different list now; `PARTS`: none */
  again: count,
  /** the latest `at` reported by the sidecar, or chosen here to be later than it */
  latest: optional(count),
});

function partOf(key: string): number {
  let sum = 0;
  for (let i = 0; i < key.length; i++) sum = (sum * 31 + key.charCodeAt(i)) % PARTS;
  return sum;
}

const FIELDS = [
  ...(["name", "persistentId", "at", "until", "reason", "by"] as const),
  ...(["everywhere", "lifted", "again", "names"] as const),
];

const storedRows = list(list(anything, 1 + FIELDS.length), Infinity);

/** A short row, since there may be ten thousand. A missing field is 0, or left out at the end. */
const encode = ({ change, isSynced }: Entry): string =>
  JSON.stringify([+isSynced, ...FIELDS.map(field => change[field] || 0)]).replace(/(,0)+]$/, "]");

function decode([isSynced, ...values]: unknown[]): Entry | undefined {
  const change: Record<string, unknown> = {};
  for (let i = 0; i < FIELDS.length; i++) if (values[i]) change[FIELDS[i] as string] = values[i];
  const read = check(banChange, change);
  return "value" in read ? { change: read.value, isSynced: isSynced === 1 } : undefined;
}

type Part = Map<string, Entry>;

const endOf = ({ until = Infinity }: BanChange): number => until;

/** The ban that ends last; of several, the first. */
export const longest = (bans: readonly BanChange[]): BanChange | undefined =>
  // The difference of two permanent bans is NaN.
  [...bans].sort((one, other) => endOf(other) - endOf(one) || 0)[0];

/** The bans active in this world and the changes not yet sent to the sidecar, stored in world properties. */
export function createBanList(clock: Clock, store: Store, notices: Notices) {
  const parts: readonly Part[] = Array.from({ length: PARTS }, () => new Map<string, Entry>());
  const dirty = new Set<Part>();
  // Changes for the sidecar, in the order in which they were made.
  const pending = new Set<Entry>();
  // Changes in the request that is open.
  let sending: Entry[] = [];
  let isLoaded = false;
  let head: { list?: string; after: number; again: number; latest?: number } = { after: 0, again: PARTS };
  let isHeadDirty = false;
  let size = 0;

  const holds = (change: BanChange): boolean => !change.lifted && endOf(change) > clock.now();
  const partFor = (key: string): Part => parts[partOf(key)] as Part;
  const entryOf = (change: Parameters<typeof entryKey>[0]): Entry | undefined => {
    const key = entryKey(change);
    return partFor(key).get(key);
  };
  const bans = (): BanChange[] =>
    parts.flatMap(part => [...part.values()].map(({ change }) => change)).filter(holds);

  function setHead(next: Partial<typeof head>): void {
    head = { ...head, ...next };
    isHeadDirty = true;
  }

  function remove(key: string, part = partFor(key)): void {
    const entry = part.get(key);
    if (entry === undefined) return;
    pending.delete(entry);
    part.delete(key);
    dirty.add(part);
    size--;
  }

  function put(entry: Entry, key = entryKey(entry.change), part = partFor(key)): void {
    remove(key, part);
    part.set(key, entry);
    dirty.add(part);
    size++;
    if (!entry.isSynced) pending.add(entry);
  }

  /** Throws when the world cannot be read. */
  function load(): void {
    const texts = parts.map((_, part) => store.read(`${KEY}:${part}`) ?? "[]");
    const read = checkJson(storedHead, String(store.read(KEY) ?? JSON.stringify(head)));
    isLoaded = true;
    let isDamaged = "fault" in read;
    if ("value" in read) head = read.value;
    const moved = new Set<Part>();
    for (const [i, text] of texts.entries()) {
      const part = checkJson(storedRows, String(text));
      for (const row of "value" in part ? part.value : [[]]) {
        const entry = decode(row);
        const key = entry && entryKey(entry.change);
        if (key === undefined) isDamaged = true;
        // It was stored when names were folded differently.
        else if (partOf(key) !== i) for (const at of [i, partOf(key)]) moved.add(parts[at] as Part);
        if (entry === undefined || key === undefined || (entry.isSynced && !holds(entry.change))) continue;
        const other = partFor(key).get(key);
        if (other === undefined || !replaces(other.change, entry.change)) put(entry, key);
      }
    }
    dirty.clear();
    for (const part of moved) dirty.add(part);
    if (!isDamaged) return;
    notices.once("bans:parse", "some saved bans are damaged; getting them from the sidecar");
    setHead({ after: 0 });
  }

  /** Stores one property; the head comes last. */
  function saveNext(): void {
    const [part] = dirty;
    if (part !== undefined) {
      store.write(`${KEY}:${parts.indexOf(part)}`, `[${[...part.values()].map(encode).join(",")}]`);
      dirty.delete(part);
    } else if (isHeadDirty) {
      store.write(KEY, JSON.stringify(head));
      isHeadDirty = false;
    }
  }

  function add(change: BanChange): void {
    const { name, everywhere = false } = change;
    const byName = entryOf({ name, everywhere })?.change;
    if (byName !== undefined && endsBan(change, byName)) remove(entryKey(byName));
    put({ change, isSynced: false });
  }

  function acknowledge(): void {
    for (const entry of sending) {
      // A change that has been replaced since still has to be reported.
      if (!pending.delete(entry)) continue;
      entry.isSynced = true;
      const key = entryKey(entry.change);
      if (entry.change.lifted) remove(key);
      dirty.add(partFor(key));
    }
    sending = [];
  }

  function apply(change: BanChange): void {
    if (change.at > (head.latest ?? 0)) setHead({ latest: change.at });
    const key = entryKey(change);
    const part = partFor(key);
    const entry = part.get(key);
    if (entry?.isSynced === false && !replaces(change, entry.change)) return;
    if (holds(change)) put({ change, isSynced: true }, key, part);
    else remove(key, part);
  }

  return {
    /** Whether the world has been read: before that nobody is banned. */
    load(): boolean {
      try {
        if (!isLoaded) load();
      } catch (error) {
        notices.once("bans:read", `could not load the ban list yet (${errorName(error)})`);
      }
      return isLoaded;
    },
    /** Number of active bans. */
    count: (): number => bans().length,
    /** Number of changes not yet sent to the sidecar. */
    pending: (): number => (head.again < PARTS ? size : pending.size),
    /**
     * The active bans of a player: at most one of this server and one of all servers, each the longer of the ban by `persistentId`
     * and the ban by name. `persistentId` is empty when the game has none.
     */
    find(name: string, persistentId: string): BanChange[] {
      if (size === 0) return [];
      const who = persistentId === "" ? [{ name }] : [{ name, persistentId }, { name }];
      return [false, true].flatMap(everywhere => {
        const found = who.flatMap(each => entryOf({ ...each, everywhere })?.change ?? []);
        return longest(found.filter(holds)) ?? [];
      });
    },
    /** The active bans by folded name: by the player's newest name, and by earlier names. Scans every ban. */
    byName(): Record<"newest" | "earlier", Map<string, BanChange[]>> {
      const [newest, earlier] = [new Map<string, BanChange[]>(), new Map<string, BanChange[]>()];
      const collect = (found: Map<string, BanChange[]>, name: string, ban: BanChange): unknown =>
        found.set(foldName(name), [...(found.get(foldName(name)) ?? []), ban]);
      for (const ban of bans()) {
        collect(newest, ban.name, ban);
        for (const name of ban.names ?? []) collect(earlier, name, ban);
      }
      return { newest, earlier };
    },
    /** Time for a change made now: later than every change in this world, since clocks differ. */
    decisionTime(): number {
      const at = Math.max(clock.now(), (head.latest ?? 0) + 1);
      if (at > clock.now()) setHead({ latest: at });
      return at;
    },
    /** Adds a change that was made here. */
    add,
    /** Binds a ban by name to the `persistentId` of a player. */
    bind(ban: BanChange, persistentId: string) {
      add({ ...ban, persistentId, again: ban.again || entryOf(ban)?.isSynced === true });
    },
    /** Records a banned player's new name. */
    rename(ban: BanChange, name: string) {
      const entry = entryOf(ban);
      // A change that is being sent may already have arrived.
      const isSynced = entry === undefined || entry.isSynced || sending.includes(entry);
      add({ ...renamed(ban, name), again: ban.again === true && !isSynced });
    },
    /** The next changes for the sidecar, and the position from which its changes are requested. */
    nextFrame(): Omit<BansFrame, "session"> {
      for (; pending.size === 0 && head.again < PARTS; setHead({ again: head.again + 1 }))
        for (const { change } of [...(parts[head.again]?.values() ?? [])])
          put({ change: { ...change, again: true }, isSynced: false });
      if (sending.length === 0) sending = [...pending].slice(0, BANS_PER_FRAME);
      const { list, after } = head;
      return { ...(list && { list }), after, changes: sending.map(({ change }) => change) };
    },
    /** Applies the answer. If the sidecar's list is a different or an older one, both sides start over with the whole list. */
    applyAnswer({ list, upTo, changes }: BansAnswer) {
      if (list !== head.list || upTo < head.after) {
        sending = [];
        setHead({ list, after: 0, again: 0 });
        return;
      }
      acknowledge();
      for (const change of changes) apply(change);
      if (upTo > head.after) setHead({ after: upTo });
    },
    /** Stores one changed property. To be called every tick. */
    step: saveNext,
    /** Stores everything. */
    saveAll() {
      while (isHeadDirty || dirty.size > 0) saveNext();
    },
  };
}
