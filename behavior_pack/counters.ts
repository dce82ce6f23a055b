import { errorName, type Notices } from "./notices.ts";
import type { Clock, Store } from "./ports.ts";

/** Lifetime figures of a player. */
export interface Figures {
  deaths: number;
  playerKills: number;
  playtimeSeconds: number;
}

/** The figures of one player while they are in use. */
export interface Tally {
  readonly key: string;
  deaths: number;
  kills: number;
  /** ticks played, up to `since` */
  ticks: number;
  since: number;
  /** how many online players use it: one, but for odd identities */
  users: number;
  /** whether the stored value has been added to the figures */
  loaded: boolean;
  urgent: boolean;
  /** wall time of the last attempt to store it */
  savedAt: number;
}

const PREFIX = "web_bridge:player:";
const WRITES_PER_TICK = 4;
const CHECKS_PER_TICK = 2;

/** How old the stored playtime may get before it is written again, in milliseconds. */
export const PLAYTIME_SAVE_MS = 20_000;

/** Figures of players who have left and could not be stored yet. */
const MAX_UNSAVED = 256;

export interface Counters {
  /** The figures of a player who has come online. */
  open(key: string): Tally;
  /** The player has left: stores the figures. */
  close(tally: Tally): void;
  /** Counts a death or a kill for a player who may have left already. */
  credit(key: string, what: "deaths" | "kills"): void;
  read(tally: Tally): Figures;
  /** Stores what is due, a few values at most. To be called every tick. */
  step(): void;
  /** Stores everything, before the script ends. */
  saveAll(): void;
}

export function createCounters(clock: Clock, store: Store, notices: Notices): Counters {
  const tallies: Tally[] = [];
  const byKey = new Map<string, Tally>();
  let urgent: Tally[] = [];
  let cursor = 0;

  function obtain(key: string): Tally {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const tally: Tally = {
      key,
      deaths: 0,
      kills: 0,
      ticks: 0,
      since: clock.tick(),
      users: 0,
      loaded: false,
      urgent: false,
      savedAt: clock.now(),
    };
    byKey.set(key, tally);
    tallies.push(tally);
    load(tally);
    return tally;
  }

  function forget(tally: Tally): void {
    byKey.delete(tally.key);
    const at = tallies.indexOf(tally);
    if (at >= 0) tallies.splice(at, 1);
  }

  function load(tally: Tally): void {
    try {
      const stored = parse(store.read(PREFIX + tally.key));
      if (stored === undefined)
        notices.once("counters:parse", "stored player figures cannot be read; they begin again at zero");
      tally.deaths += stored?.deaths ?? 0;
      tally.kills += stored?.kills ?? 0;
      tally.ticks += stored?.ticks ?? 0;
      tally.loaded = true;
    } catch (error) {
      notices.once("counters:read", `player figures cannot be loaded yet (${errorName(error)})`);
    }
  }

  function advance(tally: Tally): void {
    const tick = clock.tick();
    if (tally.users > 0) tally.ticks += Math.max(0, tick - tally.since);
    tally.since = tick;
  }

  /** Writing before the stored value is known would wipe it out. */
  function save(tally: Tally): boolean {
    tally.savedAt = clock.now();
    advance(tally);
    if (!tally.loaded) load(tally);
    if (!tally.loaded) return false;
    const { deaths, kills, ticks } = tally;
    try {
      store.write(PREFIX + tally.key, JSON.stringify({ deaths, kills, ticks }));
      tally.urgent = false;
      return true;
    } catch (error) {
      notices.once("counters:write", `player figures cannot be stored (${errorName(error)}); trying again`);
      return false;
    }
  }

  function saveOrKeep(tally: Tally): void {
    if (save(tally) && tally.users === 0) forget(tally);
  }

  function close(tally: Tally): void {
    advance(tally);
    tally.users = Math.max(0, tally.users - 1);
    saveOrKeep(tally);
    const unsaved = tallies.length > MAX_UNSAVED ? tallies.filter(other => other.users === 0) : [];
    const [oldest] = unsaved;
    if (unsaved.length > MAX_UNSAVED && oldest !== undefined) forget(oldest);
  }

  return {
    open(key) {
      const tally = obtain(key);
      advance(tally);
      tally.users++;
      return tally;
    },
    close,
    credit(key, what) {
      const tally = obtain(key);
      tally[what]++;
      if (!tally.urgent) urgent.push(tally);
      tally.urgent = true;
    },
    read(tally) {
      const running = tally.users > 0 ? Math.max(0, clock.tick() - tally.since) : 0;
      return {
        deaths: tally.deaths,
        playerKills: tally.kills,
        playtimeSeconds: Math.floor((tally.ticks + running) / 20),
      };
    },
    step() {
      if (urgent.length > 0) {
        const due = urgent.slice(0, WRITES_PER_TICK);
        urgent = urgent.slice(WRITES_PER_TICK);
        for (const tally of due) {
          saveOrKeep(tally);
          // One that could not be written is due again with its playtime.
          tally.urgent = false;
        }
      }
      const now = clock.now();
      for (let i = 0; i < CHECKS_PER_TICK && tallies.length > 0; i++) {
        cursor = (cursor + 1) % tallies.length;
        const tally = tallies[cursor];
        if (tally !== undefined && Math.abs(now - tally.savedAt) >= PLAYTIME_SAVE_MS) saveOrKeep(tally);
      }
    },
    saveAll() {
      for (const tally of tallies.slice()) save(tally);
    },
  };
}

const whole = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Stored figures; undefined when the value is damaged. */
function parse(value: unknown): { deaths: number; kills: number; ticks: number } | undefined {
  if (value === undefined) return { deaths: 0, kills: 0, ticks: 0 };
  if (typeof value !== "string") return undefined;
  try {
    const { deaths, kills, ticks } = JSON.parse(value) as Record<string, unknown>;
    return whole(deaths) && whole(kills) && whole(ticks) ? { deaths, kills, ticks } : undefined;
  } catch {
    return undefined;
  }
}
