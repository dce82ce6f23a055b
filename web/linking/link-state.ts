import type { ErrorCode, LinkedPlayerResponse, PlayerData } from "../../client/index.ts";

/** An open request: whom it asked, and until when in milliseconds since 1970. */
export interface LinkRequest {
  name: string;
  until: number;
}

/** Why a call failed. `subject`: the name that was typed. */
export interface Fault {
  code: ErrorCode;
  /** seconds */
  retryAfter?: number;
  subject?: string;
}

/** The call that changes the link: asking a player, or unlinking. One at a time. */
export type Call = { is: "idle" } | { is: "running" } | { is: "failed"; fault: Fault };

type Link =
  /** nothing was read yet */
  | { is: "loading" }
  | { is: "not_linked"; call: Call }
  /** `code` names this browser in the game; `request` is known to the tabs of the browser that asked */
  | { is: "pending"; code: string; request: LinkRequest | undefined }
  | { is: "declined"; call: Call }
  /** `player` only while they are online; `isReplacing`: the form that replaces the link is open */
  | { is: "accepted"; player: PlayerData | undefined; isReplacing: boolean; call: Call };

export type LinkState = Link & {
  /** why the link cannot be read at the moment */
  readFault: Fault | undefined;
  /** number of the newest request whose answer is shown */
  latestSeq: number;
};

/**
 * `seq` numbers requests to the service in the order in which they are sent, and the end of a call takes a number too:
 * what was sent before it tells of a link that may be gone.
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
  | { is: "call_began" }
  | { is: "call_failed"; seq: number; fault: Fault }
  | { is: "requested"; seq: number; code: string; request: LinkRequest }
  | { is: "unlinked"; seq: number };

export const LOADING: LinkState = { is: "loading", readFault: undefined, latestSeq: 0 };
const IDLE: Call = { is: "idle" };

/** The state after an event. One that does not fit the state, or tells of an older request, changes nothing. */
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
    case "call_began":
      return withCall(state, { is: "running" });
    case "call_failed":
      if (!isRunning) return state;
      return { ...withCall(state, { is: "failed", fault: event.fault }), latestSeq: event.seq };
    case "requested": {
      const { seq, code, request } = event;
      return isRunning ? { is: "pending", code, request, readFault: undefined, latestSeq: seq } : state;
    }
    case "unlinked":
      if (!isRunning) return state;
      return { is: "not_linked", call: IDLE, readFault: undefined, latestSeq: event.seq };
    default:
      return event satisfies never;
  }
}

const withCall = (state: LinkState, call: Call): LinkState => ("call" in state ? { ...state, call } : state);

/** The link that was read. What the reader did stays as long as the link is in the same state. */
function linkOf(before: LinkState, { link, code, request }: Extract<LinkEvent, { is: "read" }>): Link {
  const call = "call" in before && before.is === link.status ? before.call : IDLE;
  switch (link.status) {
    case "not_linked":
    case "declined":
      return { is: link.status, call };
    case "pending":
      return {
        is: "pending",
        code,
        request: request ?? (before.is === "pending" ? before.request : undefined),
      };
    case "accepted": {
      const isReplacing = before.is === "accepted" && before.isReplacing;
      return { is: "accepted", player: link.playerData, isReplacing, call };
    }
    default:
      return link.status satisfies never;
  }
}
