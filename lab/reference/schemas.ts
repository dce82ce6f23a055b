import type { Schema } from "../../shared/public/declare.ts";
import { code, nameOf, propertiesOf, typeOf as typeInWords } from "../../sidecar/contracts/words.ts";
import { parts, prose, table, toHeading } from "./markdown.ts";

/** The heading under which a schema stands. */
const headingOf = (name: string): string => `Schema: ${name}`;

/** A link to the schema that is referred to. */
export const schemaLink = (reference: unknown): string => {
  const name = nameOf(reference);
  return toHeading(headingOf(name), name);
};

/** What a value has to be, in words. */
export const typeOf = (schema: Schema): string => typeInWords(schema, schemaLink);

/** A table of the properties of an object. */
const propertyTable = (schema: Schema): string =>
  table(
    ["property", "type", "required", "meaning"],
    propertiesOf(schema).map(({ name, held, required }) => [
      code(name),
      typeOf(held),
      required ? "yes" : "no",
      String(held.description ?? ""),
    ]),
  );

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
          ? propertyTable(schema)
          : parts(
              ...(schema.oneOf as Schema[]).map(one =>
                parts(prose(`${one.description}`), propertyTable(one)),
              ),
            ),
      ),
    ),
  );
