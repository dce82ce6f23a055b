import { WebSocket } from "ws";
import type { Fields, TestEnvironment } from "./probe.ts";
import { fieldsOf, parsed, textOf, until } from "./values.ts";

const ANSWER_MS = 15_000;

interface Call {
  readonly method?: string;
  readonly body?: Fields;
  readonly cookie?: string;
  /** whether the administrator's key is sent */
  readonly key?: boolean;
}

export interface ApiResponse {
  readonly status: number;
  /** the body; undefined: not JSON */
  readonly json: unknown;
  /** the first cookie, without its attributes */
  readonly cookie: string;
}

export async function call({ web }: TestEnvironment, path: string, options: Call = {}): Promise<ApiResponse> {
  const { method = options.body === undefined ? "GET" : "POST", body, cookie, key } = options;
  const response = await fetch(web.url + path, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(cookie !== undefined && { cookie }),
      ...(key === true && { "x-service-api-key": web.key }),
    },
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const set = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { status: response.status, json: parsed(await response.text()), cookie: set };
}

/** Status and word of the body, such as `422 player_offline`. */
export const words = ({ status, json }: ApiResponse): string =>
  `${status} ${textOf(fieldsOf(json).error) || textOf(fieldsOf(json).status)}`.trim();

/** The first response that matches; the last one where none does in time. */
export async function callUntil(
  env: TestEnvironment,
  path: string,
  ms: number,
  fits: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  let last = await call(env, path);
  await until(ms, async () => {
    last = await call(env, path);
    return fits(last) || undefined;
  });
  return last;
}

interface Socket {
  readonly received: readonly Fields[];
  send(message: Fields): void;
  /** the first message that matches; undefined: none within 10 s */
  message(fits: (message: Fields) => boolean): Promise<Fields | undefined>;
}

/** Runs with sockets of the chat, which are closed afterwards. */
export async function withSockets<T>(
  { web }: TestEnvironment,
  count: 1 | 2,
  use: (one: Socket, other: Socket) => Promise<T>,
): Promise<T> {
  const opened = Array.from({ length: count }, () => {
    const ws = new WebSocket(`${web.url.replace(/^http/, "ws")}/chat`);
    const received: Fields[] = [];
    // A broken socket gets no more messages, which the probe sees.
    ws.on("error", () => undefined);
    ws.on("message", data => void received.push(fieldsOf(parsed(String(data)))));
    const message: Socket["message"] = fits => until(10_000, () => received.find(fits));
    return { ws, socket: { received, message, send: (sent: Fields) => ws.send(JSON.stringify(sent)) } };
  });
  try {
    const [one, other = one] = opened.map(({ socket }) => socket);
    if (one === undefined || other === undefined) throw new Error("no socket");
    for (const socket of [one, other])
      if ((await socket.message(({ type }) => type === "VERIFICATION")) === undefined)
        throw new Error("the socket of /chat got no VERIFICATION");
    return await use(one, other);
  } finally {
    for (const { ws } of opened) ws.terminate();
  }
}
