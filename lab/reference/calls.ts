import type { Header, Reference } from "../../sidecar/contracts/headers.ts";
import type { Answer, OpenApi, Operation } from "../../sidecar/contracts/openapi.ts";
import {
  allErrors,
  callsOf,
  code,
  errorsOf,
  headerNames,
  isError,
  type Placed,
  who,
} from "../../sidecar/contracts/words.ts";
import { json, jsonBlock, parts, prose, table, toHeading } from "./markdown.ts";
import { schemaLink, typeOf } from "./schemas.ts";

const headingOf = ({ method, path }: Placed): string => `${method} ${path}`;

/** A table of all calls, each with a link to what is said of it. */
export const callTable = (api: OpenApi): string =>
  table(
    ["call", "who", "does"],
    callsOf(api).map(one => [
      toHeading(headingOf(one), code(headingOf(one))),
      who(one.operation),
      one.operation.summary,
    ]),
  );

/** Every call under a heading of its own, by tag. */
export const calls = (api: OpenApi): string =>
  parts(
    ...api.tags.map(({ name, description }) =>
      parts(
        `## ${name}`,
        description,
        ...callsOf(api)
          .filter(({ operation }) => operation.tags.includes(name))
          .map(one => call(headingOf(one), one.operation)),
      ),
    ),
  );

function call(heading: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  return parts(
    `### ${heading}`,
    prose(`${summary}. ${description}`),
    `Who: ${operation.security.length === 0 ? "anybody" : toHeading("Sessions and keys", who(operation))}.`,
    table(
      ["parameter", "in", "required", "type", "meaning", "example"],
      parameters.map(one => [
        code(one.name),
        one.in,
        one.required ? "yes" : "no",
        typeOf(one.schema),
        one.description,
        code(`${one.example}`),
      ]),
    ),
    requestBody ? request(requestBody) : "",
    table(
      ["status", "body", "headers", "when"],
      Object.entries(responses).flatMap(([status, answer]) => answerRows(status, answer)),
    ),
    ...Object.entries(responses).map(([status, answer]) => parts(stream(answer), examples(status, answer))),
  );
}

/** The events of an answer that may be a stream. */
function stream({ content }: Answer): string {
  const { "x-events": events = {}, examples = {} } = content?.["text/event-stream"] ?? {};
  return parts(
    table(
      ["event of the stream", "data", "id", "when"],
      Object.entries(events).map(([name, { data, description, id }]) => [
        code(name),
        schemaLink(data.$ref),
        id ? "yes" : "no",
        description,
      ]),
    ),
    ...Object.values(examples).map(({ summary, value }) =>
      parts(`${summary}:`, `\`\`\`text\n${String(value).trimEnd()}\n\`\`\``),
    ),
  );
}

function request({ description, content }: NonNullable<Operation["requestBody"]>): string {
  const { schema, examples } = content["application/json"];
  return parts(
    `Request: ${schemaLink(schema.$ref)}. ${description}`,
    ...Object.values(examples).map(({ value }) => jsonBlock(value)),
  );
}

/** A row for each error, or one for an answer that is none. */
function answerRows(status: string, answer: Answer): string[][] {
  const errors = errorsOf({ [status]: answer });
  if (errors.length > 0)
    return errors.map(({ code, headers, meaning }) => [status, json({ error: code }), headers, meaning]);
  const { schema } = answer.content?.["application/json"] ?? {};
  const [type] = Object.keys(answer.content ?? {});
  const body = schema ? schemaLink(schema.$ref) : type === undefined ? "none" : code(type);
  return [[status, body, headerNames(answer), answer.description]];
}

function examples(status: string, { content }: Answer): string {
  const all = Object.values(content?.["application/json"]?.examples ?? {});
  return parts(
    ...all
      .filter(({ value }) => !isError(value))
      .map(({ summary, value }) => parts(`${status}: ${summary}`, jsonBlock(value))),
  );
}

/** A table of all errors, by status. */
export const errorTable = (api: OpenApi): string =>
  table(
    ["status", "code", "meaning"],
    allErrors(api).map(one => [one.status, code(one.code), one.meaning]),
  );

/** A table of the headers of answers. */
export function headerTable(api: OpenApi): string {
  const others = Object.values(api["x-other-answers"]).flatMap(({ headers }) => Object.entries(headers));
  const isHeader = (entry: [string, Header | Reference]): entry is [string, Header] => !("$ref" in entry[1]);
  const own = others.filter(isHeader).filter(([, { required }]) => required);
  const all = { ...api.components.headers, ...Object.fromEntries(own) };
  return table(
    ["header", "type", "meaning", "example"],
    Object.entries(all).map(([name, { schema, description, example }]) => [
      code(name),
      typeOf(schema),
      description,
      code(`${example}`),
    ]),
  );
}

/** A table of what calls may ask for. */
export const securityTable = ({ components }: OpenApi): string =>
  table(
    ["what", "sent as", "meaning"],
    Object.entries(components.securitySchemes).map(([name, scheme]) => [
      name === "session" ? "a session" : "the admin key",
      `${scheme.in} ${code(scheme.name)}`,
      scheme.description,
    ]),
  );
