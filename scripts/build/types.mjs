/** @typedef {{ readonly [key: string]: unknown }} Schema */

/** Limits that a type cannot express, in words. @type {[key: string, word: (limit: unknown) => string][]} */
const LIMITS = [
  ["maximum", limit => `At most ${limit}.`],
  ["maxItems", limit => `At most ${limit} of them.`],
  ["pattern", limit => `Matches \`${limit}\`.`],
];

/**
 * TypeScript types of schemas by name, with their descriptions as comments.
 * @param {Record<string, Schema>} schemas
 */
export const typesOf = schemas =>
  Object.entries(schemas)
    .map(([name, schema]) => {
      const isObject = schema.properties !== undefined && schema.oneOf === undefined;
      const [head, end] = isObject ? [`interface ${name} `, ""] : [`type ${name} = `, ";"];
      return `${comment(schema, "")}export ${head}${typeOf(schema, "")}${end}\n`;
    })
    .join("");

/** @param {Schema} schema @param {string} indent */
function comment(schema, indent) {
  const limits = LIMITS.map(([key, word]) => (schema[key] === undefined ? "" : word(schema[key])));
  const text = [schema.description, ...limits].filter(Boolean).join(" ");
  return text === "" ? "" : `${indent}/** ${text} */\n`;
}

/** @param {Schema} schema @param {string} indent @returns {string} */
function typeOf(schema, indent) {
  const { $ref, const: word, enum: words, oneOf, items, properties, type } = schema;
  if (Array.isArray(type))
    return type.map(one => (one === "null" ? one : typeOf({ ...schema, type: one }, indent))).join(" | ");
  if ($ref !== undefined) return String($ref).split("/").at(-1) ?? "";
  if (Array.isArray(words) || word !== undefined)
    return (Array.isArray(words) ? words.filter(one => one !== null) : [word])
      .map(one => JSON.stringify(one))
      .join(" | ");
  if (Array.isArray(oneOf))
    return oneOf
      .map(one => `\n${comment(one, `${indent}  `)}${indent}  | ${typeOf(one, `${indent}  `)}`)
      .join("");
  if (type === "array") {
    const element = typeOf(/** @type {Schema} */ (items), indent);
    return `readonly ${element.includes(" | ") ? `(${element})` : element}[]`;
  }
  if (properties !== undefined) return object(schema, indent);
  return type === "integer" ? "number" : String(type);
}

/** @param {Schema} schema @param {string} indent */
function object(schema, indent) {
  const { properties, required } = /** @type {{ properties: Record<string, Schema>, required: string[] }} */ (
    schema
  );
  const lines = Object.entries(properties).map(
    ([name, held]) =>
      `${comment(held, `${indent}  `)}${indent}  ${name}${required.includes(name) ? "" : "?"}: ${typeOf(held, `${indent}  `)};\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}
