import {
  type DeclineReason,
  declineReason,
  type KnownSite,
  type Link,
  type LinkedPlayer,
  type LinkRecord,
  type LinkStep,
  MAX_SITES,
  openRequestOf,
  requestedPlayer,
  type SiteSignIn,
} from "../../linking/rules/links.ts";
import { siteOf, sitesOf } from "../../sites/rules.ts";

/** A sign-in as its site requests it. */
export interface SignInRequest extends SiteSignIn {
  /** the player has to confirm in the game, even if linked */
  isFresh: boolean;
  /** how long ago the player may have accepted at most, in milliseconds */
  maxAgeMs?: number | undefined;
  /** uuid of the only player who may sign in */
  subject?: string | undefined;
}

export interface SignInState {
  /**
   * `begun`: no request was sent, or its outcome is no longer stored; `waiting`: the request was sent or is open; `declined`: the
   * request was declined or timed out; `accepted`: the player accepted
   */
  status: "begun" | "waiting" | "declined" | "accepted";
  /** until when the form may be answered, in milliseconds since 1970; only while waiting */
  until?: number | undefined;
  /** name of the player who has the request; only while waiting */
  asked?: string | undefined;
  /** why the request was declined; undefined otherwise, and where an older version has not stored it */
  reason?: DeclineReason | undefined;
  /** the player that the browser may continue as */
  offered: LinkedPlayer | undefined;
}

/** When the player of a link accepted last, in milliseconds since 1970; undefined: unknown. */
export const acceptedAt = (link: Link): number | undefined =>
  link.status === "accepted" ? (link.authAt ?? link.at) : undefined;

/** Whether the player accepted the request of this sign-in. */
const isAnswered = (link: Link, { ask }: SignInRequest): boolean =>
  link.status === "accepted" && link.answered?.ask === ask && link.answered.accepted;

/** The player that a browser may continue as in a sign-in. */
export function offered(link: Link, request: SignInRequest, now: number): LinkedPlayer | undefined {
  const at = acceptedAt(link);
  if (link.status !== "accepted" || at === undefined) return undefined;
  const { player } = link;
  if (request.subject !== undefined && request.subject !== player.uuid) return undefined;
  if (isAnswered(link, request)) return player;
  return request.isFresh || now - at > (request.maxAgeMs ?? Number.POSITIVE_INFINITY) ? undefined : player;
}

/** Whether the request that a record holds is that of this sign-in. */
const isRequestOf = ({ link, asking }: LinkRecord, ask: string): boolean =>
  (openRequestOf(link) ?? asking)?.signIn?.ask === ask;

/** The last request that was declined. */
function lastDeclined(link: Link) {
  if (link.status === "declined") return link;
  return link.status === "accepted" && link.answered?.accepted === false ? link.answered : undefined;
}

export function stateOf(record: LinkRecord, request: SignInRequest, now: number): SignInState {
  const { link, asking } = record;
  const whom = offered(link, request, now);
  if (isRequestOf(record, request.ask)) {
    const until = openRequestOf(link)?.deadline ?? asking?.deadline;
    return { status: "waiting", until, asked: requestedPlayer(record), offered: whom };
  }
  if (isAnswered(link, request)) return { status: "accepted", offered: whom };
  const declined = lastDeclined(link);
  if (declined?.ask !== request.ask) return { status: "begun", offered: whom };
  return { status: "declined", reason: declineReason(declined), offered: whom };
}

/** Accepts a site for the player of this uuid, if the player is offered; an earlier consent stays. */
export function agree(
  record: LinkRecord,
  request: SignInRequest,
  by: { uuid: string; yes: string; now: number },
): LinkStep<KnownSite | "not_offered"> {
  const { link } = record;
  if (link.status !== "accepted" || offered(link, request, by.now)?.uuid !== by.uuid)
    return { record, answer: "not_offered" };
  const known = siteOf(link, request.site);
  if (known) return { record, answer: known };
  const site = { id: request.site, at: by.now, yes: by.yes };
  return {
    record: { ...record, link: { ...link, sites: [...sitesOf(link), site].slice(-MAX_SITES) } },
    answer: site,
  };
}

/** The outcome of a sign-in that must not show anything. */
export function silently(
  link: Link,
  request: SignInRequest,
  now: number,
): { uuid: string } | "login_required" | "consent_required" {
  const player = offered(link, request, now);
  if (player === undefined) return "login_required";
  return siteOf(link, request.site) ? { uuid: player.uuid } : "consent_required";
}

/**
 * A player's name for sites that allow neither spaces nor other scripts, such as `old-steve-12`. Two players may have the same.
 */
export function nicknameOf(name: string, uuid: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || `player-${uuid.slice(0, 8)}`;
}
