import { codeOf } from "../../cli/errno.ts";
import type { Surroundings } from "./target.ts";

const TIMEOUT_MS = 4000;
/** A path of the bridge that leads nowhere: what answers shows whether the token is taken. */
export const NOWHERE = "/bridge/doctor";

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

/** Asks, a second time where a connection breaks. */
export async function ask(url: string, around: Surroundings, more: More = {}): Promise<Answer | Silence> {
  const first = await askOnce(url, around, more);
  return "status" in first || first.code === "TIMEOUT" ? first : askOnce(url, around, more);
}

/** The same where it does not matter why nobody answers. */
export async function answerAt(
  url: string,
  around: Surroundings,
  token?: string,
): Promise<Answer | undefined> {
  const answer = await ask(url, around, { token });
  return "status" in answer ? answer : undefined;
}

async function askOnce(
  url: string,
  around: Surroundings,
  { token, method = "GET" }: More,
): Promise<Answer | Silence> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await around.fetch(url, {
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
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null) return "";
    const { error, status }: { error?: unknown; status?: unknown } = value;
    return String(error ?? status ?? "");
  } catch {
    return "";
  }
}

export const isBridge = (answer: Answer | undefined): boolean =>
  answer?.status === 401 && answer.says === "unauthorized";

export const isHealthy = (answer: Answer | undefined): boolean =>
  answer?.status === 200 && answer.says === "ok";

export const isMisnamed = (answer: Answer): boolean =>
  answer.status === 421 && answer.says === "host_not_allowed";

export const MISNAMED = "does not answer to this name (421)";
