import type { ActionName } from "../../../shared/actions.ts";
import { IN_GAME } from "../../../shared/authors.ts";
import type { ActionEnd } from "../../kernel/bridge/actions.ts";
import type { Caller } from "../../kernel/http/keys.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { type Bucket, type Rate, takeToken } from "../../platform/rate.ts";
import type { ServerTag } from "../feed/rules/window.ts";

/** What every entry of the audit has. */
interface AuditFields {
  /** wall time in milliseconds since 1970 */
  at: number;
  address: string;
  /** the player; of an announcement its text */
  name: string;
  /** status or error code of the answer */
  outcome: string;
}

/** Rate of changes by players and operators of one of several game servers that apply to all of them. */
type GameChange =
  | "link.accept"
  | "link.end"
  | "webchat.set"
  | "browser.mute"
  | "browser.unmute"
  | `player.${"hide" | "show" | "block" | "unblock" | "forget"}`;

/** A change by the holder of a key or in the game, and its outcome. */
export interface AuditedChange extends AuditFields {
  /** name of the key, `player:` and the name of a player without one, or `game:` and who decided it there */
  key: string;
  /** of the player without a key */
  uuid?: string;
  action:
    | "whitelist.add"
    | "whitelist.remove"
    | "player.kick"
    | "chat.announce"
    | "chat.mute"
    | "chat.unmute"
    | "ban.add"
    | "ban.remove"
    | "ban.bind"
    | GameChange;
  /** name of the game server, where there are several */
  server?: string;
  /** where one was given */
  reason?: string;
}

/** A sign-in to another site. */
interface AuditedSignIn extends AuditFields {
  /** id of the site */
  client: string;
  action: "sign-in";
}

export type AuditEntry = AuditedChange | AuditedSignIn;

/** The audit log; each process has its own. */
export interface Audit {
  /** Settles once the entry is written, or its failure logged. Never rejects. */
  write(entry: AuditEntry): Promise<void>;
}

/** Reads the audit log of this process. */
export interface AuditReader {
  /** The newest lines, newest first, each as JSON has it. Rejects where the file cannot be read. */
  newest(limit: number): Promise<unknown[]>;
}

/** Who makes a change, and from which address. */
export interface Author extends Caller {
  address: string;
}

type AuditedAction = Pick<AuditedChange, "action" | "name" | "reason">;

/** Writes a change on a game server into the audit, with its outcome, and returns the outcome. */
export type AuditChange = <T extends { outcome: string }>(
  change: AuditedAction,
  author: Author,
  changed: T,
) => Promise<T>;

export const createAuditChange =
  ({ audit, clock, tag }: { audit: Audit; clock: Pick<Clock, "now">; tag: ServerTag }): AuditChange =>
  async <T extends { outcome: string }>(
    { action, name, reason }: AuditedAction,
    { key, uuid, address }: Author,
    changed: T,
  ): Promise<T> => {
    const about = { action, ...tag, name, ...(reason !== undefined && { reason }) };
    const by = { key, ...(uuid !== undefined && { uuid }) };
    await audit.write({ at: clock.now(), ...by, address, ...about, outcome: changed.outcome });
    return changed;
  };

/** Lines of one action of one game server: one that changes a lot must not push out the lines of others. */
const FROM_GAME: Rate = { perSecond: 0.1, burst: 500 };

/** Writes what was changed on a game server into the audit; `by`: the player, undefined for the console. */
export type AuditGameChange = (
  change: AuditedAction,
  by: string | undefined,
  outcome: string,
) => Promise<void>;

/**
 * Each action has a separate bucket, so that one that is cheap to repeat hides no other. Every ban is written: bans have a
 * separate limit.
 */
export function createAuditGameChange(deps: {
  auditChange: AuditChange;
  clock: Pick<Clock, "monotonic">;
  log: Pick<Log, "warn">;
}): AuditGameChange {
  const buckets = new Map<AuditedAction["action"], Bucket>();
  function mayWrite({ action }: AuditedAction): boolean {
    if (action.startsWith("ban.")) return true;
    const now = deps.clock.monotonic();
    const bucket = buckets.get(action) ?? { tokens: FROM_GAME.burst, at: now };
    buckets.set(action, bucket);
    return takeToken(bucket, FROM_GAME, now);
  }
  return async (change, by, outcome) => {
    const key = `${IN_GAME}${by ?? "Server"}`;
    if (mayWrite(change)) await deps.auditChange(change, { key, address: "game" }, { outcome });
    else
      deps.log.warn(
        { by: key, ...change },
        "A game server reports too many changes: not all of them are written to the audit log",
      );
  };
}

/** Why a change was not made; `unexpected_result` has the reason in words for the log. */
export type NotDone = { outcome: "server_unavailable" } | { outcome: "unexpected_result"; why: string };

/** Why a change was not made, by the end of its action. */
export const notDone = (action: ActionName, ended: ActionEnd): NotDone =>
  ended.status === "away"
    ? { outcome: "server_unavailable" }
    : { outcome: "unexpected_result", why: faultOf(action, ended) };

/** How an action ended, in words for the log. */
export function faultOf(action: ActionName, ended: ActionEnd): string {
  const reason = "reason" in ended && ended.reason ? `: ${ended.reason}` : "";
  return `${action} ${ended.status}${reason}`;
}
