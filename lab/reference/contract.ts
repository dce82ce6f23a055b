import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Schema } from "../../shared/public/schema-guards.ts";
import type { AsyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import type { OpenApi, OpenApiAnswer, Operation } from "../../sidecar/features/docs/openapi.ts";
import type { Header, Reference } from "../../sidecar/kernel/http/description.ts";
import { readBlock, type StreamBlock, takeBlocks } from "./stream.ts";

/** A response of the public listener. */
export interface ReceivedResponse {
  method: string;
  /** without the query */
  path: string;
  status: number;
  header(name: string): string | null;
  /** the body; undefined if it could not be read, or is a stream that has only begun */
  text: string | undefined;
}

/** Headers that a response can have only if the description says so. */
const TELLING = ["Allow", "ETag", "Link", "Retry-After", "Set-Cookie", "Upgrade"];
const STREAM_TYPE = "text/event-stream";
const JSON_TYPE = "application/json";
/** Statuses that every request can get. */
const ALWAYS = ["403", "421", "429"];

/** The two documents of a service, to check its responses and messages against them. */
export class Contract {
  readonly #openApi: OpenApi;
  readonly #asyncApi: AsyncApi;
  // Other tests check that they are valid schemas.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });

  constructor(openApi: OpenApi, asyncApi: AsyncApi) {
    this.#openApi = openApi;
    this.#asyncApi = asyncApi;
    addFormats.default(this.#ajv);
    this.#ajv.addFormat("int64", true).addFormat("double", true);
    this.#ajv.addSchema(openApi, "openapi").addSchema(asyncApi, "asyncapi");
  }

  /** Throws unless the response is described: path, method, status, headers and the schema of the body. */
  answer(seen: ReceivedResponse): void {
    const { method, path, status, text } = seen;
    const found = this.#described(method, path, `${status}`);
    if (found === "private") return;
    const what = `${method} ${path}: ${status}`;
    if (!found) throw new Error(`${what} is not described`);
    const { described, pointer } = found;
    this.#headers(seen, described, what);
    if (text === undefined) return;
    if (method === "HEAD" || !described.content) {
      if (text !== "") throw new Error(`${what} is described without a body, got ${text}`);
      return;
    }
    const type = seen.header("Content-Type");
    if (type === STREAM_TYPE && STREAM_TYPE in described.content) {
      for (const block of takeBlocks(text).blocks) this.streamed(path, block);
      return;
    }
    const types = Object.keys(described.content);
    if (!types.includes(JSON_TYPE)) {
      if (types.includes(type?.split(";")[0] ?? "")) return;
      throw new Error(`${what} is described as ${types}, got ${type}`);
    }
    if (type !== `${JSON_TYPE}; charset=utf-8`) throw new Error(`${what} is described as JSON, got ${type}`);
    this.#hold("openapi", `${pointer}/content/application~1json/schema`, JSON.parse(text), what);
  }

  /** Parses a block of the stream of this path; throws unless the service may send it. */
  streamed(path: string, text: string): StreamBlock {
    const block = readBlock(text);
    const { id, event, data, retry } = block;
    if (retry !== undefined && !Number.isSafeInteger(retry)) throw new Error(`retry is ${retry}`);
    if (event === undefined && data === undefined) return block;
    const described = this.#openApi.paths[path]?.get?.responses[200]?.content?.[STREAM_TYPE]?.["x-events"];
    const found = described?.[event ?? ""];
    const what = `${path}: ${event}`;
    if (!found) throw new Error(`${what} is not described`);
    if (found.id !== (id !== undefined)) throw new Error(`${what} has ${id === undefined ? "no" : "an"} id`);
    this.#hold("openapi", found.data.$ref.slice(1), data, what);
    return block;
  }

  /** Throws unless the service may send this text on `/chat`. */
  fromService(text: string): void {
    if (!this.#isMessage("sendToBrowser", text)) throw new Error(`the service may not send ${text}`);
  }

  /** Whether a client may send this text on `/chat`. */
  fromClient(text: string): boolean {
    return this.#isMessage("receiveFromBrowser", text);
  }

  /** Why a value does not match a schema of the OpenAPI document; undefined if it does. */
  misfit(schema: Schema, value: unknown): string | undefined {
    const { $ref } = schema;
    return typeof $ref === "string"
      ? this.#fits("openapi", $ref.slice(1), value)
      : this.#errors(this.#ajv.compile(schema), value);
  }

  #isMessage(operation: keyof AsyncApi["operations"], text: string): boolean {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return false;
    }
    const { messages } = this.#asyncApi.operations[operation];
    return messages.some(
      ({ $ref }) => this.#fits("asyncapi", `${$ref.slice(1)}/payload`, value) === undefined,
    );
  }

  #described(
    method: string,
    path: string,
    status: string,
  ): { described: OpenApiAnswer; pointer: string } | "private" | undefined {
    const { paths, "x-other-answers": others, "x-private-paths": hidden } = this.#openApi;
    const template = templateOf(path, paths);
    const item = paths[template];
    const name = (method === "HEAD" ? "get" : method.toLowerCase()) as keyof NonNullable<typeof item>;
    const operation: Operation | undefined = item?.[name];
    if (operation) {
      const described = operation.responses[status];
      const pointer = `/paths/${encodeURIComponent(template.replaceAll("/", "~1"))}/${name}/responses/${status}`;
      return described && { described, pointer };
    }
    const isPrivate = hidden.some(
      one => path === one || (one !== "/" && one.endsWith("/") && path.startsWith(one)),
    );
    if (isPrivate && name === "get" && (status === "200" || status === "304")) return "private";
    const known = item !== undefined || isPrivate;
    const expected = [
      ...ALWAYS,
      ...(method === "OPTIONS" ? ["204"] : known ? ["405"] : []),
      ...(item === undefined ? ["400", "404"] : []),
    ];
    const described = others[status];
    return described && expected.includes(status)
      ? { described, pointer: `/x-other-answers/${status}` }
      : undefined;
  }

  #headers(seen: ReceivedResponse, { headers }: OpenApiAnswer, what: string): void {
    for (const name of TELLING)
      if (seen.header(name) !== null && !(name in headers))
        throw new Error(`${what} is described without ${name}`);
    for (const [name, header] of Object.entries(headers)) {
      const { required, schema } = this.#header(header);
      const value = seen.header(name);
      if (value === null && required) throw new Error(`${what} is described with ${name}`);
      if (value === null) continue;
      const wrong = this.#errors(
        this.#ajv.compile(schema),
        schema.type === "integer" ? Number(value) : value,
      );
      if (wrong !== undefined) throw new Error(`${what}: ${name} ${wrong}: ${value}`);
    }
  }

  #header(header: Header | Reference): Header {
    if (!("$ref" in header)) return header;
    const found = this.#openApi.components.headers[header.$ref.split("/").at(-1) ?? ""];
    if (!found) throw new Error(`there is no ${header.$ref}`);
    return found;
  }

  #hold(document: string, pointer: string, value: unknown, what: string): void {
    const wrong = this.#fits(document, pointer, value);
    if (wrong !== undefined) throw new Error(`${what}: ${wrong}: ${JSON.stringify(value)}`);
  }

  /** Why a value does not match the schema at a pointer of a document. */
  #fits(document: string, pointer: string, value: unknown): string | undefined {
    const validate = this.#ajv.getSchema(`${document}#${pointer}`);
    if (!validate) throw new Error(`${document} has no schema at ${pointer}`);
    return this.#errors(validate, value);
  }

  #errors(validate: ReturnType<Ajv2020["compile"]>, value: unknown): string | undefined {
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors);
  }
}

/** The path of the description: `/a/{b}` for `/a/1`. */
const templateOf = (path: string, paths: OpenApi["paths"]): string =>
  Object.keys(paths).find(one => {
    const [parts, held] = [one.split("/"), path.split("/")];
    return (
      parts.length === held.length &&
      parts.every((part, at) => part === held[at] || (part.startsWith("{") && held[at] !== ""))
    );
  }) ?? path;
