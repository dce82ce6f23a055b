import type { Schema } from "../../../../shared/public/schema-guards.ts";
import { type Markup, markup } from "../../../kernel/http/markup.ts";
import { propertiesOf } from "../words.ts";
import { heading, inline, prose, schemaId, terms, type } from "./blocks.ts";

const properties = (schema: Schema): Markup | undefined =>
  terms(
    propertiesOf(schema).map(({ name, held, required }) => [
      markup`<code>${name}</code>${!required && markup` <span class="soft">may be missing</span>`}`,
      [markup`<span class="type">${type(held)}</span> `, inline(`${held.description ?? ""}`)],
    ]),
  );

/** Every object that calls and events carry. */
export const schemas = (all: Record<string, Schema>): Markup[] =>
  Object.entries(all).map(
    ([name, schema]) => markup`${heading(3, schemaId(name), name)}
${prose(`${schema.description}`)}
${schema.type === "array" && markup`<p class="type">${type(schema)}</p>`}
${
  schema.oneOf === undefined
    ? properties(schema)
    : (schema.oneOf as Schema[]).map(one => [...prose(`${one.description}`), properties(one)])
}`,
  );
