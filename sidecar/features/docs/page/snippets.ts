import type { Call } from "../words.ts";

/** Address of the service in snippets; the script of the page replaces it with the real one. */
export const SHOWN = "http://localhost:8080";
/** Address of WebSockets in snippets. */
export const SHOWN_SOCKET = "ws://localhost:8080";

const exampleOf = (value: unknown): string => encodeURIComponent(`${value}`).replaceAll("%2C", ",");

/** Path and query, with examples of the path's parameters and of the first one of the query. */
function placeOf({ path, operation: { parameters = [] } }: Call): string {
  const filled = parameters
    .filter(one => one.in === "path")
    .reduce((all, { name, example }) => all.replace(`{${name}}`, exampleOf(example)), path);
  const [first] = parameters.filter(one => one.in === "query");
  return first === undefined ? filled : `${filled}?${first.name}=${exampleOf(first.example)}`;
}

interface Needs {
  /** which cookie is sent and kept, if one is */
  cookie: "none" | "sends" | "keeps";
  /** name of the header of the key, where one is needed */
  keyHeader: string | undefined;
  body: unknown;
}

function needsOf({ operation: { security, requestBody, responses } }: Call, keyName: string): Needs {
  const schemes = security.flatMap(one => Object.keys(one));
  const sets = "Set-Cookie" in (responses[200]?.headers ?? {});
  const [example] = Object.values(requestBody?.content["application/json"].examples ?? {});
  return {
    cookie: sets ? "keeps" : schemes.includes("session") ? "sends" : "none",
    keyHeader: schemes.includes("adminKey") ? keyName : undefined,
    body: example?.value,
  };
}

/** A call with curl, in one line. `keyName`: the header of the key. */
export function curl(call: Call, keyName: string): string {
  const { cookie, keyHeader, body } = needsOf(call, keyName);
  const address = `${SHOWN}${placeOf(call)}`;
  const method = call.method === (body === undefined ? "GET" : "POST") ? [] : ["-X", call.method];
  return [
    "curl",
    ...(isStream(call) ? ["-N"] : []),
    ...method,
    ...(cookie === "none" ? [] : ["-b cookies.txt"]),
    ...(cookie === "keeps" ? ["-c cookies.txt"] : []),
    ...(keyHeader === undefined ? [] : [`-H "${keyHeader}: $ADMIN_API_KEY"`]),
    ...(body === undefined ? [] : [`-H "Content-Type: application/json" -d '${JSON.stringify(body)}'`]),
    /[?&]/.test(address) ? `"${address}"` : address,
  ].join(" ");
}

const successOf = ({ operation: { responses } }: Call): string[] =>
  Object.keys(Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content ?? {});

const isStream = (call: Call): boolean => successOf(call).includes("text/event-stream");

/** A call with `fetch` or `EventSource`. */
export function script(call: Call, keyName: string): string {
  if (isStream(call)) return stream(call);
  const { cookie, keyHeader, body } = needsOf(call, keyName);
  const headers = [
    ...(keyHeader === undefined ? [] : [`"${keyHeader}": process.env.ADMIN_API_KEY`]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const options = [
    ...(call.method === "GET" ? [] : [`method: "${call.method}"`]),
    ...(cookie === "none" ? [] : ['credentials: "include"']),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${written(body)})`]),
  ];
  const more = options.length === 0 ? "" : `, {\n${options.map(option => `  ${option},\n`).join("")}}`;
  const read = successOf(call).includes("application/json") ? "json" : "text";
  return [
    ...(keyHeader === undefined ? [] : ["// On your own server: the key is for no page."]),
    `const answer = await fetch("${SHOWN}${placeOf(call)}"${more});`,
    `console.log(answer.status, await answer.${read}());`,
  ].join("\n");
}

/** A value as it is written in a script. */
const written = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/"(\w+)":/g, "$1: ")
    .replaceAll(",", ", ")
    .replace(/^\{(.*)\}$/, "{ $1 }");

function stream(call: Call): string {
  return [
    `const events = new EventSource("${SHOWN}${placeOf(call)}");`,
    'for (const type of ["join", "leave"])',
    "  events.addEventListener(type, ({ data }) => console.log(type, JSON.parse(data)));",
  ].join("\n");
}

/** A page that listens to the chat, and answers its heartbeats. */
export const socket = (path: string): string =>
  [
    `const chat = new WebSocket("${SHOWN_SOCKET}${path}");`,
    'chat.addEventListener("message", ({ data }) => {',
    "  const { type, content } = JSON.parse(data);",
    '  if (type === "PING") chat.send(JSON.stringify({ type: "PONG", content: "" }));',
    "  else console.log(type, content);",
    "});",
  ].join("\n");
