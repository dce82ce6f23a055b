import { type Agent, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { codeOf, orElse } from "../../../cli/errno.ts";
import { PATHS } from "../../../shared/frames.ts";
import type { Result } from "../../../shared/result.ts";
import type { Clock } from "../../../sidecar/platform/clock.ts";
import type { BridgeTarget } from "./target.ts";

/** Largest answer of the sidecar, in bytes. */
const MAX_ANSWER = 4 * 1024 * 1024;

const ALLOWED: readonly string[] = Object.values(PATHS);

/** Names of errors, as the game has them, by the code of the system. */
const NAMES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "ConnectionRefused",
  ECONNRESET: "ConnectionLost",
  EPIPE: "ConnectionLost",
  ENOTFOUND: "HostNotFound",
  EAI_AGAIN: "HostNotFound",
};

interface BridgeRequest {
  path: string;
  body: string;
  timeoutSeconds: number;
}

interface HttpAnswer {
  status: number;
  body: string;
}

export type Forwarder = ReturnType<typeof createForwarder>;

/** Sends requests of the pack to the sidecar's bridge listener, and nowhere else. */
export function createForwarder(clock: Pick<Clock, "after">) {
  const agents = new Map<string, Agent>();
  const open = new Set<(why: string) => void>();

  function agentFor(protocol: string): Agent {
    const known = agents.get(protocol);
    if (known !== undefined) return known;
    const made =
      protocol === "https:" ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    agents.set(protocol, made);
    return made;
  }

  function cancelAll(): void {
    for (const abort of [...open]) abort("Cancelled");
  }

  return {
    /** The answer, with any status, or the name of an error. @throws if the address is no URL of HTTP */
    async send({ url, token }: BridgeTarget, { path, body, timeoutSeconds }: BridgeRequest) {
      if (!ALLOWED.includes(path)) return { fault: "PathNotAllowed" };
      const bytes = Buffer.from(compact(body));
      return new Promise<Result<HttpAnswer>>(resolve => {
        const { protocol } = new URL(url);
        const send = protocol === "https:" ? requestHttps : requestHttp;
        const end = (result: Result<HttpAnswer>): void => {
          cancel();
          open.delete(abort);
          resolve(result);
        };
        const sent = send(`${url}${path}`, {
          method: "POST",
          agent: agentFor(protocol),
          headers: {
            "Content-Type": "application/json",
            "Content-Length": bytes.length,
            Authorization: token,
          },
        });
        const abort = (why: string): void => {
          end({ fault: why });
          sent.destroy();
        };
        const cancel = clock.after(timeoutSeconds * 1000, () => abort("Timeout"));
        open.add(abort);
        sent.on("error", error => end({ fault: NAMES[codeOf(error) ?? ""] ?? "ConnectionFailed" }));
        sent.on("response", response => read(response, end, abort));
        sent.end(bytes);
      });
    },
    /** Cancels all open requests. */
    cancelAll,
    stop() {
      cancelAll();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function read(
  response: IncomingMessage,
  end: (result: Result<HttpAnswer>) => void,
  abort: (why: string) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ANSWER) abort("AnswerTooLarge");
  });
  response.on("end", () =>
    end({ value: { status: response.statusCode ?? 0, body: String(Buffer.concat(chunks)) } }),
  );
  response.on("error", () => abort("ConnectionLost"));
}

/** The body without the escape sequences that it has on the console, which could make it too long for the sidecar. */
const compact = (body: string): string => orElse(() => JSON.stringify(JSON.parse(body)), body);
