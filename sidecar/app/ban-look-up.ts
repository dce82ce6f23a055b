import type { PlayerRef } from "../../shared/actions.ts";
import type { Banned } from "../domain/bans.ts";
import { lowered } from "../domain/known-list.ts";
import type { Bus } from "../ports/game.ts";
import type { KnownStore } from "../ports/known.ts";
import type { LinkStore } from "../ports.ts";
import type { Snapshots } from "./snapshots.ts";

/** Players who are looked at at once. */
const PAGE = 1_000;

/** A game server, as far as players are looked up there. */
export interface LookedUp {
  readonly bus: Pick<Bus, "lastSnapshot">;
  readonly snapshots: Pick<Snapshots, "fresh">;
  uuidOf(player: PlayerRef): string;
}

export type BanLookUp = ReturnType<typeof createBanLookUp>;

/** Who a name or a uuid is, as far as the service has seen them. All of it rejects as the storage does. */
export function createBanLookUp(deps: {
  worlds: { readonly all: readonly LookedUp[] };
  /** undefined: nobody is remembered */
  known: Pick<KnownStore, "read" | "present" | "page"> | undefined;
  links: Pick<LinkStore, "linkedTo" | "read">;
}) {
  const { worlds, known, links } = deps;

  /** Everybody who is online, by uuid. */
  async function online(): Promise<Map<string, Banned>> {
    const there = new Map<string, Banned>();
    for (const { bus, snapshots, uuidOf } of worlds.all)
      for (const { player } of (snapshots.fresh() && (await bus.lastSnapshot())?.rows) ?? []) {
        const uuid = uuidOf(player);
        there.set(uuid, { name: player.name, uuid, persistentId: player.persistentId });
      }
    return there;
  }

  /** Players who were away when they were seen last, and did not hide. */
  async function* away(name: string) {
    const prefix = lowered(name);
    for (let after: { key: string; uuid: string } | undefined; known; ) {
      const page = await known.page({ sort: "name", prefix, after, limit: PAGE });
      yield* page;
      const [uuid, record] = page.at(-1) ?? [];
      if (uuid === undefined || record === undefined || page.length < PAGE) return;
      after = { key: record.name, uuid };
    }
  }

  /** The persistent id of a player, where a browser is linked to her or the service has seen it. */
  async function withId(player: Banned): Promise<Banned> {
    if (player.persistentId) return player;
    const [session] = await links.linkedTo(player.uuid, 1);
    const link = session === undefined ? undefined : (await links.read(session)).link;
    if (link?.status !== "accepted") return player;
    return { ...player, name: player.name || link.player.name, persistentId: link.player.persistentId };
  }

  return {
    /** Players who go by a name, without case, as they were seen last. */
    async named(name: string): Promise<Banned[]> {
      const there = await online();
      const isSo = (each: { name: string }): boolean => lowered(each.name) === lowered(name);
      const found = new Map([...there].filter(([, player]) => isSo(player)));
      const add = (uuid: string, record: { name: string; persistentId?: string }): void => {
        if (!there.has(uuid) && isSo(record)) found.set(uuid, { ...record, uuid });
      };
      for (const [uuid, record] of (await known?.present()) ?? []) add(uuid, record);
      if (name !== "") for await (const [uuid, record] of away(name)) add(uuid, record);
      return Promise.all([...found.values()].map(withId));
    },
    /** The player of a uuid; her name is blank where nobody has seen her. */
    async of(uuid: string): Promise<Banned> {
      const there = (await online()).get(uuid);
      if (there) return withId(there);
      const record = (await known?.read([uuid]))?.get(uuid);
      return withId({ name: record?.name ?? "", uuid, persistentId: record?.persistentId ?? "" });
    },
  };
}
