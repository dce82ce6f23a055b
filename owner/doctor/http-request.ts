import { codeOf, orElse } from "../../cli/errno.ts";
import { ok, problem, skipped, type Verdict } from "./finding.ts";
import type { DoctorSystem } from "./target.ts";

const TIMEOUT_MS = 4000;
/** How far apart two clocks may be, in milliseconds. */
const CLOCK_MS = 60_000;
/** A path of the bridge that leads nowhere: what answers shows whether the token is accepted. */
export const UNKNOWN_BRIDGE_PATH = "/bridge/doctor";

export interface Answer {
  status: number;
  /** `error` or `status` of a JSON answer */
  says: string;
  date: string | null;
  text: string;
}

/** Why there is no answer: the code of the system where it gave one. */
export interface Silence {
  code: string | undefined;
}

interface More {
  token?: string | undefined;
  method?: "GET" | "HEAD";
}

/** Sends a request, a second time where a connection breaks. */
export async function ask(url: string, system: DoctorSystem, more: More = {}): Promise<Answer | Silence> {
  const first = await askOnce(url, system, more);
  return "status" in first || first.code === "TIMEOUT" ? first : askOnce(url, system, more);
}

/** What answers at an address; undefined: nothing. */
export async function answerAt(
  url: string,
  system: DoctorSystem,
  token?: string,
): Promise<Answer | undefined> {
  const answer = await ask(url, system, { token });
  return "status" in answer ? answer : undefined;
}

async function askOnce(
  url: string,
  system: DoctorSystem,
  { token, method = "GET" }: More,
): Promise<Answer | Silence> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await system.fetch(url, {
      method,
      redirect: "manual",
      signal,
      ...(token !== undefined && { headers: { Authorization: token } }),
    });
    const text = await response.text();
    return { status: response.status, says: wordOf(text), date: response.headers.get("Date"), text };
  } catch (error) {
    const { cause }: { cause?: unknown } = Object(error);
    return { code: signal.aborted ? "TIMEOUT" : codeOf(cause) };
  }
}

function wordOf(body: string): string {
  const value: unknown = orElse(() => JSON.parse(body), undefined);
  const { error, status }: { error?: unknown; status?: unknown } = Object(value);
  return String(error ?? status ?? "");
}

export const isBridge = (answer: Answer | undefined): boolean =>
  answer?.status === 401 && answer.says === "unauthorized";

export const isHealthy = (answer: Answer | undefined): boolean =>
  answer?.status === 200 && answer.says === "ok";

export const isHostNotAllowed = (answer: Answer | undefined): boolean =>
  answer?.status === 421 && answer.says === "host_not_allowed";

export const HOST_NOT_ALLOWED = "does not answer to this name (421)";

/**
 * Whether the clock of something else agrees with that of this machine.
 * @param whose it is
 * @param then its time in milliseconds; NaN: not known
 */
export function checkClock(whose: string, then: number, system: DoctorSystem): Verdict {
  if (Number.isNaN(then)) return skipped(`the clock of ${whose}: it does not tell the time`);
  const apart = Math.abs(system.now() - then);
  if (apart <= CLOCK_MS) return ok(`the clocks of ${whose} and of this machine agree`);
  const what = `the clocks of ${whose} and of this machine are ${Math.round(apart / 1000)} s apart`;
  return problem(what, { text: "set both to the right time, for example with NTP" });
}
