import type { Client } from "./http.ts";
import { type Signal, systemTimers, type Timers } from "./platform.ts";
import type { Failure, Result, SessionData } from "./types.ts";

export interface LinkOptions {
  /** Ends the waiting. The request in the game stays open; `cancelLinkRequest` of the client ends that. */
  signal?: Signal;
  /** Called after the request was sent. `code`: what the game calls this browser; show it while waiting. */
  onAsked?(code: string): void;
  /** polling interval in milliseconds; 2 s when it is left out */
  everyMs?: number;
  timers?: Timers;
}

/** The result of a link request. */
type LinkEnd = Exclude<SessionData, { status: "pending" }>;

/** Characters of a session's id that the game shows. */
const CODE_LENGTH = 8;
/** After how many failed polls in a row it gives up. */
const MAX_FAILURES = 10;
/** Longest pause that the service may request, in milliseconds. */
const MAX_PAUSE_MS = 15_000;

/** Whether polling again is useless. */
const isFinal = ({ code, status }: Failure): boolean =>
  code === "aborted" || (status >= 400 && status < 500 && status !== 429);

/** Resolves after that time, or when the signal aborts. */
const pause = (ms: number, timers: Timers, signal: Signal | undefined): Promise<void> =>
  new Promise(resolve => {
    function end(): void {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    }
    const cancel = timers.after(ms, end);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });

/**
 * Sends a link request to the online player of exactly this name, and waits until it is answered, expires or is cancelled. If this
 * browser has a pending request already, it waits for that one. Outages of less than ten polls are waited out. Rejects only with
 * what `onAsked` throws. Fails as `linkPlayer` does, with `aborted` by the signal, and with `missing_session` where the browser
 * keeps no cookie of the service, or has another session by now.
 */
export async function link(
  client: Pick<Client, "initialize" | "linkPlayer" | "session">,
  username: string,
  options: LinkOptions = {},
): Promise<Result<LinkEnd>> {
  const { signal, onAsked, everyMs = 2_000, timers = systemTimers } = options;
  const call = signal && { signal };
  const begun = await client.initialize(call);
  if (!begun.ok) return begun;
  const request = await client.linkPlayer(username, call);
  if (!request.ok && request.code !== "already_pending") return request;
  const { userId } = begun.value;
  onAsked?.(userId.slice(0, CODE_LENGTH));
  let failures = 0;
  let waitMs = everyMs;
  for (;;) {
    await pause(waitMs, timers, signal);
    const answer = await client.session(call);
    waitMs = everyMs;
    if (answer.ok) {
      failures = 0;
      const { value } = answer;
      if (value.userId !== userId) return { ok: false, status: 401, code: "missing_session" };
      if (value.status !== "pending") return { ok: true, value };
    } else {
      if (isFinal(answer) || ++failures === MAX_FAILURES) return answer;
      waitMs = Math.max(everyMs, Math.min((answer.retryAfter ?? 0) * 1_000, MAX_PAUSE_MS));
    }
  }
}
