import { WebSocket } from "ws";
import type { Trial } from "../probe.ts";
import { type Held, recordOf, textOf, until } from "./say.ts";

const ANSWER_MS = 15_000;
const MOST_MESSAGES = 500;

interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly cookie?: string;
  /** false: without the key for administration, which is what strangers do */
  readonly key?: boolean | string;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  /** what the body says as JSON; undefined where it is none */
  readonly json: unknown;
  readonly headers: Headers;
}

/** Calls the public service. */
export async function call({ web }: Trial, path: string, asked: Call = {}): Promise<Answered> {
  const { method = asked.body === undefined ? "GET" : "POST", body, cookie, key = false } = asked;
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (cookie !== undefined) headers.cookie = cookie;
  if (key !== false) headers["x-service-api-key"] = key === true ? web.key : key;
  const answer = await fetch(web.url + path, {
    method,
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: parsed(text), headers: answer.headers };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Status and the word of the body, such as `422 player_offline`. */
export const words = ({ status, json, text }: Answered): string => {
  const { error, status: word } = recordOf(json);
  return `${status} ${textOf(error) || textOf(word) || (text === "" ? "without a body" : "with another body")}`;
};

/** The cookie of a new session. */
export async function session(trial: Trial): Promise<string> {
  const { headers } = await call(trial, "/initialize");
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** An answer that fits, asked for again and again: what the game reports takes its time. */
export const calledUntil = (
  trial: Trial,
  path: string,
  ms: number,
  fits: (answered: Answered) => boolean,
  asked?: Call,
): Promise<Answered | undefined> =>
  until(trial, ms, async () => {
    const answered = await call(trial, path, asked);
    return fits(answered) ? answered : undefined;
  });

interface Socket {
  readonly received: readonly Held[];
  send(message: unknown): void;
  /** the first message from place `since` on that fits */
  message(fits: (message: Held) => boolean, ms?: number, since?: number): Promise<Held | undefined>;
}

/** With sockets of the chat, which are closed afterwards. */
export async function withSockets<T>(
  trial: Trial,
  count: number,
  use: (...sockets: [Socket, ...Socket[]]) => Promise<T>,
): Promise<T> {
  const made = Array.from({ length: count }, () => open(trial));
  try {
    const [first, ...others] = made.map(({ socket }) => socket);
    if (first === undefined) throw new Error("no socket was asked for");
    for (const socket of [first, ...others])
      if ((await socket.message(({ type }) => type === "VERIFICATION")) === undefined)
        throw new Error("the socket was not greeted");
    return await use(first, ...others);
  } finally {
    for (const { ws } of made) ws.terminate();
  }
}

function open(trial: Trial): { ws: WebSocket; socket: Socket } {
  const ws = new WebSocket(`${trial.web.url.replace(/^http/, "ws")}/chat`);
  const received: Held[] = [];
  // A socket that breaks is heard no more, which is what is told.
  ws.on("error", () => undefined);
  ws.on("message", data => {
    if (received.length < MOST_MESSAGES) received.push(recordOf(parsed(String(data))));
  });
  const socket: Socket = {
    received,
    send: message => ws.send(typeof message === "string" ? message : JSON.stringify(message)),
    message: (fits, ms = 10_000, since = 0) => until(trial, ms, () => received.slice(since).find(fits)),
  };
  return { ws, socket };
}
