import type { PlayerRow } from "../../../../shared/facts.ts";
import type { KnownPlayerData } from "../../../../shared/public/known-players.ts";
import { type AppPack, row, type TestApp } from "../../../../test/helpers/test-app.ts";
import type { KnownPage, KnownPageRequest } from "../known-list.ts";

/** A row as reported by a pack. */
export const steve = (more: Partial<PlayerRow> = {}): PlayerRow => row("Steve", { since: 1, ...more });
export const alex = (more: Partial<PlayerRow> = {}): PlayerRow => row("Alex", { since: 2, ...more });
export const figures = (deaths: number, playerKills: number, playtimeSeconds: number) => ({
  ...{ deaths, playerKills, playtimeSeconds },
});

export const report = (of: AppPack, ...rows: PlayerRow[]) =>
  of.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
export const join = (of: AppPack, row: PlayerRow) => of.report({ is: "joined", row });
export const leave = (of: AppPack, { player: { id } }: PlayerRow, row?: PlayerRow) =>
  of.report({ is: "left", id, ...(row && { row }) });

export async function pageOf(of: TestApp, query: Partial<KnownPageRequest> = {}): Promise<KnownPage> {
  if (of.knownList === undefined) throw new Error("there is no list of known players");
  return of.knownList.page({ sort: "name", limit: 50, ...query });
}
export async function oneOf(of: TestApp, name: string): Promise<KnownPlayerData | undefined> {
  return of.knownList?.one(of.server.uuidOf(row(name).player), true);
}
