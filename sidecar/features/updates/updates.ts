import { codeOf } from "../../../cli/errno.ts";
import type { Result } from "../../../shared/result.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { isNewer, parseRelease, type Release } from "./rules.ts";

/** Wait before the first request, and between two, in milliseconds: a start has other work. */
const FIRST_MS = 5 * 60_000;
const EVERY_MS = 24 * 3_600_000;
/** Timeout of a request with its answer, in milliseconds. */
const ASK_MS = 10_000;
/** Longest answer that is read, in bytes. */
const MAX_BYTES = 65_536;

interface UpdatesDeps {
  /** address to request, see `parseRelease` */
  url: string;
  clock: Clock;
  log: Log;
  fetch: typeof fetch;
}

/** Requests an address once a day, and logs a line each time that a newer release exists. */
export function watchUpdates({ url, clock, log, fetch }: UpdatesDeps): void {
  const { host } = new URL(url);
  let isFailing = false;

  async function ask(): Promise<void> {
    const release = await fetchRelease(url, { clock, fetch });
    if ("fault" in release) {
      const level = isFailing ? "debug" : "warn";
      log[level]({ host, reason: release.fault }, "Could not check for a newer release (modules.updates)");
    } else {
      const { version, page } = release.value;
      if (version !== undefined && isNewer(version, PRODUCT_VERSION))
        log.info({}, `Version ${version} is available (this is ${PRODUCT_VERSION}): ${page ?? host}`);
    }
    isFailing = "fault" in release;
  }

  clock.after(FIRST_MS, () => {
    void ask();
    clock.every(EVERY_MS, () => void ask());
  });
}

/** Requests the newest release. Never rejects. */
async function fetchRelease(
  url: string,
  { clock, fetch }: Pick<UpdatesDeps, "clock" | "fetch">,
): Promise<Result<Release>> {
  const deadline = new AbortController();
  const stopTimer = clock.after(ASK_MS, () => deadline.abort());
  try {
    const headers = { Accept: "application/json", "User-Agent": `bedrock-web-bridge/${PRODUCT_VERSION}` };
    const response = await fetch(url, { headers, signal: deadline.signal, redirect: "manual" });
    const { status } = response;
    if (status >= 300 && status < 400)
      return { fault: `status ${status}: a redirect is not followed: set the address that it leads to` };
    if (!response.ok) return { fault: `status ${status}` };
    const body = await bodyOf(response);
    return body === undefined ? { fault: `more than ${MAX_BYTES} bytes` } : parseRelease(body);
  } catch (error) {
    return {
      fault: deadline.signal.aborted
        ? `no answer within ${ASK_MS / 1000} s`
        : (codeOf(causeOf(error)) ?? "the connection broke"),
    };
  } finally {
    stopTimer();
    deadline.abort();
  }
}

/** The body of an answer; undefined: it is too long. */
async function bodyOf({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** `fetch` has the error of the system as a cause; other texts may contain the address. */
const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);
