import type { Client } from "./http.ts";
import { type Signal, systemTimers, type Timers } from "./platform.ts";
import type { Failure, LinkStatus, Result, SessionData } from "./types.ts";

export interface LinkOptions {
  /** Ends the waiting. The question in the game stays: the player may still answer it. */
  signal?: Signal;
  /** Called once the player is asked. `code`: what the question in the game calls this browser; show it beside the waiting. */
  onAsked?(code: string): void;
  /** between two looks at the answer, in milliseconds; 2 s when it is left out */
  everyMs?: number;
  timers?: Timers;
}

/** How a request for a link has ended. */
export type LinkEnd = SessionData & { status: Exclude<LinkStatus, "pending"> };

/** Characters of a session that the question in the game shows. */
const CODE_LENGTH = 8;
/** Looks in a row without an answer after which nobody waits any longer. */
const MOST_FAILURES = 10;
/** Longest pause that the service may ask for between two of them, in milliseconds. */
const LONGEST_PAUSE_MS = 15_000;

/** Whether to ask again would change nothing. */
const isFinal = ({ code, status }: Failure): boolean =>
  code === "aborted" || (status >= 400 && status < 500 && status !== 429);

/** Settles after so long, or as soon as the signal ends it. */
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
 * Asks the online player of exactly this name for a link with this browser, and waits until the request has ended: by the
 * player, by its time, or from elsewhere. Where this browser asks already, that request is waited for, whoever is asked.
 * Outages of less than ten looks are waited out. Never rejects, but with what `onAsked` throws. Fails as `linkPlayer` does, with
 * `aborted` once the signal ends it, and with `missing_session` where the browser keeps no cookie of the service, or has another
 * session meanwhile.
 */
export async function link(
  client: Pick<Client, "initialize" | "linkPlayer" | "session">,
  username: string,
  options: LinkOptions = {},
): Promise<Result<LinkEnd>> {
  const { signal, onAsked, everyMs = 2_000, timers = systemTimers } = options;
  const ask = signal && { signal };
  const begun = await client.initialize(ask);
  if (!begun.ok) return begun;
  const asked = await client.linkPlayer(username, ask);
  if (!asked.ok && asked.code !== "already_pending") return asked;
  const { userId } = begun.value;
  onAsked?.(userId.slice(0, CODE_LENGTH));
  let failures = 0;
  let waitMs = everyMs;
  for (;;) {
    await pause(waitMs, timers, signal);
    const answer = await client.session(ask);
    waitMs = everyMs;
    if (answer.ok) {
      failures = 0;
      const { value } = answer;
      if (value.userId !== userId) return { ok: false, status: 401, code: "missing_session" };
      if (value.status !== "pending") return { ok: true, value: value as LinkEnd };
    } else {
      if (isFinal(answer) || ++failures === MOST_FAILURES) return answer;
      waitMs = Math.max(everyMs, Math.min((answer.retryAfter ?? 0) * 1_000, LONGEST_PAUSE_MS));
    }
  }
}
