import type { Schema } from "../../../shared/public/schema-guards.ts";
import type { Scope } from "../../../shared/public/words.ts";
import { EVERY_ANSWER } from "../../kernel/http/description.ts";
import type { OpenApi, OpenApiAnswer, Operation } from "./openapi.ts";

// The documents in words, with code in backticks, and links as in Markdown.

/** An operation with its method and path. */
export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** Every call, in the order of the document. */
export const callsOf = ({ paths }: OpenApi): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Whether a call requires a key, or the session of a moderator instead. */
export const needsKey = ({ security }: Operation): boolean => security.some(one => "adminKey" in one);

/** The scope that a key needs for a call, if it needs one. */
export const scopeOf = ({ security }: Operation): Scope | undefined =>
  security.flatMap(({ adminKey = [] }) => adminKey)[0];

/** What a call requires, as Markdown with links to the page. */
export function accessOf(operation: Operation): string {
  const { security } = operation;
  const names = security.flatMap(one => Object.keys(one));
  const isOptional = security.some(one => Object.keys(one).length === 0);
  if (names.length === 0) return "everyone";
  const session = "[a session](#sessions-and-keys)";
  if (!needsKey(operation)) return isOptional ? `everyone; with ${session} the response may differ` : session;
  const scope = scopeOf(operation);
  const withScope = scope === undefined ? "" : ` with the scope ${code(scope)}`;
  const orSession = names.includes("session") ? ", or the session of a moderator" : "";
  return `[an admin key](#sessions-and-keys)${withScope}${orSession}`;
}

/** Whether a body is an error. */
export const isError = (value: unknown): value is { error: string } =>
  typeof value === "object" && value !== null && "error" in value;

export const code = (text: string): string => `\`${text}\``;

/** Headers of a response, or of one of its errors. The description of a header that only some errors have names these. */
export const headerNames = ({ headers }: OpenApiAnswer, error = ""): string =>
  Object.entries(headers)
    // Every response has these, so the page mentions them once.
    .filter(([name]) => !EVERY_ANSWER.some(each => each === name))
    .filter(([, header]) => "$ref" in header || header.required || header.description.includes(code(error)))
    .map(([name]) => code(name))
    .join(", ");

/** An error of a response. */
interface ErrorDescription {
  status: string;
  code: string;
  meaning: string;
  headers: string;
}

/** The errors among responses, by status. */
export const errorsOf = (responses: Record<string, OpenApiAnswer>): ErrorDescription[] =>
  Object.entries(responses).flatMap(([status, answer]) =>
    Object.values(answer.content?.["application/json"]?.examples ?? {}).flatMap(({ summary, value }) =>
      isError(value)
        ? [{ status, code: value.error, meaning: summary, headers: headerNames(answer, value.error) }]
        : [],
    ),
  );

/** Every error of every response once, by status. */
export function allErrors(api: OpenApi): ErrorDescription[] {
  const answers = [...callsOf(api).map(({ operation }) => operation.responses), api["x-other-answers"]];
  const byCode = new Map(answers.flatMap(errorsOf).map(one => [`${one.status} ${one.code}`, one]));
  return [...byCode.values()].sort((one, other) => Number(one.status) - Number(other.status));
}

/** The last part of a `$ref`. */
export const nameOf = (reference: unknown): string => String(reference).split("/").at(-1) ?? "";

const oneOf = (words: string[]): string =>
  `${words.length === 1 ? "always" : "one of"} ${words.map(code).join(", ")}`;

const WORDS: [key: string, word: (value: unknown) => string][] = [
  ["const", value => `always ${code(String(value))}`],
  ["enum", value => oneOf((value as (string | null)[]).filter(word => word !== null))],
  ["pattern", value => `matches ${code(String(value))}`],
  ["minimum", value => `at least ${value}`],
  ["maximum", value => `at most ${value}`],
  ["minLength", value => `at least ${value} ${value === 1 ? "character" : "characters"}`],
  ["maxLength", value => `at most ${value} characters`],
  ["maxItems", value => `at most ${value} items`],
];

const limits = (schema: Schema): string[] =>
  WORDS.flatMap(([key, word]) => (schema[key] === undefined ? [] : [word(schema[key])]));

/** The type of a value. `link`: makes the link to a schema from its name. */
export function typeOf(schema: Schema, link: (name: string) => string): string {
  if (schema.$ref !== undefined) return link(nameOf(schema.$ref));
  if (schema.anyOf !== undefined)
    return (schema.anyOf as Schema[]).map(one => typeOf(one, link)).join(" or ");
  if (schema.type === "array")
    return [`array of ${itemsOf(schema.items as Schema, link)}`, ...limits(schema)].join(", ");
  const types = [schema.type ?? "anything"].flat().join(" or ");
  const format = schema.format === undefined ? "" : ` (${schema.format})`;
  return [`${types}${format}`, ...limits(schema)].join(", ");
}

const itemsOf = (items: Schema, link: (name: string) => string): string =>
  items.$ref === undefined ? [`${items.type}s`, ...limits(items)].join(", ") : link(nameOf(items.$ref));

/** The properties of an object. */
export function propertiesOf(schema: Schema): { name: string; schema: Schema; required: boolean }[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    schema: value,
    required: required.includes(name),
  }));
}
