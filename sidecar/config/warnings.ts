import { readConfig } from "./read.ts";
import type { Config } from "./settings.ts";

/** A command that prints a good secret in every shell. */
export const MAKE_SECRET = `node -p "require('crypto').randomBytes(32).toString('base64url')"`;

/** A secret that is shorter, or has fewer different characters, gets a warning. */
const SAFE_LENGTH = 16;
const SAFE_VARIETY = 8;
/** Permission bits: users other than the owner can read. */
const OTHERS_READ = 0o044;

/** Whether a secret could be guessed. */
export const isWeak = (secret: string): boolean =>
  secret !== "" && (secret.length < SAFE_LENGTH || new Set(secret).size < SAFE_VARIETY);

/** The warning about an admin key that could be guessed, with a command that makes a good one. */
export const keyWarning = ({ modules }: Pick<Config, "modules">): string | undefined =>
  isWeak(modules.api.adminApiKey)
    ? `modules.api.admin-api-key could be guessed: set it to what this prints: ${MAKE_SECRET}`
    : undefined;

/** The warning about an address of Redis that is not used. */
export const unusedWarning = ({ storage: { kind, url } }: Pick<Config, "storage">): string | undefined =>
  kind === "embedded" && url !== ""
    ? "storage.url is set and storage.kind is embedded, so Redis is not used: set storage.kind: redis, or remove storage.url"
    : undefined;

/** The warning about a token that could be guessed. `name`: of one in `servers`; undefined: the first game server. */
export const tokenWarning = (name: string | undefined): string =>
  name === undefined
    ? "bridge.token could be guessed: leave it empty to have a strong one made, and run setup again"
    : `the token of ${name} in servers could be guessed: leave it out to have a strong one made, and run setup again`;

/**
 * The warning about a configuration file with a secret that other users can read.
 * @param mode permission bits of the file
 */
export function fileWarning(
  path: string,
  yaml: string,
  mode: number,
  platform: string = process.platform,
): string | undefined {
  if (platform === "win32" || (mode & OTHERS_READ) === 0) return undefined;
  const read = readConfig(yaml, {}, "/");
  if ("config" in read) {
    const { bridge, modules, storage, servers, webhooks } = read.config;
    // An address of Redis may have a password in it.
    const { url, sentinelPassword } = storage;
    const tokens = [bridge.token, ...servers.map(each => each.token)];
    const secrets = [modules.api.adminApiKey, url, sentinelPassword, ...tokens];
    if (secrets.join("") === "" && webhooks.length === 0) return undefined;
  }
  const octal = (mode & 0o777).toString(8);
  return `${path} contains a key or a token, and other users can read it (mode ${octal}): as the sidecar's user, chmod 600 "${path}"`;
}
