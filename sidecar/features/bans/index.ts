import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import { bound } from "../../kernel/http/route.ts";
import type { ServiceContext } from "../context.ts";
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
  service: ServiceContext,
  own: Pick<BansDeps, "store" | "known" | "links">,
): ServiceFeature & { bans: Bans } {
  const bans = createBans({ ...service, ...own });
  return {
    bans,
    facts: server => banFacts(bans.of(server)),
    serve: http => ({ routes: bound(banRoutes, { ...service, ...http, bans }) }),
  };
}
