import { get } from "node:http";
import { reasonOf } from "../cli/errno.ts";
import { anything, check, checkJson, int, object } from "../shared/guard.ts";
import type { Result } from "../shared/result.ts";

/** Path at which a game server publicly describes itself, over HTTP at its `server-port`. */
export const JOIN_PATH = "/v1/join";

/** Longest answer that is read, in characters. */
const MAX_RESPONSE_LENGTH = 16_384;
const MAX_COUNT = 2_147_483_647;

/** Information that a game server reports about itself; undefined: missing or malformed. */
export interface JoinInfo {
  /** such as `1.26.52` */
  version?: string | undefined;
  players?: number | undefined;
  maxPlayers?: number | undefined;
  /** the answer was empty */
  isEmpty?: true;
}

const joinAnswer = object({ version: anything, players: anything, maxPlayers: anything });
const count = int(0, MAX_COUNT);

/** Parses the body of a successful answer. A server with `enable-lan-visibility=false` answers with an empty one. */
export function parseJoinInfo(body: string): Result<JoinInfo> {
  if (body.trim() === "") return { value: { isEmpty: true } };
  const read = checkJson(joinAnswer, body);
  if ("fault" in read) return { fault: "the answer is not that of a game server" };
  const { version, players, maxPlayers } = read.value;
  return {
    value: {
      version: versionIn(version),
      players: numberIn(players),
      maxPlayers: numberIn(maxPlayers),
    },
  };
}

/** Queries the game server at a port of this machine, once. `signal` is the deadline. Never rejects. */
export function fetchJoinInfo(
  port: number,
  signal: AbortSignal,
  host = "127.0.0.1",
): Promise<Result<JoinInfo>> {
  return new Promise(resolve => {
    const fail = (error: unknown): void =>
      resolve({ fault: signal.aborted ? "no answer in time" : reasonOf(error) });
    // A separate agent keeps no connection open.
    const request = get({ host, port, path: JOIN_PATH, agent: false, signal });
    request.on("error", fail);
    // A protocol upgrade emits no other event.
    request.on("close", () => fail("the connection broke"));
    request.on("response", answer => {
      const { statusCode = 0 } = answer;
      if (statusCode < 200 || statusCode > 299) {
        fail(`it answers ${statusCode}`);
        request.destroy();
        return;
      }
      let body = "";
      answer.setEncoding("utf8");
      answer.on("error", fail);
      answer.on("data", (chunk: string) => {
        body += chunk;
        if (body.length <= MAX_RESPONSE_LENGTH) return;
        fail("the answer is too long");
        request.destroy();
      });
      answer.on("end", () => resolve(parseJoinInfo(body)));
    });
  });
}

const versionIn = (raw: unknown): string | undefined =>
  typeof raw === "string" && /^[\w.+-]{1,32}$/.test(raw) ? raw : undefined;

/** Some servers send numbers as text. */
function numberIn(raw: unknown): number | undefined {
  const read = check(count, typeof raw === "string" && /^\d+$/.test(raw) ? Number(raw) : raw);
  return "value" in read ? read.value : undefined;
}
