import { bool, checkJson, count, list, object, oneOf, optional } from "../../shared/guard.ts";
import { errorName, type Notices } from "../notices.ts";
import type { Clock, Store } from "../ports.ts";

/** What a player may choose: to get no link requests, to be in no list of players on the web. */
export type Choice = "blocked" | "hidden";

/** The figures and choices of one player while they are in use. A choice is undefined as long as it could not be read. */
export interface StatsEntry extends Partial<Record<Choice, boolean>> {
  readonly key: string;
  /** what was chosen here and not told to the sidecar */
  untold: Choice[];
  deaths: number;
  kills: number;
  /** ticks played, up to the tick `countedAt` */
  ticks: number;
  countedAt: number;
  /** wall time at which the present visit began; undefined as long as only the world could tell, and cannot be read */
  since?: number | undefined;
  /** whether nothing of the rest of this visit is counted; undefined like a choice */
  isPaused?: boolean;
  /** whether what is stored counts no more, which could not be read yet */
  isErased: boolean;
  /** how many online players use it: one, but for odd identities */
  users: number;
  /** whether the stored value has been added to the figures */
  loaded: boolean;
  urgent: boolean;
  /** wall time of the last attempt to store it */
  savedAt: number;
}

export const CHOICES: readonly Choice[] = ["blocked", "hidden"];
const PREFIX = "web_bridge:player:";
const WRITES_PER_TICK = 4;
const CHECKS_PER_TICK = 2;

/** How old the stored playtime may get before it is written again, in milliseconds. */
const PLAYTIME_SAVE_MS = 20_000;

/** The same before the stored figures could be read, which what the player chose is in. */
const LOAD_RETRY_MS = 1_000;

/** Stats of players who have left and could not be stored yet. */
const MAX_UNSAVED = 256;

export type PlayerStats = ReturnType<typeof createPlayerStats>;

export function createPlayerStats(clock: Clock, store: Store, notices: Notices) {
  const entries: StatsEntry[] = [];
  const byKey = new Map<string, StatsEntry>();
  const urgent: StatsEntry[] = [];
  // Whether there are other servers that choices have to be told to.
  let isShared = false;
  let cursor = 0;

  function obtain(key: string): StatsEntry {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const entry: StatsEntry = {
      key,
      untold: [],
      deaths: 0,
      kills: 0,
      ticks: 0,
      countedAt: clock.tick(),
      isErased: false,
      users: 0,
      loaded: false,
      urgent: false,
      savedAt: clock.now(),
    };
    byKey.set(key, entry);
    entries.push(entry);
    load(entry);
    return entry;
  }

  function forget(entry: StatsEntry): void {
    byKey.delete(entry.key);
    const at = entries.indexOf(entry);
    if (at >= 0) entries.splice(at, 1);
  }

  function load(entry: StatsEntry): void {
    try {
      const text = store.read(PREFIX + entry.key);
      const read = checkJson(figures, text === undefined ? NONE : String(text));
      const held = "value" in read ? read.value : undefined;
      if (held === undefined)
        notices.once(
          "stats:parse",
          "stored player figures cannot be read; they begin again at zero, without /bridge:block and /bridge:hide",
        );
      const own = entry.isErased ? undefined : held;
      entry.deaths += own?.deaths ?? 0;
      entry.kills += own?.kills ?? 0;
      entry.ticks += own?.ticks ?? 0;
      entry.since ??= held?.since;
      entry.isPaused ??= held?.paused ?? false;
      // Also what was counted before that was known.
      if (entry.isPaused) erase(entry);
      for (const what of CHOICES) entry[what] ??= held?.[what] ?? false;
      for (const what of held?.untold ?? []) note(entry, what);
      entry.loaded = true;
    } catch (error) {
      notices.once("stats:read", `player figures cannot be loaded yet (${errorName(error)})`);
    }
  }

  function erase(entry: StatsEntry): void {
    entry.deaths = entry.kills = entry.ticks = 0;
    entry.countedAt = clock.tick();
  }

  function note(entry: StatsEntry, what: Choice): void {
    if (!entry.untold.includes(what)) entry.untold.push(what);
  }

  function advance(entry: StatsEntry): void {
    entry.ticks += running(entry);
    entry.countedAt = clock.tick();
  }

  /** Ticks of the visit that are not counted yet. */
  const running = ({ users, isPaused, countedAt }: StatsEntry): number =>
    users > 0 && !isPaused ? Math.max(0, clock.tick() - countedAt) : 0;

  /** Writing before the stored value is known would wipe it out. */
  function save(entry: StatsEntry): boolean {
    entry.savedAt = clock.now();
    advance(entry);
    if (!entry.loaded) load(entry);
    if (!entry.loaded) return false;
    const { deaths, kills, ticks, since, isPaused, blocked, hidden, untold } = entry;
    // What is false or undefined is not stored.
    const stored = {
      deaths,
      kills,
      ticks,
      since,
      paused: isPaused || undefined,
      blocked: blocked || undefined,
      hidden: hidden || undefined,
      untold: isShared && untold.length > 0 ? untold : undefined,
    };
    try {
      store.write(PREFIX + entry.key, JSON.stringify(stored));
      entry.urgent = false;
      return true;
    } catch (error) {
      notices.once("stats:write", `player figures cannot be stored (${errorName(error)}); trying again`);
      return false;
    }
  }

  function saveOrKeep(entry: StatsEntry): void {
    if (save(entry) && entry.users === 0) forget(entry);
  }

  /** The player has left: stores the figures. */
  function close(entry: StatsEntry): void {
    advance(entry);
    entry.users = Math.max(0, entry.users - 1);
    saveOrKeep(entry);
    const unsaved = entries.length > MAX_UNSAVED ? entries.filter(other => other.users === 0) : [];
    const [oldest] = unsaved;
    if (unsaved.length > MAX_UNSAVED && oldest !== undefined) forget(oldest);
  }

  /** Stores the figures with one of the next steps. */
  function hurry(entry: StatsEntry): void {
    if (!entry.urgent) urgent.push(entry);
    entry.urgent = true;
  }

  return {
    /** The figures of a player who has come online. */
    open(key: string): StatsEntry {
      const entry = obtain(key);
      advance(entry);
      entry.users++;
      return entry;
    },
    close,
    /** A visit of the player begins, which is counted. */
    visit(entry: StatsEntry) {
      advance(entry);
      const now = clock.now();
      entry.since = now === entry.since ? now + 1 : now;
      entry.isPaused = false;
      hurry(entry);
    },
    /** Counts a death or a kill for a player who may have left already. */
    credit(key: string, what: "deaths" | "kills") {
      const entry = obtain(key);
      if (entry.isPaused) return;
      entry[what]++;
      hurry(entry);
    },
    /** Sets the figures to zero; without `counts` they stay so until the next visit. */
    forget(entry: StatsEntry, counts: boolean) {
      erase(entry);
      entry.isErased = !entry.loaded;
      if (!counts) entry.isPaused = true;
      hurry(entry);
    },
    /** The player has chosen this here, or with `isTold` on another server, as the sidecar says. */
    choose(entry: StatsEntry, what: Choice, value: boolean, isTold = false) {
      entry[what] = value;
      if (!isTold) note(entry, what);
      hurry(entry);
    },
    /** Whether what is chosen is to be told to the sidecar. */
    share(value: boolean) {
      isShared = value;
    },
    isShared: () => isShared,
    /** What the sidecar is told now of the choices of this player, who may have left; undefined: it knows them. */
    tell({ key, untold }: StatsEntry): Partial<Record<Choice, boolean>> | undefined {
      if (untold.length === 0) return undefined;
      const entry = obtain(key);
      const told = untold.splice(0).map(what => [what, entry[what]]);
      entry.untold = [];
      hurry(entry);
      return Object.fromEntries(told);
    },
    /** Whether the player is blocked, where the sidecar may judge by it what it knows. */
    judged: (entry: StatsEntry): boolean | undefined =>
      isShared && entry.untold.length === 0 ? entry.blocked : undefined,
    /** Whole seconds that the player has played. */
    playtimeSeconds(entry: StatsEntry): number {
      return Math.floor((entry.ticks + running(entry)) / 20);
    },
    /** Stores what is due at wall time `now`, a few values at most. To be called every tick. */
    step(now: number) {
      if (urgent.length > 0) {
        for (const entry of urgent.splice(0, WRITES_PER_TICK)) {
          saveOrKeep(entry);
          // One that could not be written is due again with its playtime.
          entry.urgent = false;
        }
      }
      for (let i = 0; i < CHECKS_PER_TICK && entries.length > 0; i++) {
        cursor = (cursor + 1) % entries.length;
        const entry = entries[cursor];
        const wait = entry?.loaded ? PLAYTIME_SAVE_MS : LOAD_RETRY_MS;
        if (entry !== undefined && Math.abs(now - entry.savedAt) >= wait) saveOrKeep(entry);
      }
    },
    /** Stores everything, before the script ends. */
    saveAll() {
      for (const entry of entries.slice()) save(entry);
    },
  };
}

const figures = object({
  deaths: count,
  kills: count,
  ticks: count,
  since: optional(count),
  paused: optional(bool),
  blocked: optional(bool),
  hidden: optional(bool),
  untold: optional(list(oneOf(...CHOICES), CHOICES.length)),
});

/** Those of somebody of whom nothing is stored. */
const NONE = '{"deaths":0,"kills":0,"ticks":0}';
