import { codeOf, orElse } from "../../cli/errno.ts";
import { note, ok, problem, type Verdict } from "./finding.ts";
import type { DoctorSystem } from "./target.ts";

const TIMEOUT_MS = 4000;
/** Largest difference between two clocks, in milliseconds. */
const CLOCK_MS = 60_000;
/** A path that the bridge does not have: its answer shows whether the token is accepted. */
export const UNKNOWN_BRIDGE_PATH = "/bridge/doctor";

export interface Answer {
  /** 0: no answer */
  status: number;
  /** why there is no answer: the system's code, or `TIMEOUT` */
  code?: string | undefined;
  /** `error` or `status` of a JSON answer */
  says: string;
  /** clock of the other side in milliseconds; NaN: not given */
  date: number;
  text: string;
}

interface RequestOptions {
  token?: string | undefined;
  method?: "GET" | "HEAD";
}

/** Sends a request, and a second one if the connection breaks. */
export async function sendRequest(
  url: string,
  system: DoctorSystem,
  options: RequestOptions = {},
): Promise<Answer> {
  const first = await sendOnce(url, system, options);
  return first.status > 0 || first.code === "TIMEOUT" ? first : sendOnce(url, system, options);
}

async function sendOnce(
  url: string,
  system: DoctorSystem,
  { token, method = "GET" }: RequestOptions,
): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = token === undefined ? {} : { Authorization: token };
  try {
    const response = await system.fetch(url, { method, redirect: "manual", signal, headers });
    const [text, date] = [await response.text(), Date.parse(response.headers.get("Date") ?? "")];
    const { error, status }: { error?: unknown; status?: unknown } = Object(
      orElse(() => JSON.parse(text), undefined),
    );
    return { status: response.status, says: String(error ?? status ?? ""), date, text };
  } catch (error) {
    const { cause }: { cause?: unknown } = Object(error);
    const code = signal.aborted ? "TIMEOUT" : codeOf(cause);
    return { status: 0, code, says: "", date: Number.NaN, text: "" };
  }
}

export const isBridge = ({ status, says }: Answer): boolean => status === 401 && says === "unauthorized";

export const isHealthy = ({ status, says }: Answer): boolean => status === 200 && says === "ok";

export const isHostNotAllowed = ({ status, says }: Answer): boolean =>
  status === 421 && says === "host_not_allowed";

export const HOST_NOT_ALLOWED = "rejects this host name (421)";

/**
 * Compares a clock with the clock of this machine.
 * @param whose clock it is
 * @param then its time in milliseconds; NaN: not known
 */
export function checkClock(whose: string, then: number, system: DoctorSystem): Verdict {
  if (Number.isNaN(then)) return note(`the clock of ${whose} is not known: its response has no date`);
  const differenceMs = Math.abs(system.now() - then);
  if (differenceMs <= CLOCK_MS) return ok(`the clocks of ${whose} and of this machine agree`);
  const what = `the clocks of ${whose} and of this machine are ${Math.round(differenceMs / 1000)} s apart`;
  return problem(what, "set both to the right time, for example with NTP");
}
