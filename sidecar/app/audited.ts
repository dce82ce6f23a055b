import type { ActionName } from "../../shared/actions.ts";
import type { Mark } from "../domain/feed.ts";
import type { Audit, AuditedChange, Clock } from "../ports.ts";
import type { Ended } from "./game.ts";

/** Who asks for a change: the name of the key, and the address that it came from. */
export interface Author {
  key: string;
  address: string;
}

/** What is asked for. */
type Change = Pick<AuditedChange, "action" | "name" | "reason">;

export type Note = ReturnType<typeof createNote>;

/** Writes changes that are asked of one game server into the audit, with what has come of them; `mark`: what is told of it. */
export const createNote =
  ({ audit, clock, mark }: { audit: Audit; clock: Pick<Clock, "now">; mark: Mark }) =>
  async <T extends { outcome: string }>(
    { action, name, reason }: Change,
    { key, address }: Author,
    changed: T,
  ): Promise<T> => {
    const about = { action, ...mark, name, ...(reason !== undefined && { reason }) };
    await audit.write({ at: clock.now(), key, address, ...about, outcome: changed.outcome });
    return changed;
  };

/** Why a change was not made, whatever it was; `unexpected_result` says it in words for the log. */
export type Undone = { outcome: "server_unavailable" } | { outcome: "unexpected_result"; why: string };

/** The same of an action that ended otherwise than done. */
export const notDone = (action: ActionName, ended: Ended): Undone =>
  ended.status === "away"
    ? { outcome: "server_unavailable" }
    : { outcome: "unexpected_result", why: faultOf(action, ended) };

/** How an action ended, in words for the log. */
export function faultOf(action: ActionName, ended: Ended): string {
  const reason = "reason" in ended && ended.reason ? `: ${ended.reason}` : "";
  return `${action} ${ended.status}${reason}`;
}
