import { ident } from "../../../../shared/actions.ts";
import { type Infer, int, object, optional } from "../../../../shared/guard.ts";
import { knownActions, world } from "../../../../shared/requests.ts";
import { cleanWebText } from "../../../platform/web-text.ts";

export const connection = object({
  /** of the pack's script */
  run: ident,
  /** wall time in milliseconds when this run connected first */
  since: int(0, Number.MAX_SAFE_INTEGER),
  world: optional(world),
  knows: optional(knownActions),
});
/** The connection of a game server. */
export type LastConnection = Infer<typeof connection>;

/**
 * The name of a world, for people; undefined where nothing is known of it. Cleaned, since consoles of other game servers show it.
 */
export const worldName = (server: Pick<LastConnection, "world"> | undefined): string | undefined =>
  server?.world && (cleanWebText(server.world.name ?? "") || cleanWebText(server.world.id));

/** Whether both are known, and are not the same world. */
export const isAnotherWorld = (one: LastConnection | undefined, other: LastConnection): boolean =>
  one?.world !== undefined && other.world !== undefined && one.world.id !== other.world.id;
