import type { SidecarLife } from "./game-lines.ts";
import type { Violation } from "./order.ts";

/** A request of the public listener, in milliseconds since the run began. */
export interface Asked {
  what: string;
  askedAt: number;
  answeredAt: number;
  /** undefined: the connection ended without an answer */
  status: number | undefined;
  /** number of the sidecar process when it was asked */
  life: number;
  /** whether the game has to do something for it */
  ofGame: boolean;
}

/** A name for the whitelist. */
interface Name {
  name: string;
  asked: Asked;
  /** how often the game was told to add it */
  tries: number;
  listed: number;
}

const LONG_MS = 9_000;
const CLEARLY_MS = 1_000;
/** What is asked so shortly before may not have arrived. */
const ON_THE_WAY_MS = 200;

/** Whoever is answered so was asked of no game. */
const OVER_RATE = 429;

/** Actions begin in order (ACT-5): none goes without an outcome while one asked for later has had its own. */
export function judgeWaits(all: readonly Asked[]): Violation[] {
  const ofGame = all.filter(asked => asked.ofGame);
  return ofGame.flatMap(({ askedAt, answeredAt, life, status, what }) => {
    if (status !== 500 || answeredAt - askedAt < LONG_MS) return [];
    const other = ofGame.find(
      one =>
        one.life === life &&
        one.askedAt > askedAt &&
        one.status !== undefined &&
        one.status < 500 &&
        one.status !== OVER_RATE &&
        one.answeredAt < answeredAt - CLEARLY_MS,
    );
    if (!other) return [];
    const ms = Math.round(other.answeredAt - other.askedAt);
    return [
      { at: askedAt, what: `${what}: no outcome, while ${other.what}, asked later, had one in ${ms} ms` },
    ];
  });
}

/** A sidecar that is stopped in an orderly way answers what it was asked before. */
export function judgeCutOff(all: readonly Asked[], lives: readonly SidecarLife[]): Violation[] {
  return lives.flatMap(({ number, readyAt, stopAskedAt }) =>
    all.flatMap(({ askedAt, answeredAt, life, status, what }) =>
      status === undefined &&
      life === number &&
      readyAt !== undefined &&
      stopAskedAt !== undefined &&
      askedAt > readyAt &&
      askedAt < stopAskedAt - ON_THE_WAY_MS
        ? [{ at: answeredAt, what: `${what}: cut off by a sidecar that was asked to stop` }]
        : [],
    ),
  );
}

/** A name is added once at most, and it is on the list when the service said so. */
export function judgeNames(names: readonly Name[]): Violation[] {
  return names.flatMap(({ asked, listed, name, tries }) => {
    const at = asked.answeredAt;
    if (tries > 1) return [{ at, what: `${name}: the game was told to add it ${tries} times` }];
    if (listed > 1) return [{ at, what: `${name}: is on the list ${listed} times` }];
    if (asked.status === 202 && listed === 0)
      return [{ at, what: `${name}: was answered 202 and is not listed` }];
    return [];
  });
}
