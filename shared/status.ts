import { count, type Infer, object, optional, record, text } from "./guard.ts";
import { SERVER_NAME_LENGTH } from "./limits.ts";
import { world } from "./requests.ts";

/** Path of the sidecar's status, for requests with the token. */
export const STATUS_PATH = "/bridge/status";

const MAX_SETTINGS = 1_000;
const DIGEST_LENGTH = 64;

/** Digests by the paths of settings. */
const digests = record(text(DIGEST_LENGTH, 1), MAX_SETTINGS);

/** The sidecar's version and settings, and the connected game server. Times in milliseconds since 1970. */
export const bridgeStatus = object({
  /** product version */
  version: text(32, 1),
  startedAt: count,
  /** name of the game server whose token was used; left out if there is only one */
  server: optional(text(SERVER_NAME_LENGTH, 1)),
  settings: optional(
    object({
      /** path of its configuration file, on its own machine */
      config: text(4096, 1),
      /** digests of the file's values that differ from the default, for settings that are read only at start */
      file: digests,
      /** digests of values set by the environment */
      environment: digests,
    }),
  ),
  game: optional(
    object({
      world: optional(world),
      /** when it connected */
      connectedAt: count,
      /** time of its last complete snapshot */
      reportedAt: optional(count),
      /** when another game server with this token was last rejected, since this process started */
      refusedAt: optional(count),
    }),
  ),
});
export type BridgeStatus = Infer<typeof bridgeStatus>;
