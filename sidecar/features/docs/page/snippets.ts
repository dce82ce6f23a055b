import { type Scope, USUAL_SCOPES } from "../../../../shared/public/words.ts";
import { type Call, needsKey, scopeOf } from "../words.ts";

/** Address of the service in examples. The script of the page replaces it with the real one. */
export const SHOWN = "http://localhost:8080";
/** Address of WebSockets in examples. */
export const SHOWN_SOCKET = "ws://localhost:8080";

const exampleOf = (value: unknown): string => encodeURIComponent(`${value}`).replaceAll("%2C", ",");

/** Path and query, with examples of the path parameters and of the first query parameter. */
function placeOf({ path, operation: { parameters = [] } }: Call): string {
  const filled = parameters
    .filter(one => one.in === "path")
    .reduce((all, { name, example }) => all.replace(`{${name}}`, exampleOf(example)), path);
  const [first] = parameters.filter(one => one.in === "query");
  return first === undefined ? filled : `${filled}?${first.name}=${exampleOf(first.example)}`;
}

/** Whether the key in `admin-api-key` has this scope. */
export const isUsual = (scope: Scope): boolean => USUAL_SCOPES.includes(scope);

/** Name of the environment variable that holds a key with this scope in examples; undefined: any key. */
export const keyVariable = (scope: Scope | undefined): string =>
  scope === undefined || isUsual(scope)
    ? "ADMIN_API_KEY"
    : scope === "players:read"
      ? "PLAYERS_KEY"
      : "MODERATOR_KEY";

interface Needs {
  /** the cookie that is sent and stored, if any */
  cookie: "none" | "sends" | "keeps";
  /** header of the key and the variable that holds the key, where one is needed */
  key: { header: string; variable: string } | undefined;
  body: unknown;
}

function needsOf({ operation }: Call, keyName: string): Needs {
  const { security, requestBody, responses } = operation;
  const scope = scopeOf(operation);
  const schemes = security.flatMap(one => Object.keys(one));
  const sets = "Set-Cookie" in (responses[200]?.headers ?? {});
  const [example] = Object.values(requestBody?.content["application/json"].examples ?? {});
  return {
    cookie: sets ? "keeps" : schemes.includes("session") && !needsKey(operation) ? "sends" : "none",
    key: needsKey(operation) ? { header: keyName, variable: keyVariable(scope) } : undefined,
    body: example?.value,
  };
}

/** A call with curl, in one line. `keyName`: name of the header that carries the key. */
export function curl(call: Call, keyName: string): string {
  const { cookie, key, body } = needsOf(call, keyName);
  const address = `${SHOWN}${placeOf(call)}`;
  const method = call.method === (body === undefined ? "GET" : "POST") ? [] : ["-X", call.method];
  return [
    "curl",
    ...(isStream(call) ? ["-N"] : []),
    ...method,
    ...(cookie === "none" ? [] : ["-b cookies.txt"]),
    ...(cookie === "keeps" ? ["-c cookies.txt"] : []),
    ...(key === undefined ? [] : [`-H "${key.header}: $${key.variable}"`]),
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
  const { cookie, key, body } = needsOf(call, keyName);
  const headers = [
    ...(key === undefined ? [] : [`"${key.header}": process.env.${key.variable}`]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const options = [
    ...(call.method === "GET" ? [] : [`method: "${call.method}"`]),
    ...(cookie === "none" ? [] : ['credentials: "include"']),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${written(body)})`]),
  ];
  const more = options.length === 0 ? "" : `, {\n${options.map(option => `  ${option},\n`).join("")}}`;
  // The response to a wrong key is empty.
  const read = successOf(call).includes("application/json") && key === undefined ? "json" : "text";
  return [
    ...(key === undefined ? [] : ["// Run this on your own server. Never put the key into a web page."]),
    `const response = await fetch("${SHOWN}${placeOf(call)}"${more});`,
    `console.log(response.status, await response.${read}());`,
  ].join("\n");
}

/** A value as a JavaScript literal. */
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

/** A script that prints chat messages and answers heartbeats. */
export const socket = (path: string): string =>
  [
    `const chat = new WebSocket("${SHOWN_SOCKET}${path}");`,
    'chat.addEventListener("message", ({ data }) => {',
    "  const { type, content } = JSON.parse(data);",
    '  if (type === "PING") chat.send(JSON.stringify({ type: "PONG", content: "" }));',
    "  else console.log(type, content);",
    "});",
  ].join("\n");
