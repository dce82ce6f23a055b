import type { TestBridge } from "../helpers/bridge.ts";
import type { Answer } from "../helpers/client.ts";
import type { Block } from "./pages.ts";

/** A curl command of a page. */
interface Call {
  method: string;
  path: string;
  /** with the question mark */
  query: string;
  headers: Record<string, string>;
  body: string | undefined;
  keepsCookies: boolean;
  sendsCookies: boolean;
}

/** Parses a command line. Unknown options are an error, so that no option of an example remains untested. */
export function readCall(line: string, variables: Record<string, string>): Call {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) =>
    single !== undefined
      ? single
      : (double ?? bare ?? "").replace(/\$(\w+)/g, (_all, name) => variables[name] ?? ""),
  );
  if (words.shift() !== "curl") throw new Error(`not a call: ${line}`);
  const call: Call = {
    method: "",
    path: "",
    query: "",
    headers: {},
    body: undefined,
    keepsCookies: false,
    sendsCookies: false,
  };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "-i") continue;
    if (word === "-X") call.method = words.shift() ?? "";
    else if (word === "-d") call.body = words.shift();
    else if (word === "-c") call.keepsCookies = words.shift() !== undefined;
    else if (word === "-b") call.sendsCookies = words.shift() !== undefined;
    else if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(": ");
      call.headers[name] = value;
    } else if (/^http:\/\/[\w.]+:8080\//.test(word))
      ({ pathname: call.path, search: call.query } = new URL(word));
    else throw new Error(`unknown in ${line}: ${word}`);
  }
  call.method ||= call.body === undefined ? "GET" : "POST";
  return call;
}

/** The cookies of a reader who runs the examples in order. */
export class Reader {
  readonly #bridge: TestBridge;
  #cookie = "";

  constructor(bridge: TestBridge) {
    this.#bridge = bridge;
  }

  /** the session of the cookie */
  get session(): string {
    return this.#cookie.split("=")[1] ?? "";
  }

  async run({ method, path, query, headers, body, keepsCookies, sendsCookies }: Call): Promise<Answer> {
    const answer = await this.#bridge.askGame(`${path}${query}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(sendsCookies ? { cookie: this.#cookie } : {}),
    });
    const set = answer.headers.get("set-cookie");
    if (keepsCookies && set !== null) this.#cookie = set.split(";")[0] ?? "";
    return answer;
  }
}

/** A response as shown on a page. */
interface ShownResponse {
  status: number | undefined;
  headers: Record<string, string>;
  body: string;
}

export function readShown({ language, text }: Block): ShownResponse {
  if (language === "json") return { status: undefined, headers: {}, body: text };
  const [head = "", ...rest] = text.split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  const headers = Object.fromEntries(lines.map(line => line.split(": ") as [string, string]));
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(first)?.[1]), headers, body: rest.join("\n\n") };
}

const EVENT_ID = /^\d+-\d+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A shown and a real response, with equal values for what differs between runs: numbers, ids of sessions and events, and labels. */
export function stable(json: string): unknown {
  if (json === "") return "";
  // An array of pairs keeps the order of the properties.
  const plain = (value: unknown): unknown => {
    if (typeof value === "number") return "a number";
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    return Object.entries(value).map(([key, value]) => [
      key,
      key === "userId" && UUID.test(String(value))
        ? "a session"
        : key === "label"
          ? "a label"
          : key === "id" && EVENT_ID.test(String(value))
            ? "an event"
            : plain(value),
    ]);
  };
  return plain(JSON.parse(json));
}
