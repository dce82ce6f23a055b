import type { Schema } from "../sidecar/http/contracts/schema.ts";
import { code, parts, prose, table, toHeading } from "./markdown.ts";

/** The heading under which a schema stands. */
const headingOf = (name: string): string => `Schema: ${name}`;

const nameOf = (reference: unknown): string => String(reference).split("/").at(-1) ?? "";

/** A link to the schema that is referred to. */
export const schemaLink = (reference: unknown): string => {
  const name = nameOf(reference);
  return toHeading(headingOf(name), name);
};

const WORDS: [key: string, word: (value: unknown) => string][] = [
  ["const", value => `always ${code(String(value))}`],
  ["enum", value => oneOf(value as string[])],
  ["pattern", value => `matches ${code(String(value))}`],
  ["minimum", value => `at least ${value}`],
  ["maximum", value => `at most ${value}`],
  ["minLength", value => `at least ${value} long`],
  ["maxLength", value => `at most ${value} long`],
  ["maxItems", value => `at most ${value} of them`],
];

const oneOf = (words: string[]): string =>
  `${words.length === 1 ? "always" : "one of"} ${words.map(code).join(", ")}`;

/** What a value has to be, in words. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref);
  if (schema.type === "array")
    return [`array of ${itemsOf(schema.items as Schema)}`, ...limits(schema)].join(", ");
  const types = [schema.type ?? "anything"].flat().join(" or ");
  const format = schema.format === undefined ? "" : ` (${schema.format})`;
  return [`${types}${format}`, ...limits(schema)].join(", ");
}

const itemsOf = (items: Schema): string =>
  items.$ref === undefined ? [`${items.type}s`, ...limits(items)].join(", ") : schemaLink(items.$ref);

const limits = (schema: Schema): string[] =>
  WORDS.flatMap(([key, word]) => (schema[key] === undefined ? [] : [word(schema[key])]));

/** A table of the properties of an object. */
function propertiesOf(schema: Schema): string {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return table(
    ["property", "type", "required", "meaning"],
    Object.entries(properties).map(([name, held]) => [
      code(name),
      typeOf(held),
      required.includes(name) ? "yes" : "no",
      String(held.description ?? ""),
    ]),
  );
}

/** Every schema under a heading of its own. */
export const schemas = (all: Record<string, Schema>): string =>
  parts(
    ...Object.entries(all).map(([name, schema]) =>
      parts(
        `### ${headingOf(name)}`,
        prose(
          schema.type === "array" ? `${schema.description} An ${typeOf(schema)}.` : `${schema.description}`,
        ),
        // What differs from one to another says more than what all have.
        schema.oneOf === undefined
          ? propertiesOf(schema)
          : parts(
              ...(schema.oneOf as Schema[]).map(one => parts(prose(`${one.description}`), propertiesOf(one))),
            ),
      ),
    ),
  );
