import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import type { BansHere } from "./bans.ts";

/** Drops players who are banned, and whom the game could not keep out: what comes of them is in no answer. */
export const banFacts = (bans: Pick<BansHere, "isBanned" | "met">): FactHandlers => ({
  async joined({ row }, { turn }) {
    await bans.met([row.player], turn);
    return bans.isBanned(row.player) ? "drop" : undefined;
  },
  async listed(report, { turn }) {
    await bans.met(
      report.rows.map(({ player }) => player),
      turn,
    );
    return { ...report, rows: report.rows.filter(({ player }) => !bans.isBanned(player)) };
  },
});
