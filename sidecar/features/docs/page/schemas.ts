import type { Schema } from "../../../../shared/public/schema-guards.ts";
import { type Markup, markup } from "../../../kernel/http/markup.ts";
import { propertiesOf } from "../words.ts";
import { fold, inline, prose, schemaId, terms, type } from "./blocks.ts";

const properties = (schema: Schema): Markup | undefined =>
  terms(
    propertiesOf(schema).map(({ name, schema, required }) => [
      markup`<code>${name}</code>${!required && markup` <span class="soft">optional</span>`}`,
      [markup`<span class="type">${type(schema)}</span> `, inline(`${schema.description ?? ""}`)],
    ]),
  );

/** Every schema of calls and events. */
export const schemas = (all: Record<string, Schema>): Markup[] =>
  Object.entries(all).map(([name, schema]) =>
    fold(
      { level: 3, id: schemaId(name), text: name, isEntry: true },
      markup`${prose(`${schema.description}`)}
${schema.type === "array" && markup`<p class="type">${type(schema)}</p>`}
${
  schema.oneOf === undefined
    ? properties(schema)
    : (schema.oneOf as Schema[]).map(one => [...prose(`${one.description}`), properties(one)])
}`,
    ),
  );
