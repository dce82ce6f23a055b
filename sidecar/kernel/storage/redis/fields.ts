import type { Connection } from "./connection.ts";
import fields from "./lua/fields.lua";
import { textsOf } from "./reply.ts";
import { script } from "./script.ts";

const FIELDS = script(fields, { mayOverfill: true });

/** What a hash has under each of these, by them; blank where it has nothing. */
export async function readFields(
  redis: Connection,
  hash: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const found = textsOf(await redis.run(FIELDS, [hash], names));
  return new Map(names.map((name, i) => [name, found[i] ?? ""]));
}
