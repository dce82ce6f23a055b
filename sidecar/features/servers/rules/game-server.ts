import { ident } from "../../../../shared/actions.ts";
import { checkJson, type Infer, int, object, optional } from "../../../../shared/guard.ts";
import { knownActions, world } from "../../../../shared/requests.ts";
import { cleanWebText } from "../../chat/rules/chat.ts";

const gameServer = object({
  /** of the pack's script */
  run: ident,
  /** wall time in milliseconds when this run connected first */
  since: int(0, Number.MAX_SAFE_INTEGER),
  world: optional(world),
  knows: optional(knownActions),
});
/** A game server that has connected. */
export type GameServer = Infer<typeof gameServer>;

/** Reads what was stored; what is damaged counts as nothing. */
export function parseGameServer(json: string): GameServer | undefined {
  const read = checkJson(gameServer, json);
  return "value" in read ? read.value : undefined;
}

/**
 * What a world is called, for people; undefined where nothing is known of it. It is shown on the console of another game server,
 * too, to which it may not give orders.
 */
export const worldName = (server: Pick<GameServer, "world"> | undefined): string | undefined =>
  server?.world && (cleanWebText(server.world.name ?? "") || cleanWebText(server.world.id));

/** Whether both are known, and are not the same world. */
export const isAnotherWorld = (one: GameServer | undefined, other: GameServer): boolean =>
  one?.world !== undefined && other.world !== undefined && one.world.id !== other.world.id;
