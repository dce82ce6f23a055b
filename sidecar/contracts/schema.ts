/** A JSON Schema (2020-12), as far as it is used here. */
export type Schema = { readonly [key: string]: unknown };

export const object = (
  description: string,
  properties: Record<string, Schema>,
  required = Object.keys(properties),
): Schema => ({ type: "object", description, additionalProperties: false, required, properties });
/** One that may hold more. */
export const open = (description: string, properties: Record<string, Schema>): Schema => ({
  type: "object",
  description,
  required: Object.keys(properties),
  properties,
});
export const request = (description: string, properties: Record<string, Schema>): Schema =>
  open(`${description} Other properties are ignored.`, properties);
export const oneOf = (description: string, ...values: string[]): Schema => ({
  type: "string",
  ...(values.length === 1 ? { const: values[0] } : { enum: values }),
  description,
});
export const constant = (description: string, status: string): Schema =>
  object(description, { status: oneOf("Always this word.", status) });
export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
export const int64 = (description: string): Schema => ({ ...count(description), format: "int64" });
export const uuid = (description: string): Schema => ({ type: "string", format: "uuid", description });
export const num = (minimum: number, maximum: number, description: string): Schema => ({
  type: "number",
  format: "double",
  minimum,
  maximum,
  description,
});
/** A schema that null fits too. */
export const orNull = ({ type, ...rest }: Schema): Schema => ({ type: [type, "null"], ...rest });

export const schema = (name: string, description: string): Schema => ({
  $ref: `#/components/schemas/${name}`,
  description,
});
