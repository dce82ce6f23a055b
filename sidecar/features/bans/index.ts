import { bound } from "../../kernel/http/route.ts";
import type { Log } from "../../platform/log.ts";
import type { ServiceFeature } from "../servers/world.ts";
import { type Bans, type BansDeps, createBans } from "./bans.ts";
import { banFacts } from "./facts.ts";
import { banRoutes } from "./routes.ts";

/** Who must not come to the game servers. */
export function createBansFeature(
  deps: BansDeps & { log: Log /** for lines that only owners can cause */; ownerLog: Log },
): ServiceFeature & { bans: Bans } {
  const { log, ownerLog } = deps;
  const bans = createBans(deps);
  return {
    bans,
    facts: ({ name }) => banFacts(bans.of(name)),
    serve: ({ keys }) => ({ routes: bound(banRoutes, { bans, keys, log, ownerLog }) }),
  };
}
