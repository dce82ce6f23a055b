import type { PlayerRef } from "../../../shared/actions.ts";
import type { Log } from "../../platform/log.ts";
import type { PublicSnapshot, Snapshots } from "../status/snapshots.ts";
import { isElsewhere } from "./rules/elsewhere.ts";

interface ReportingServer {
  readonly name: string;
  readonly snapshots: Pick<Snapshots, "fresh">;
  uuidOf(player: PlayerRef): string;
}

/**
 * Tells which players are online on another game server: what a game server reports of those is ignored until the other one has
 * reported that they left, or has reported nothing for a while.
 */
export interface PlayersElsewhere {
  of(server: { name: string }): ServerPlayersElsewhere;
}

/** Players of one game server who are online on another one. */
export interface ServerPlayersElsewhere {
  has(player: PlayerRef): boolean;
  /** Whether a report about one player, `what`, is refused because of that; the log says so. */
  refuses(what: string, player: PlayerRef): boolean;
  /** The rows of a report whose players are not online elsewhere; the log names each of the others once. */
  without<R extends { player: PlayerRef }>(rows: readonly R[]): R[];
}

export function createElsewhere(deps: {
  servers: readonly ReportingServer[];
  log: Pick<Log, "warn">;
}): PlayersElsewhere {
  const { servers, log } = deps;
  const uuids = new WeakMap<PublicSnapshot["everybody"], ReadonlySet<string>>();

  function lists({ snapshots }: ReportingServer, uuid: string): boolean {
    const listed = snapshots.fresh()?.everybody;
    if (listed === undefined) return false;
    const known = uuids.get(listed) ?? new Set(listed.map(player => player.uuid));
    uuids.set(listed, known);
    return known.has(uuid);
  }

  return {
    of({ name }) {
      const own = servers.findIndex(server => server.name === name);
      const server = servers[own];
      let refused: ReadonlySet<string> = new Set();

      function has({ persistentId, ...player }: PlayerRef): boolean {
        if (server === undefined || servers.length === 1 || persistentId === "") return false;
        const uuid = server.uuidOf({ persistentId, ...player });
        return isElsewhere(
          servers.map(each => lists(each, uuid)),
          own,
        );
      }

      return {
        has,
        refuses(what, player) {
          const is = has(player);
          if (is)
            log.warn(
              { server: name, player: player.name, what },
              "Rejected a report about a player who is online on another game server",
            );
          return is;
        },
        without<R extends { player: PlayerRef }>(rows: readonly R[]): R[] {
          const others = rows.filter(({ player }) => has(player));
          for (const { player } of others)
            if (!refused.has(player.persistentId))
              log.warn(
                { server: name, player: player.name },
                "Ignored a player who is online on another game server, until they leave there",
              );
          refused = new Set(others.map(({ player }) => player.persistentId));
          return others.length === 0 ? [...rows] : rows.filter(row => !others.includes(row));
        },
      };
    },
  };
}
