import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { asyncApi } from "../../sidecar/http/contracts/asyncapi.ts";
import { openApi } from "../../sidecar/http/contracts/openapi.ts";
import type { Message } from "../../sidecar/http/frames.ts";

const document = openApi("website_user_uuid") as {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: object;
};
interface Described {
  content?: { "application/json": { schema: object } };
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat("int64", true);
ajv.addFormat("double", true);
ajv.addSchema({ $id: "api", components: document.components });

/** Throws unless the description knows this answer: path, method, status, and the shape of its body. */
export function checkAnswer(path: string, method: string, status: number, body: string): void {
  // A HEAD is described by its GET.
  const operation = document.paths[path]?.[method === "HEAD" ? "get" : method.toLowerCase()];
  if (!operation) {
    // Other paths and methods are answered by the router, and preflights by the origin gate.
    const expected = method === "OPTIONS" ? [204, 403] : path.endsWith("api.json") ? [200] : [404, 405, 426];
    if (!expected.includes(status)) throw new Error(`${method} ${path}: ${status} is not described`);
    return;
  }
  const described = operation.responses[`${status}`];
  if (!described) throw new Error(`${method} ${path}: status ${status} is not described`);
  if (method === "HEAD") return;
  const schema = described.content?.["application/json"].schema;
  if (!schema) {
    if (body !== "") throw new Error(`${method} ${path}: ${status} is described without a body, got ${body}`);
    return;
  }
  check(schema, JSON.parse(body), `${method} ${path}: ${status}`);
}

const channel = (asyncApi(512) as { channels: { chat: { messages: Record<string, { payload: object }> } } })
  .channels.chat;
const sent = ["line", "ping", "pong", "greeting", "exception"].map(name => channel.messages[name]?.payload);

/** Throws unless the description knows this message of the service. */
export function checkMessage(message: Message): void {
  check({ anyOf: sent }, message, `message ${message.type}`);
}

function check(schema: object, value: unknown, what: string): void {
  // References in the document are to its root, which is the schema `api` here.
  const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')) as object;
  const validate = ajv.compile(local);
  if (!validate(value))
    throw new Error(`${what}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`);
}
