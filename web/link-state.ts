import type { ErrorCode, LinkedPlayerResponse } from "../client/index.ts";

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
  /** `player` only while they are online; `wantsOther`: the form that replaces the link is open */
  | { is: "accepted"; player: string | undefined; wantsOther: boolean; call: Call };

export type LinkState = Link & {
  /** why the link cannot be read at the moment */
  unread: Fault | undefined;
  /** number of the newest question whose answer is shown */
  answered: number;
};

/**
 * Questions are numbered in the order in which they are asked, and the end of a call takes a number too: what was asked
 * before it tells of a link that may be gone.
 */
export type LinkEvent =
  | {
      is: "read";
      question: number;
      link: LinkedPlayerResponse;
      code: string;
      request: LinkRequest | undefined;
    }
  | { is: "unread"; question: number; fault: Fault }
  | { is: "other_wanted" }
  | { is: "name_missing" }
  | { is: "call_began" }
  | { is: "call_failed"; question: number; fault: Fault }
  | { is: "requested"; question: number; code: string; request: LinkRequest }
  | { is: "unlinked"; question: number };

export const LOADING: LinkState = { is: "loading", unread: undefined, answered: 0 };
const IDLE: Call = { is: "idle" };

/** The state after an event. One that does not fit the state, or answers an older question, changes nothing. */
export function linkState(state: LinkState, event: LinkEvent): LinkState {
  if ("question" in event && event.question <= state.answered) return state;
  const isRunning = "call" in state && state.call.is === "running";
  switch (event.is) {
    case "read":
      return isRunning ? state : { ...linkOf(state, event), unread: undefined, answered: event.question };
    case "unread":
      return isRunning ? state : { ...state, unread: event.fault, answered: event.question };
    case "other_wanted":
      return isRunning || state.is !== "accepted" ? state : { ...state, wantsOther: true };
    case "name_missing":
      return isRunning ? state : withCall(state, { is: "failed", fault: { code: "missing_username" } });
    case "call_began":
      return withCall(state, { is: "running" });
    case "call_failed":
      if (!isRunning) return state;
      return { ...withCall(state, { is: "failed", fault: event.fault }), answered: event.question };
    case "requested": {
      const { question, code, request } = event;
      return isRunning ? { is: "pending", code, request, unread: undefined, answered: question } : state;
    }
    case "unlinked":
      if (!isRunning) return state;
      return { is: "not_linked", call: IDLE, unread: undefined, answered: event.question };
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
      const wantsOther = before.is === "accepted" && before.wantsOther;
      return { is: "accepted", player: link.playerData?.name, wantsOther, call };
    }
    default:
      return link.status satisfies never;
  }
}
