import { ident } from "../../../../shared/actions.ts";
import { type Infer, int, object, optional } from "../../../../shared/guard.ts";
import type { ServiceSettings } from "../../../../shared/public/service.ts";
import { gameChat, knownActions, world } from "../../../../shared/requests.ts";
import { cleanWebText } from "../../../platform/web-text.ts";

export const connection = object({
  /** run of the pack */
  run: ident,
  /** wall time in milliseconds of this run's first connection */
  since: int(0, Number.MAX_SAFE_INTEGER),
  world: optional(world),
  knows: optional(knownActions),
  gameChat: optional(gameChat),
});
/** The last connection of a game server. */
export type LastConnection = Infer<typeof connection>;

/** Display name of a world; undefined if unknown. Cleaned, since consoles of other game servers show it. */
export const worldName = (server: Pick<LastConnection, "world"> | undefined): string | undefined =>
  server?.world && (cleanWebText(server.world.name ?? "") || cleanWebText(server.world.id));

/** How chat of the game reaches the website; null: no pack has connected yet. */
export const gameChatOf = (server: LastConnection | undefined): ServiceSettings["gameChat"] =>
  server === undefined ? null : (server.gameChat ?? "all");

/** Whether both worlds are known, and differ. */
export const isAnotherWorld = (one: LastConnection | undefined, other: LastConnection): boolean =>
  one?.world !== undefined && other.world !== undefined && one.world.id !== other.world.id;
