import { createHash } from "node:crypto";
import { hidden, type Kind, orElse, someOf, text } from "./kind.ts";
import { type Item, listOf } from "./objects.ts";
import { serverNames } from "./servers.ts";

/** What a key may be for. */
export const SCOPES = [
  "whitelist:read",
  "whitelist:write",
  "links:read",
  "players:read",
  "players:kick",
  "chat:announce",
  "bans:read",
  "bans:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/** What the key in `admin-api-key`, and one that is made without other words, is for: it gets no more with another version. */
export const USUAL_SCOPES: readonly Scope[] = ["whitelist:read", "whitelist:write", "links:read"];

/** Name of the key in `admin-api-key`. */
const ADMIN = "admin";

/** SHA-256 of the UTF-8 bytes of a key, as `admin-keys` holds it. */
export const sha256Of = (key: string): string => createHash("sha256").update(key, "utf8").digest("hex");

/** What a request without a key would fit. */
const OF_NOTHING = sha256Of("");

/** What the holder of a key is called in logs and in the audit. */
export const keyName = text(
  `text of 1 to 64 characters on one line, without blanks at its ends, and not ${ADMIN}`,
  value =>
    value !== ADMIN && value !== "" && value.length <= 64 && value === value.trim() && !/\p{C}/u.test(value),
);

export const scopes: Kind<Scope[]> = someOf(...SCOPES);

/** The SHA-256 of what a holder alone knows. Where that was put here itself by mistake, it is shown to nobody. */
export const digestOf = (what: string): Kind<string> => ({
  ...text(
    `the SHA-256 of the ${what}, in 64 lower-case hexadecimal digits and quotes`,
    value => /^[0-9a-f]{64}$/.test(value) && value !== OF_NOTHING,
  ),
  shown: hidden,
});

const fields = {
  name: keyName,
  sha256: digestOf("key"),
  scopes,
  // Undefined: all of them.
  servers: orElse(serverNames, undefined),
};

export type AdminKey = Item<typeof fields>;

export const adminKeys = listOf(fields, { max: 100, unique: ["name", "sha256"] });

/** Every key that a configuration holds. */
export const allKeys = ({ adminApiKey, adminKeys }: KeySettings): AdminKey[] => [
  ...(adminApiKey === ""
    ? []
    : [{ name: ADMIN, sha256: sha256Of(adminApiKey), scopes: [...USUAL_SCOPES], servers: undefined }]),
  ...adminKeys,
];

/** Whether names can be added to the allowlist over the web. */
export const isListWritten = (settings: KeySettings): boolean =>
  allKeys(settings).some(({ scopes }) => scopes.includes("whitelist:write"));

/** The part of a configuration that is read again while the sidecar runs. */
interface KeySettings {
  /** blank: none */
  adminApiKey: string;
  adminKeys: readonly AdminKey[];
}
