import { createHash } from "node:crypto";
import { BY_LINK, IN_GAME } from "../../shared/authors.ts";
import { NAME_LENGTH } from "../../shared/limits.ts";
import { strictName } from "../../shared/names.ts";
import { MODERATOR_SCOPES, SCOPES, type Scope, USUAL_SCOPES } from "../../shared/public/words.ts";
import { hidden, type Kind, orElse, someOf, text } from "./kind.ts";
import { type Item, listOf } from "./objects.ts";
import { serverNames } from "./servers.ts";

/** Name of the key in `admin-api-key`. */
const ADMIN = "admin";

/** SHA-256 of the UTF-8 bytes of a key, as `admin-keys` holds it. */
export const sha256Of = (key: string): string => createHash("sha256").update(key, "utf8").digest("hex");

/** Of a request without a key. */
const NO_KEY = sha256Of("");

/** The name of a key in logs and in the audit. */
export const keyName = text(
  `text of 1 to 64 characters on one line, without spaces at its ends, not ${ADMIN}, and not beginning with ${BY_LINK} or ${IN_GAME}`,
  value =>
    value !== ADMIN &&
    ![BY_LINK, IN_GAME].some(prefix => value.startsWith(prefix)) &&
    value !== "" &&
    value.length <= 64 &&
    value === value.trim() &&
    !/\p{C}/u.test(value),
);

export const scopes: Kind<Scope[]> = someOf(...SCOPES);

/** The SHA-256 of a secret. It is hidden, since the secret itself may have been written there by mistake. */
export const digestOf = (what: string): Kind<string> => ({
  ...text(
    `the SHA-256 of the ${what}, in 64 lower-case hexadecimal digits and quotes`,
    value => /^[0-9a-f]{64}$/.test(value) && value !== NO_KEY,
  ),
  display: hidden,
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

const player = text(
  `the uuid or the name of a player: text of 1 to ${NAME_LENGTH} characters on one line, without blanks at its ends`,
  value => value !== "" && value.length <= NAME_LENGTH && value === value.trim() && !/\p{C}/u.test(value),
);

const moderatorFields = {
  player: {
    ...player,
    read(raw: unknown, folder: string) {
      const read = player.read(raw, folder);
      return "value" in read ? { value: strictName(read.value) } : read;
    },
  },
  scopes: someOf(...MODERATOR_SCOPES),
  // Undefined: all of them.
  servers: orElse(serverNames, undefined),
};

/** A player who may moderate by the accepted link of a browser; `player`: by `strictName`. */
export type ModeratorEntry = Item<typeof moderatorFields>;

export const moderators = listOf(moderatorFields, { max: 100, unique: ["player"] });

/** Every key that a configuration holds. */
export const allKeys = ({ adminApiKey, adminKeys }: KeySettings): AdminKey[] => [
  ...(adminApiKey === ""
    ? []
    : [{ name: ADMIN, sha256: sha256Of(adminApiKey), scopes: [...USUAL_SCOPES], servers: undefined }]),
  ...adminKeys,
];

/** Whether names can be added to the allowlist through the API. */
export const isListWritten = (settings: KeySettings): boolean =>
  allKeys(settings).some(({ scopes }) => scopes.includes("whitelist:write"));

/** Settings of keys; they are read again while the sidecar runs. */
interface KeySettings {
  /** blank: none */
  adminApiKey: string;
  adminKeys: readonly AdminKey[];
}
