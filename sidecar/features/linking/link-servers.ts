import type { PlayerRef } from "../../../shared/actions.ts";
import type { PlayerData } from "../../../shared/public/game-server.ts";
import type { Game } from "../../kernel/bridge/actions.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { AuditGameChange } from "../moderation/audit.ts";
import type { Snapshots } from "../status/snapshots.ts";

/** The part of a game server that links need. */
export interface LinkServer {
  readonly name: string;
  /** its name in stored records: blank for the first one */
  readonly storedName: string;
  readonly game: Pick<Game, "act">;
  readonly snapshots: Pick<Snapshots, "fresh">;
  /** of changes that are made there, into the audit */
  readonly auditGameChange: AuditGameChange;
  /** the public uuid of a player who is there */
  uuidOf(player: PlayerRef): string;
}

/** A request, and the stored name of the game server that has it. */
interface RequestOnServer {
  request: string;
  server?: string | undefined;
}

/** The game servers, the first one first, by their names in stored requests. */
export interface LinkServers {
  first: LinkServer;
  all: readonly LinkServer[];
  /** The name that a request on this game server is stored with; undefined for the first one. */
  serverOf(server: LinkServer): string | undefined;
  /** Closes the form of a request. */
  close(request: RequestOnServer, lease?: Lease): void;
}

export function createLinkServers({ first, all }: Pick<LinkServers, "first" | "all">): LinkServers {
  const serverOf = ({ storedName }: LinkServer): string | undefined => storedName || undefined;
  const byServer = new Map(all.map(server => [serverOf(server), server]));
  return {
    first,
    all,
    serverOf,
    close({ request, server }, lease) {
      void byServer.get(server)?.game.act({ do: "link-close", request }, undefined, lease);
    },
  };
}

/** Whether the last snapshot lists a player of exactly this name. */
export const lists = ({ snapshots }: Pick<LinkServer, "snapshots">, username: string): boolean =>
  snapshots.fresh()?.allPlayers.some(({ name }) => name === username) ?? false;

/** The first of the game servers on which the player of this uuid is online, and the player's data there. */
export function whereIs<W extends Pick<LinkServer, "snapshots">>(
  uuid: string,
  servers: readonly W[],
): { server: W; player: PlayerData } | undefined {
  for (const server of servers) {
    const player = server.snapshots.fresh()?.allPlayers.find(each => each.uuid === uuid);
    if (player) return { server, player };
  }
  return undefined;
}
