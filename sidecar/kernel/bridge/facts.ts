import { createHash } from "node:crypto";
import type { Fact, FactOf, Outcome, PlayerRow } from "../../../shared/facts.ts";
import { isBug } from "../../platform/bugs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Lease } from "../storage/ports.ts";
import { type Game, mayBeOf } from "./actions.ts";
import type { Bus, LostAction, Parts } from "./ports.ts";
import { addPart, hasRoom } from "./snapshot.ts";

/** Facts that are only relayed, in batches. */
type LineFact = FactOf<"said" | "died">;

/** A relayed fact, with a key that lets another process recognise it if the pack sends it again. */
export interface Line {
  fact: LineFact;
  key: string;
}

/** All online players, as reported by a game server in one or more parts. */
interface PlayerReport {
  /** wall time in milliseconds */
  at: number;
  tps: number;
  rows: readonly PlayerRow[];
}

/** What features handle, by kind: most facts, and combinations of the others. */
type FactKinds = {
  [K in Exclude<Fact["is"], "said" | "died" | "names" | "snapshot" | "outcome">]: FactOf<K>;
} & {
  outcome: Outcome;
  lines: readonly Line[];
  listed: PlayerReport;
  /** a run of the pack begins its session */
  began: object;
};

/** Origin of a fact. */
interface FactContext {
  /** id of the pack's run */
  run: string;
  /** as in `Line` */
  key: string;
  lease: Lease;
}

/**
 * Handles a fact. The returned value replaces the fact for later features; "drop" ends the handling. If it rejects, as the storage
 * does, the pack resends the fact: a fact may come more than once, also to another process.
 */
type FactHandler<F> =
  | ((fact: F, context: FactContext) => Promise<F | "drop" | undefined>)
  | ((fact: F, context: FactContext) => Promise<void>);

/** Handlers of a feature, by kind of fact. */
export type FactHandlers = { readonly [K in keyof FactKinds]?: FactHandler<FactKinds[K]> };

const isLine = (fact: Fact): fact is LineFact => fact.is === "said" || fact.is === "died";
/** Facts that do not depend on each other: their storage requests run concurrently. */
const isIndependent = (fact: Fact): fact is LineFact | FactOf<"outcome"> =>
  isLine(fact) || fact.is === "outcome";

/**
 * Waits for all of them, even if one fails, so that nothing continues after the answer.
 * @throws the error of the first failure
 */
async function allOf(doing: readonly Promise<void>[]): Promise<void> {
  for (const done of await Promise.allSettled(doing)) if (done.status === "rejected") throw done.reason;
}

/** Origin of a batch of facts. */
interface Origin {
  run: string;
  /** number of the first fact */
  first: number;
  lease: Lease;
}

/** Passes the facts of a game server to the features, in their order. */
export interface Facts {
  /** Handles one or more of the first facts; returns how many. Calls must not overlap. */
  handle(facts: readonly Fact[], origin: Origin): Promise<number>;
  /** Handles the hello of a run, and the actions lost with the previous run, whose outcomes will never be reported. */
  began(run: string, lost: readonly LostAction[], lease: Lease): Promise<void>;
}

export function createFacts(deps: {
  clock: Pick<Clock, "now">;
  log: Pick<Log, "error">;
  bus: Bus;
  parts: Parts;
  game: Pick<Game, "settle">;
  /** prefix of the keys of facts; undefined if there is only one game server */
  server: string | undefined;
  features: readonly FactHandlers[];
}): Facts {
  const { clock, log, bus, parts, game, server, features } = deps;

  function keyOf(run: string, number: number, fact: Fact): string {
    const digest = createHash("sha1").update(JSON.stringify(fact)).digest("base64url");
    return [...(server === undefined ? [] : [server]), run, number, digest].join(":");
  }

  /**
   * Runs the handler of one feature. A bug there must not affect the other features: the fact would be resent forever, and block
   * everything behind it.
   */
  async function handledBy<K extends keyof FactKinds>(
    feature: FactHandlers,
    kind: K,
    fact: FactKinds[K],
    context: FactContext,
  ): Promise<FactKinds[K] | "drop" | undefined> {
    try {
      return (await feature[kind]?.(fact, context)) ?? undefined;
    } catch (error) {
      if (!isBug(error)) throw error;
      log.error({ error, fact: kind }, "Unexpected error in a feature: it missed a report of the game");
      return undefined;
    }
  }

  /** Passes a fact through the features; undefined: one of them dropped it. */
  async function pass<K extends keyof FactKinds>(
    kind: K,
    fact: FactKinds[K],
    context: FactContext,
  ): Promise<FactKinds[K] | undefined> {
    let now = fact;
    for (const feature of features) {
      const next = await handledBy(feature, kind, now, context);
      if (next === "drop") return undefined;
      if (next !== undefined) now = next;
    }
    return now;
  }

  /** Settles the wait for an outcome, here or in another process. */
  async function passOutcome(reported: Outcome, context: FactContext): Promise<void> {
    const names = mayBeOf(reported, "allowlist-read") ? await parts.names(reported.id) : undefined;
    const handled = (await pass("outcome", reported, context)) ?? reported;
    const [outcome, all] =
      names === "too many"
        ? [{ ...handled, status: "failed" as const, reason: "too many names" }]
        : [handled, names];
    if (!game.settle(outcome, all))
      await bus.publish({ kind: "outcome", outcome, ...(all && { names: all }) }, context.lease);
    if (names) await parts.forgetNames(reported.id);
  }

  /** Adds a part of a report, which is handled once it is complete. */
  async function addToReport(fact: FactOf<"snapshot">, number: number, context: FactContext): Promise<void> {
    const added = addPart(await parts.partial(), fact, number);
    if (!added.complete) return parts.setPartial(added.partial, context.lease);
    const { tps, rows } = added.complete;
    await pass("listed", { at: clock.now(), tps, rows }, context);
    // Another process needs the earlier parts if it gets the last part again.
    return parts.setPartial(undefined, context.lease);
  }

  async function handle(facts: readonly Fact[], { run, first, lease }: Origin): Promise<number> {
    const end = facts.findIndex(fact => !isIndependent(fact));
    const independent = facts.slice(0, end < 0 ? facts.length : end).filter(isIndependent);
    if (independent.length > 0) {
      const lines = independent.flatMap((fact, i) =>
        isLine(fact) ? [{ fact, key: keyOf(run, first + i, fact) }] : [],
      );
      const context = { run, key: "", lease };
      const outcomes = independent.flatMap(fact => (isLine(fact) ? [] : [passOutcome(fact, context)]));
      const passed = pass("lines", lines, context).then(() => undefined);
      await allOf(lines.length === 0 ? outcomes : [passed, ...outcomes]);
      return independent.length;
    }
    const [fact] = facts;
    if (fact && !isIndependent(fact)) {
      const context = { run, key: keyOf(run, first, fact), lease };
      if (fact.is === "names") await parts.addNames(fact.id, first, fact.names, lease);
      else if (fact.is === "snapshot") await addToReport(fact, first, context);
      // A snapshot cannot contain more players.
      else if (fact.is === "joined" && !hasRoom((await bus.lastSnapshot())?.rows ?? [], fact.row)) return 1;
      else await passOne(fact, context);
    }
    return 1;
  }

  async function passOne<K extends Exclude<keyof FactKinds, "outcome" | "lines" | "listed" | "began">>(
    fact: FactKinds[K] & { is: K },
    context: FactContext,
  ): Promise<void> {
    await pass(fact.is, fact, context);
  }

  return {
    handle,
    async began(run, lost, lease) {
      const context = { run, key: "", lease };
      await parts.setPartial(undefined, lease);
      const reason = "the game server restarted before it answered";
      await allOf(lost.map(action => passOutcome({ ...action, status: "failed", reason }, context)));
      await pass("began", {}, context);
    },
  };
}
