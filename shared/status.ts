import { count, type Infer, object, optional, record, text } from "./guard.ts";
import { SERVER_NAME_LENGTH } from "./limits.ts";
import { world } from "./requests.ts";

/** Path of the status of the sidecar, for requests with the token. */
export const STATUS_PATH = "/bridge/status";

const MAX_SETTINGS = 1_000;
const DIGEST_LENGTH = 64;

/** Digests by the paths of settings. */
const digests = record(text(DIGEST_LENGTH, 1), MAX_SETTINGS);

/** What the sidecar runs with, and which game server is connected. Times are wall time in milliseconds. */
export const bridgeStatus = object({
  /** of the product */
  version: text(32, 1),
  startedAt: count,
  /** what the settings call the game server whose token was shown; left out where there is one alone */
  server: optional(text(SERVER_NAME_LENGTH, 1)),
  settings: optional(
    object({
      /** path of the file that it has read, on its own machine */
      config: text(4096, 1),
      /** what that file set, where it is not the default; of each setting that is not read again while it runs */
      file: digests,
      /** what the environment has put over that */
      environment: digests,
    }),
  ),
  game: optional(
    object({
      world: optional(world),
      /** since when */
      connectedAt: count,
      /** the last complete snapshot of it */
      reportedAt: optional(count),
      /** when another one was refused last that wanted the bridge, too, since this process has started */
      refusedAt: optional(count),
    }),
  ),
});
export type BridgeStatus = Infer<typeof bridgeStatus>;
