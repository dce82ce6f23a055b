import { useCallback, useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { LinkStatus, SessionData } from "../../client/types.ts";
import { usePolling } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import { client } from "../service/service.ts";
import type { Session } from "../service/session.ts";
import { announce } from "../ui/announce.tsx";
import { type Fault, type LinkRequest, type LinkState, LOADING, linkReducer } from "./link-state.ts";

/** Where the open request is kept for the other tabs and for a page that is loaded again. */
const STORED = "link-request";

function readRequest(): LinkRequest | undefined {
  try {
    const { name, until } = JSON.parse(localStorage.getItem(STORED) ?? "");
    return typeof name === "string" && typeof until === "number" ? { name, until } : undefined;
  } catch {
    return undefined;
  }
}

/** Forgets the open request once its time is over and it is none any more: another one may have nothing to do with it. */
function forgetRequest(): void {
  const request = readRequest();
  if (request && request.until <= Date.now()) localStorage.removeItem(STORED);
}

function writeRequest(request: LinkRequest): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(request));
  } catch {
    // Without storage only this tab counts down.
  }
}

/** What the game calls a session. */
const codeOf = (userId: string): string => userId.slice(0, 8);

interface LinkControl {
  state: LinkState;
  /** whom this browser is linked to and since when, as soon as that is known */
  linked: SessionData | undefined;
  /** what the game calls this browser, where its request ended because another one is called so too */
  alike: string | undefined;
  ask(name: string): Promise<void>;
  unlink(): Promise<void>;
  /** Opens the form that replaces an accepted link. */
  startReplacing(): void;
}

/**
 * Follows the link of this browser, and changes it. `verificationMs`: how long a player may take to answer; `first`: the
 * session that the page has begun; `onNewSession`: there was no session before.
 */
export function useLink(verificationMs: number, first: Session, onNewSession: () => void): LinkControl {
  const [state, dispatch] = useReducer(linkReducer, LOADING);
  const lastSeq = useRef(0);
  /** what the game calls the session; empty as long as there is none */
  const code = useRef("");
  /** a session was made, and nobody knows yet whether the browser keeps it */
  const isNew = useRef(false);
  const [linked, setLinked] = useState<SessionData | undefined>(undefined);
  /** the status that this was asked for */
  const known = useRef<LinkStatus | undefined>(undefined);

  /** Makes the session, or finds the one that is there. */
  const begin = useCallback(async () => {
    const session = await client.initialize();
    code.current = session.ok ? codeOf(session.value.userId) : "";
    if (session.ok && session.value.status === "new") isNew.current = true;
    return session;
  }, []);
  /** Notes an answer that only a browser gets that keeps its session. */
  const kept = useCallback(() => {
    if (isNew.current) onNewSession();
    isNew.current = false;
  }, [onNewSession]);
  const read = useCallback(async () => {
    const seq = ++lastSeq.current;
    let begun = code.current === "" ? await first.begun : undefined;
    if (begun?.ok) code.current = codeOf(begun.value.userId);
    else if (begun) begun = await begin();
    let answer = begun?.ok === false ? begun : await client.linkedPlayer();
    // It may have been lost since, with the cookies of the browser. One that keeps none gets no more of them.
    if (!answer.ok && answer.code === "missing_session" && !isNew.current && (await begin()).ok)
      answer = await client.linkedPlayer();
    if (!answer.ok) return dispatch({ is: "read_failed", seq, fault: answer });
    kept();
    const { status } = answer.value;
    if (status !== "pending") forgetRequest();
    if (status !== "accepted" && status !== "declined") known.current = undefined;
    else if (known.current !== status) {
      const session = await client.session();
      known.current = session.ok ? status : undefined;
      setLinked(session.ok ? session.value : undefined);
    }
    dispatch({ is: "read", seq, link: answer.value, code: code.current, request: readRequest() });
  }, [first, begin, kept]);
  usePolling(state.is === "pending" ? 1_000 : 5_000, read);

  useEffect(() => {
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === STORED) void read();
    };
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [read]);

  const alike =
    state.is === "declined" && linked?.reason === "same_characters" ? codeOf(linked.userId) : undefined;
  const before = useRef(state.is);
  useEffect(() => {
    const wasPending = before.current === "pending";
    const isFirst = before.current === "loading";
    before.current = state.is;
    if (wasPending && state.is === "accepted") announce(texts.linkedNow);
    if (alike !== undefined && !isFirst) announce(texts.sameCode(alike));
    else if (wasPending && state.is === "declined") announce(texts.declinedNow);
  }, [state.is, alike]);

  const fail = (fault: Fault): void => dispatch({ is: "call_failed", seq: ++lastSeq.current, fault });

  async function ask(typed: string): Promise<void> {
    // Phones put a space behind a word that they have completed.
    const name = typed.trim();
    if (name === "") return dispatch({ is: "name_missing" });
    dispatch({ is: "call_began" });
    const session = await begin();
    const request = { name, until: Date.now() + verificationMs };
    known.current = undefined;
    const answer = session.ok ? await client.linkPlayer(name) : session;
    if (answer.ok) {
      kept();
      writeRequest(request);
      announce(texts.pendingFor(name));
      dispatch({ is: "requested", seq: ++lastSeq.current, code: code.current, request });
    } else fail({ ...answer, subject: name });
    await read();
  }

  async function unlink(): Promise<void> {
    dispatch({ is: "call_began" });
    const answer = await client.unlinkPlayer();
    if (answer.ok) {
      dispatch({ is: "unlinked", seq: ++lastSeq.current });
      announce(texts.unlinked);
    } else fail(answer);
    await read();
  }

  return { state, linked, alike, ask, unlink, startReplacing: () => dispatch({ is: "replacing_began" }) };
}
