import { useCallback, useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { Result, SessionData } from "../../client/types.ts";
import { usePolling } from "../platform/hooks.ts";
import { readStored, store } from "../platform/storage.ts";
import { declinedText, type Fault, texts } from "../platform/texts.ts";
import { client } from "../service/service.ts";
import { codeOf, type Session } from "../service/session.ts";
import { announce } from "../ui/announce.tsx";
import { type LinkRequest, type LinkState, LOADING, linkReducer } from "./link-state.ts";

/** Where the pending request is stored for other tabs, and for this one after a reload. */
const STORED = "link-request";

function readRequest(): LinkRequest | undefined {
  try {
    const { name, until } = JSON.parse(readStored(STORED) ?? "");
    return typeof name === "string" && typeof until === "number" ? { name, until } : undefined;
  } catch {
    return undefined;
  }
}

/** Forgets a stored request that has expired by the given time: the next one may come from elsewhere. */
function forgetRequest(now: number): void {
  const request = readRequest();
  if (request && request.until <= now) localStorage.removeItem(STORED);
}

interface LinkControl {
  state: LinkState;
  /** the session with its player, once it is known */
  linked: SessionData | undefined;
  request(name: string): Promise<void>;
  /** Cancels the pending request. */
  cancel(): Promise<void>;
  unlink(): Promise<void>;
  /** Opens the form that replaces an accepted link. */
  startReplacing(): void;
  /** Clears the error message about the last request. */
  changeName(): void;
}

/**
 * Follows the link of this browser, and changes it. `verificationMs`: how long a player may take to answer; `first`: the
 * session that the page has begun; `onNewSession`: called after a session was created.
 */
export function useLink(verificationMs: number, first: Session, onNewSession: () => void): LinkControl {
  const [state, dispatch] = useReducer(linkReducer, LOADING);
  const lastSeq = useRef(0);
  /** what the game calls this session; empty as long as there is none */
  const code = useRef("");
  /** a session was created, and it is not known yet whether the browser keeps cookies */
  const isNew = useRef(false);
  const [linked, setLinked] = useState<SessionData | undefined>(undefined);
  /** whether `linked` was read since the link was accepted */
  const isLinkedRead = useRef(false);

  /** Creates the session, or finds the current one. */
  const begin = useCallback(async () => {
    const session = await client.initialize();
    code.current = session.ok ? codeOf(session.value.userId) : "";
    if (session.ok && session.value.status === "new") isNew.current = true;
    return session;
  }, []);
  /** Notes an answer that only a browser with the session's cookie gets. */
  const confirmSession = useCallback(() => {
    if (isNew.current) onNewSession();
    isNew.current = false;
  }, [onNewSession]);
  const read = useCallback(async () => {
    const seq = ++lastSeq.current;
    let begun = code.current === "" ? await first.begun : undefined;
    if (begun?.ok) code.current = codeOf(begun.value.userId);
    else if (begun) begun = await begin();
    let answer = begun?.ok === false ? begun : await client.linkedPlayer();
    // The cookie may have been deleted. A browser that keeps none is not given a second one.
    if (!answer.ok && answer.code === "missing_session" && !isNew.current && (await begin()).ok)
      answer = await client.linkedPlayer();
    if (!answer.ok) return dispatch({ is: "read_failed", seq, fault: answer });
    confirmSession();
    const { status } = answer.value;
    if (status !== "pending") forgetRequest(Date.now());
    if (status !== "accepted") isLinkedRead.current = false;
    else if (!isLinkedRead.current) {
      const session = await client.session();
      isLinkedRead.current = session.ok;
      setLinked(session.ok ? session.value : undefined);
    }
    dispatch({ is: "read", seq, link: answer.value, code: code.current, request: readRequest() });
  }, [first, begin, confirmSession]);
  usePolling(state.is === "pending" ? 1_000 : 5_000, read);

  useEffect(() => {
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === STORED) void read();
    };
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [read]);

  const whyDeclined = state.is === "declined" ? declinedText(state.reason, state.code) : undefined;
  const isConflict = state.is === "declined" && state.reason === "same_characters";
  const before = useRef(state.is);
  useEffect(() => {
    const { current: last } = before;
    before.current = state.is;
    if (last === "pending" && state.is === "accepted") announce(texts.linkedNow);
    // The later one of two requests with the same characters was never pending.
    if (whyDeclined !== undefined && (last === "pending" || (isConflict && last !== "loading")))
      announce(whyDeclined);
  }, [state.is, whyDeclined, isConflict]);

  const fail = (fault: Fault): void => dispatch({ is: "call_failed", seq: ++lastSeq.current, fault });

  async function request(typed: string): Promise<void> {
    // Phones add a space after a completed word.
    const name = typed.trim();
    if (name === "") return dispatch({ is: "name_missing" });
    dispatch({ is: "call_began" });
    const session = await begin();
    const request = { name, until: Date.now() + verificationMs };
    isLinkedRead.current = false;
    const answer = session.ok ? await client.linkPlayer(name) : session;
    if (answer.ok) {
      confirmSession();
      // Without storage, only this tab counts down.
      store(STORED, JSON.stringify(request));
      announce(texts.pendingFor(name));
      dispatch({ is: "requested", seq: ++lastSeq.current, code: code.current, request });
    } else fail({ ...answer, subject: name });
    await read();
  }

  /** Makes a call that ends the link or the request. */
  async function end(call: () => Promise<Result<object>>, done: string): Promise<void> {
    dispatch({ is: "call_began" });
    const answer = await call();
    if (answer.ok) {
      dispatch({ is: "ended", seq: ++lastSeq.current });
      forgetRequest(Number.POSITIVE_INFINITY);
      announce(done);
    } else fail(answer);
    await read();
  }

  return {
    state,
    linked,
    request,
    cancel: () => end(client.cancelLinkRequest, texts.cancelled),
    unlink: () => end(client.unlinkPlayer, texts.unlinked),
    startReplacing: () => dispatch({ is: "replacing_began" }),
    changeName: () => dispatch({ is: "name_changed" }),
  };
}
