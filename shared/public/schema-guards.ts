import * as guards from "../guard.ts";

/** A JSON Schema (2020-12), as far as it is used here. */
export type Schema = { readonly [key: string]: unknown };

/** A guard with the JSON Schema of the values that it accepts. */
export interface SchemaGuard<T> extends guards.Guard<T> {
  readonly schema: Schema;
}

/** Adds an equivalent schema to a guard. */
export const withSchema = <T>(guard: guards.Guard<T>, schema: Schema): SchemaGuard<T> =>
  Object.assign((value: unknown, path?: string) => guard(value, path), { schema });

const MOST = Number.MAX_SAFE_INTEGER;

/** A string; lengths in UTF-16 code units. */
export function text(
  description: string,
  limits: { minLength?: number; maxLength?: number; pattern?: string } = {},
): SchemaGuard<string> {
  const { minLength = 0, maxLength = MOST, pattern = "" } = limits;
  const fitting = new RegExp(pattern, "u");
  const long = guards.text(maxLength, minLength);
  return withSchema(
    (value, path = "body") =>
      long(value, path) ?? (fitting.test(String(value)) ? undefined : `${path}: expected ${pattern}`),
    { type: "string", ...limits, description },
  );
}

const UUID = text("", { pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" });
/** Whether a text is a UUID in lower case. */
export const isUuid = (value: string): boolean => UUID(value) === undefined;
export const uuid = (description: string): SchemaGuard<string> =>
  withSchema(UUID, { type: "string", format: "uuid", description });

/** Exactly one of these words. */
export const oneOf = <const T extends string>(description: string, ...words: T[]): SchemaGuard<T> =>
  withSchema(guards.oneOf(...words), {
    type: "string",
    ...(words.length === 1 ? { const: words[0] } : { enum: words }),
    description,
  });

/** A whole number, at least `minimum`. */
export const count = (description: string, minimum = 0): SchemaGuard<number> =>
  withSchema(guards.int(minimum, MOST), { type: "integer", minimum, description });

/** A whole number, at least 0, which can exceed 32 bits. */
export const int64 = (description: string): SchemaGuard<number> =>
  withSchema(count(description), { ...count(description).schema, format: "int64" });
export const num = (minimum: number, maximum: number, description: string): SchemaGuard<number> =>
  withSchema(guards.num(minimum, maximum), {
    type: "number",
    format: "double",
    minimum,
    maximum,
    description,
  });
export const bool = (description: string): SchemaGuard<boolean> =>
  withSchema(guards.bool, { type: "boolean", description });

/** Null, and nothing else. */
export const none = (description: string): SchemaGuard<null> =>
  withSchema((value, path = "body") => (value === null ? undefined : `${path}: expected null`), {
    type: "null",
    description,
  });

/** The value or null. */
export function orNull<T>(guard: SchemaGuard<T>): SchemaGuard<T | null> {
  const { type, enum: words, ...rest } = guard.schema;
  return withSchema((value, path) => (value === null ? undefined : guard(value, path)), {
    type: [type, "null"],
    ...(Array.isArray(words) && { enum: [...words, null] }),
    ...rest,
  });
}

/** A property that may be missing. */
export const optional = <T>(guard: SchemaGuard<T>): SchemaGuard<T | undefined> =>
  withSchema(guards.optional(guard), guard.schema);

/** A named schema. `description`: replaces that of the schema. */
export const ref = <T>(name: string, guard: SchemaGuard<T>, description?: string): SchemaGuard<T> =>
  withSchema(guard, {
    $ref: `#/components/schemas/${name}`,
    ...(description !== undefined && { description }),
  });

/** A list. */
export const list = <T>(
  description: string,
  items: SchemaGuard<T>,
  maxItems?: number,
): SchemaGuard<readonly T[]> =>
  withSchema(guards.list(items, maxItems ?? MOST), {
    type: "array",
    ...(maxItems !== undefined && { maxItems }),
    description,
    items: items.schema,
  });

export type Properties = Record<string, SchemaGuard<never> | SchemaGuard<unknown>>;

const shapeOf = (properties: Properties): Schema => ({
  // The guard of an optional property accepts undefined.
  required: Object.keys(properties).filter(name => properties[name]?.(undefined) !== undefined),
  properties: Object.fromEntries(Object.entries(properties).map(([name, { schema }]) => [name, schema])),
});

/** An object without other properties in the schema. The guard ignores others, which another version may have stored. */
export const object = <S extends Properties>(description: string, properties: S) =>
  Object.assign(
    withSchema(guards.object(properties), {
      type: "object",
      description,
      additionalProperties: false,
      ...shapeOf(properties),
    }),
    { properties },
  );

/** An object that can have other properties. */
export const openObject = <S extends Properties>(description: string, properties?: S) =>
  withSchema(guards.object(properties ?? {}), {
    type: "object",
    description,
    ...(properties && shapeOf(properties)),
  });

/** The body of a request. */
export const request = <S extends Properties>(description: string, properties: S) =>
  openObject(`${description} Other properties are ignored.`, properties);

/** A response with one fixed status. */
export const constant = <const T extends string>(description: string, status: T) =>
  object(description, { status: oneOf("Always this value.", status) });

interface Arm<K extends string> extends SchemaGuard<unknown> {
  readonly properties: Record<K, SchemaGuard<string>>;
}

/** One of several objects, chosen by the value of `tag`. */
export function union<K extends string, A extends Arm<K>>(
  description: string,
  tag: K,
  about: string,
  arms: readonly A[],
): SchemaGuard<guards.Infer<A>> {
  const byWord = new Map(arms.flatMap(arm => wordsOf(arm.properties[tag]).map(word => [word, arm])));
  const tagged = guards.object({ [tag]: guards.oneOf(...byWord.keys()) });
  return withSchema(
    (value, path) => tagged(value, path) ?? byWord.get((value as Record<K, string>)[tag])?.(value, path),
    {
      type: "object",
      description,
      required: [tag],
      properties: { [tag]: { type: "string", description: about } },
      oneOf: arms.map(({ schema }) => schema),
    },
  );
}

const wordsOf = ({ schema }: SchemaGuard<string>): string[] =>
  Array.isArray(schema.enum) ? schema.enum : [String(schema.const)];
