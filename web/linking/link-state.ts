import type { DeclineReason, LinkedPlayerResponse, PlayerData } from "../../client/index.ts";
import type { Fault } from "../platform/texts.ts";

/** A pending request: the player's name, and when it expires in milliseconds since 1970. */
export interface LinkRequest {
  name: string;
  until: number;
}

/** The call that changes the link: a request, cancelling it, or unlinking. One at a time. */
export type Call = { is: "idle" } | { is: "running" } | { is: "failed"; fault: Fault };

type Link =
  | { is: "loading" }
  | { is: "not_linked"; call: Call }
  /** `code`: what the game calls this browser; `request` is known in the browser that made it */
  | { is: "pending"; code: string; request: LinkRequest | undefined; call: Call }
  | { is: "declined"; code: string; reason: DeclineReason | undefined; call: Call }
  /** `player` only while they are online; `isReplacing`: the form that replaces the link is open */
  | { is: "accepted"; player: PlayerData | undefined; isReplacing: boolean; call: Call };

export type LinkState = Link & {
  /** why the link cannot be read at the moment */
  readFault: Fault | undefined;
  /** number of the newest call whose answer is shown */
  latestSeq: number;
};

/**
 * `seq` numbers the calls to the service in the order in which they are sent. The end of a change takes a number too: answers to
 * earlier reads are outdated then.
 */
export type LinkEvent =
  | {
      is: "read";
      seq: number;
      link: LinkedPlayerResponse;
      code: string;
      request: LinkRequest | undefined;
    }
  | { is: "read_failed"; seq: number; fault: Fault }
  | { is: "replacing_began" }
  | { is: "name_missing" }
  | { is: "name_changed" }
  | { is: "call_began" }
  | { is: "call_failed"; seq: number; fault: Fault }
  | { is: "requested"; seq: number; code: string; request: LinkRequest }
  /** the link was removed, or the request cancelled */
  | { is: "ended"; seq: number };

export const LOADING: LinkState = { is: "loading", readFault: undefined, latestSeq: 0 };
const IDLE: Call = { is: "idle" };

/** The state after an event. One that does not fit the state, or belongs to an older call, changes nothing. */
export function linkReducer(state: LinkState, event: LinkEvent): LinkState {
  if ("seq" in event && event.seq <= state.latestSeq) return state;
  const isRunning = "call" in state && state.call.is === "running";
  switch (event.is) {
    case "read":
      return isRunning ? state : { ...linkOf(state, event), readFault: undefined, latestSeq: event.seq };
    case "read_failed":
      return isRunning ? state : { ...state, readFault: event.fault, latestSeq: event.seq };
    case "replacing_began":
      return isRunning || state.is !== "accepted" ? state : { ...state, isReplacing: true };
    case "name_missing":
      return isRunning ? state : withCall(state, { is: "failed", fault: { code: "missing_username" } });
    case "name_changed":
      // An error about the previous name does not apply to this one.
      return "call" in state && state.call.is === "failed" ? { ...state, call: IDLE } : state;
    case "call_began":
      return withCall(state, { is: "running" });
    case "call_failed":
      if (!isRunning) return state;
      return { ...withCall(state, { is: "failed", fault: event.fault }), latestSeq: event.seq };
    case "requested": {
      const { seq, code, request } = event;
      return isRunning
        ? { is: "pending", code, request, call: IDLE, readFault: undefined, latestSeq: seq }
        : state;
    }
    case "ended":
      if (!isRunning) return state;
      return { is: "not_linked", call: IDLE, readFault: undefined, latestSeq: event.seq };
    default:
      return event satisfies never;
  }
}

const withCall = (state: LinkState, call: Call): LinkState => ("call" in state ? { ...state, call } : state);

/** The link after a read. Open forms and error messages stay as long as the status does. */
function linkOf(before: LinkState, { link, code, request }: Extract<LinkEvent, { is: "read" }>): Link {
  const call = "call" in before && before.is === link.status ? before.call : IDLE;
  switch (link.status) {
    case "not_linked":
      return { is: "not_linked", call };
    case "declined":
      return { is: "declined", code, reason: link.reason, call };
    case "pending":
      return {
        is: "pending",
        code,
        request: request ?? (before.is === "pending" ? before.request : undefined),
        call,
      };
    case "accepted": {
      const isReplacing = before.is === "accepted" && before.isReplacing;
      return { is: "accepted", player: link.playerData, isReplacing, call };
    }
    default:
      return link.status satisfies never;
  }
}
