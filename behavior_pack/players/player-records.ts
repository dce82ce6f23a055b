import { bool, checkJson, count, list, object, oneOf, optional } from "../../shared/guard.ts";
import { errorName, type Notices } from "../notices.ts";
import type { Clock, Store } from "../ports.ts";
import { CHECKS_PER_TICK, WRITES_PER_TICK } from "../tick-budget.ts";

/** What a player may choose: to get no link requests, or to be hidden from the website's player list. */
export type Choice = "blocked" | "hidden";

/** Figures and choices of one player while they are in use. A choice is undefined until it has been read. */
export interface PlayerRecord extends Partial<Record<Choice, boolean>> {
  readonly key: string;
  /** choices made here that were not reported to the sidecar yet */
  unreported: Choice[];
  deaths: number;
  kills: number;
  /** ticks played, up to the tick `countedAt` */
  ticks: number;
  countedAt: number;
  /** wall time at which the current visit began; undefined until it has been read from the world */
  since?: number | undefined;
  /** whether the rest of this visit is not counted; undefined until it has been read */
  isPaused?: boolean;
  /** whether to ignore the stored figures once they can be read */
  isErased: boolean;
  /** number of online players that use it: one, except for duplicate identities */
  users: number;
  /** whether the stored values have been added */
  isLoaded: boolean;
  /** whether it is queued to be stored */
  isQueued: boolean;
  /** wall time of the last attempt to store it */
  savedAt: number;
}

export const CHOICES: readonly Choice[] = ["blocked", "hidden"];
const PREFIX = "web_bridge:player:";

/** Interval at which playtime is stored, in milliseconds. */
const PLAYTIME_SAVE_MS = 20_000;

/** Interval for reading an unreadable record again, in milliseconds: it holds the player's choices. */
const LOAD_RETRY_MS = 1_000;

/** Records of players who have left and could not be stored yet. */
const MAX_UNSAVED = 256;

const storedRecord = object({
  deaths: count,
  kills: count,
  ticks: count,
  since: optional(count),
  paused: optional(bool),
  blocked: optional(bool),
  hidden: optional(bool),
  untold: optional(list(oneOf(...CHOICES), CHOICES.length)),
});

const NEW_RECORD = '{"deaths":0,"kills":0,"ticks":0}';

export type PlayerRecords = ReturnType<typeof createPlayerRecords>;

/** Deaths, kills, playtime, visit and choices of players, stored in the world. */
export function createPlayerRecords(clock: Clock, store: Store, notices: Notices) {
  const entries: PlayerRecord[] = [];
  const byKey = new Map<string, PlayerRecord>();
  const queue: PlayerRecord[] = [];
  // Whether choices apply to other game servers too, and are reported.
  let isShared = false;
  let cursor = 0;

  function obtain(key: string): PlayerRecord {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const entry: PlayerRecord = {
      key,
      unreported: [],
      deaths: 0,
      kills: 0,
      ticks: 0,
      countedAt: clock.tick(),
      isErased: false,
      users: 0,
      isLoaded: false,
      isQueued: false,
      savedAt: clock.now(),
    };
    byKey.set(key, entry);
    entries.push(entry);
    load(entry);
    return entry;
  }

  function unload(entry: PlayerRecord): void {
    byKey.delete(entry.key);
    const at = entries.indexOf(entry);
    if (at >= 0) entries.splice(at, 1);
  }

  function load(entry: PlayerRecord): void {
    try {
      const text = store.read(PREFIX + entry.key);
      const read = checkJson(storedRecord, text === undefined ? NEW_RECORD : String(text));
      const stored = "value" in read ? read.value : undefined;
      if (stored === undefined)
        notices.once(
          "stats:parse",
          "saved player stats are damaged; reset to 0, and /bridge:block and /bridge:hide are off",
        );
      const figures = entry.isErased ? undefined : stored;
      entry.deaths += figures?.deaths ?? 0;
      entry.kills += figures?.kills ?? 0;
      entry.ticks += figures?.ticks ?? 0;
      entry.since ??= stored?.since;
      entry.isPaused ??= stored?.paused ?? false;
      // Includes what was counted before the world could be read.
      if (entry.isPaused) erase(entry);
      for (const choice of CHOICES) entry[choice] ??= stored?.[choice] ?? false;
      for (const choice of stored?.untold ?? []) noteUnreported(entry, choice);
      entry.isLoaded = true;
    } catch (error) {
      notices.once("stats:read", `could not load player stats yet (${errorName(error)})`);
    }
  }

  function erase(entry: PlayerRecord): void {
    entry.deaths = entry.kills = entry.ticks = 0;
    entry.countedAt = clock.tick();
  }

  function noteUnreported(entry: PlayerRecord, choice: Choice): void {
    if (!entry.unreported.includes(choice)) entry.unreported.push(choice);
  }

  /** Ticks of the visit not yet added to the total. */
  const uncounted = ({ users, isPaused, countedAt }: PlayerRecord): number =>
    users > 0 && !isPaused ? Math.max(0, clock.tick() - countedAt) : 0;

  function countTicks(entry: PlayerRecord): void {
    entry.ticks += uncounted(entry);
    entry.countedAt = clock.tick();
  }

  /** Returns false if it could not be stored. Before the stored values are read, storing would overwrite them. */
  function save(entry: PlayerRecord): boolean {
    entry.savedAt = clock.now();
    countTicks(entry);
    if (!entry.isLoaded) load(entry);
    if (!entry.isLoaded) return false;
    const { deaths, kills, ticks, since, isPaused, blocked, hidden, unreported } = entry;
    // False and undefined are not stored.
    const stored = {
      deaths,
      kills,
      ticks,
      since,
      paused: isPaused || undefined,
      blocked: blocked || undefined,
      hidden: hidden || undefined,
      untold: isShared && unreported.length > 0 ? unreported : undefined,
    };
    try {
      store.write(PREFIX + entry.key, JSON.stringify(stored));
      entry.isQueued = false;
      return true;
    } catch (error) {
      notices.once("stats:write", `could not save player stats (${errorName(error)}); retrying`);
      return false;
    }
  }

  function saveOrRetry(entry: PlayerRecord): void {
    if (save(entry) && entry.users === 0) unload(entry);
  }

  /** Stores the record in one of the next steps. */
  function saveSoon(entry: PlayerRecord): void {
    if (!entry.isQueued) queue.push(entry);
    entry.isQueued = true;
  }

  return {
    /** The record of a player who has come online. */
    open(key: string): PlayerRecord {
      const entry = obtain(key);
      countTicks(entry);
      entry.users++;
      return entry;
    },
    /** The player has left. */
    close(entry: PlayerRecord) {
      countTicks(entry);
      entry.users = Math.max(0, entry.users - 1);
      saveOrRetry(entry);
      const [oldest, ...others] = entries.filter(other => other.users === 0);
      if (oldest !== undefined && others.length >= MAX_UNSAVED) unload(oldest);
    },
    /** Begins a visit, which is counted. */
    beginVisit(entry: PlayerRecord) {
      countTicks(entry);
      const now = clock.now();
      entry.since = now === entry.since ? now + 1 : now;
      entry.isPaused = false;
      saveSoon(entry);
    },
    /** Counts a death or a kill for a player who may have left already. */
    credit(key: string, what: "deaths" | "kills") {
      const entry = obtain(key);
      if (entry.isPaused) return;
      entry[what]++;
      saveSoon(entry);
    },
    /** Resets the figures to 0; without `counts` they stay 0 until the next visit. */
    erase(entry: PlayerRecord, counts: boolean) {
      erase(entry);
      entry.isErased = !entry.isLoaded;
      if (!counts) entry.isPaused = true;
      saveSoon(entry);
    },
    /** Sets a choice that the player made here, or on another game server as reported by the sidecar. */
    choose(entry: PlayerRecord, choice: Choice, value: boolean, isReported: boolean) {
      entry[choice] = value;
      if (!isReported) noteUnreported(entry, choice);
      saveSoon(entry);
    },
    /** Sets whether choices are reported to the sidecar. */
    share(value: boolean) {
      isShared = value;
    },
    isShared: () => isShared,
    /** Takes the unreported choices of a player, who may have left; undefined: none. */
    takeUnreported({ key, unreported }: PlayerRecord): Partial<Record<Choice, boolean>> | undefined {
      if (unreported.length === 0) return undefined;
      const entry = obtain(key);
      const choices = unreported.splice(0).map(choice => [choice, entry[choice]]);
      entry.unreported = [];
      saveSoon(entry);
      return Object.fromEntries(choices);
    },
    /** Whether the player is blocked; undefined while that is not settled. */
    reportedBlock: (entry: PlayerRecord): boolean | undefined =>
      isShared && entry.unreported.length === 0 ? entry.blocked : undefined,
    /** Playtime of the player in whole seconds. */
    playtimeSeconds: (entry: PlayerRecord): number => Math.floor((entry.ticks + uncounted(entry)) / 20),
    /** Stores at most a few records that are due at wall time `now`. To be called every tick. */
    step(now: number) {
      if (queue.length > 0) {
        for (const entry of queue.splice(0, WRITES_PER_TICK)) {
          saveOrRetry(entry);
          // A record that could not be stored is retried with its playtime.
          entry.isQueued = false;
        }
      }
      for (let i = 0; i < CHECKS_PER_TICK && entries.length > 0; i++) {
        cursor = (cursor + 1) % entries.length;
        const entry = entries[cursor];
        const wait = entry?.isLoaded ? PLAYTIME_SAVE_MS : LOAD_RETRY_MS;
        if (entry !== undefined && Math.abs(now - entry.savedAt) >= wait) saveOrRetry(entry);
      }
    },
    /** Stores everything, before the script ends. */
    saveAll() {
      for (const entry of entries.slice()) save(entry);
    },
  };
}
