import type { ReceivedResponse } from "../../lab/reference/contract.ts";
import { noting } from "./breaches.ts";
import { contractOf } from "./contract.ts";

// Own connections: checks.

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** the body as JSON; undefined if it is not JSON */
  json: unknown;
}

export interface Ask {
  method?: string;
  /** sent as JSON with its content type, unless it is a string or bytes */
  body?: unknown;
  headers?: Record<string, string>;
  cookie?: string;
}

const isJson = /^application\/([\w-]+\+)?json\b/;

/** Calls the public listener and checks the response against the documents. */
export async function ask(base: string, path: string, options: Ask = {}): Promise<Answer> {
  const { method = options.body === undefined ? "GET" : "POST", body, cookie } = options;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(body !== undefined ? { "Content-Type": "application/json" } : {}),
      ...(cookie ? { Cookie: cookie } : {}),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  contractOf(base).answer(seen(`${base}${path}`, method, response, text));
  const isRead = text !== "" && isJson.test(response.headers.get("content-type") ?? "");
  const json: unknown = isRead ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

/** `fetch` for tested code: each response is checked, and an error fails the test when it ends. */
export async function checkedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const text = await response.clone().text();
  noting(() => contractOf(`${url}`).answer(seen(`${url}`, init.method ?? "GET", response, text)));
  return response;
}

const seen = (
  url: string,
  method: string,
  { headers, status }: Response,
  text: string,
): ReceivedResponse => ({
  method,
  path: new URL(url).pathname,
  status,
  header: name => headers.get(name),
  text,
});

/** The cookie of a new browser session as a browser sends it, and the id of the session. */
export async function newSession(base: string): Promise<{ cookie: string; userId: string }> {
  const answer = await ask(base, "/initialize");
  const cookie = answer.headers.get("set-cookie")?.split(";")[0];
  if (!cookie) throw new Error("no cookie was set");
  return { cookie, userId: (answer.json as { userId: string }).userId };
}
