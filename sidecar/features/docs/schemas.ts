import type { Schema } from "../../../shared/public/schema-guards.ts";
import { SCHEMAS } from "../../../shared/public/schemas.ts";
import { whitelistRequest } from "../../../shared/public/whitelist.ts";
import { NAME_PATTERNS, type WhitelistNames } from "../whitelist/rules.ts";

/** Every declared object of a service that takes these names on its whitelist. */
export const declared = (names: WhitelistNames): typeof SCHEMAS => ({
  ...SCHEMAS,
  WhitelistRequest: whitelistRequest(NAME_PATTERNS[names]),
});

/** Their schemas. */
export const schemasFor = (names: WhitelistNames): Record<string, Schema> =>
  Object.fromEntries(Object.entries(declared(names)).map(([name, { schema }]) => [name, schema]));
