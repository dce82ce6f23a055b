import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Log } from "../../platform/log.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import type { ServerBans } from "./bans.ts";
import { type Bans, type BansDeps, createBans } from "./bans.ts";
import { banRoutes } from "./routes.ts";

/** Drops reports of banned players whom the game could not keep out. */
const banFacts = (bans: Pick<ServerBans, "isBanned" | "bindPlayers">): FactHandlers => ({
  async joined({ row }, { lease }) {
    await bans.bindPlayers([row.player], lease);
    return bans.isBanned(row.player) ? "drop" : undefined;
  },
  async listed(report, { lease }) {
    await bans.bindPlayers(
      report.rows.map(({ player }) => player),
      lease,
    );
    return { ...report, rows: report.rows.filter(({ player }) => !bans.isBanned(player)) };
  },
});

export function createBansFeature(
  deps: BansDeps & { log: Log /** for lines that only owners can cause */; ownerLog: Log },
): ServiceFeature & { bans: Bans } {
  const { log, ownerLog } = deps;
  const bans = createBans(deps);
  return {
    bans,
    facts: server => banFacts(bans.of(server)),
    serve: ({ keys }) => ({ routes: bound(banRoutes, { bans, keys, log, ownerLog }) }),
  };
}
