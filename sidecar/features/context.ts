import type { Config } from "../config/settings.ts";
import type { ApiSettings } from "../kernel/http/description.ts";
import type { Rates } from "../kernel/storage/ports.ts";
import type { Clock, SharedTime } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Audit } from "./moderation/audit.ts";
import type { GameServers } from "./servers/game-server.ts";

/** What every feature is made with, beside what it alone needs. */
export interface ServiceContext {
  readonly config: Pick<Config, "messages" | "modules" | "signIn">;
  /** those of `config` */
  readonly api: ApiSettings;
  readonly clock: Clock;
  readonly time: SharedTime;
  readonly rates: Rates;
  readonly log: Log;
  /** not throttled, for lines that only owners can cause */
  readonly ownerLog: Log;
  readonly audit: Audit;
  readonly servers: GameServers;
}
