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
 * Detects players who are online on another game server: reports about them are ignored until the other one has reported that they
 * left, or has been silent for a while.
 */
export interface PlayersElsewhere {
  of(server: { name: string }): ServerPlayersElsewhere;
}

/** Players of one game server who are online on another one. */
export interface ServerPlayersElsewhere {
  has(player: PlayerRef): boolean;
  /** Whether a report `what` about a player has to be rejected because of that. Logs it. */
  refuses(what: string, player: PlayerRef): boolean;
  /** The rows of a report without players who are online elsewhere, who are logged once each. */
  without<R extends { player: PlayerRef }>(rows: readonly R[]): R[];
}

export function createElsewhere(deps: {
  servers: readonly ReportingServer[];
  log: Pick<Log, "warn">;
}): PlayersElsewhere {
  const { servers, log } = deps;
  const uuids = new WeakMap<PublicSnapshot["allPlayers"], ReadonlySet<string>>();

  function lists({ snapshots }: ReportingServer, uuid: string): boolean {
    const listed = snapshots.fresh()?.allPlayers;
    if (listed === undefined) return false;
    const cached = uuids.get(listed) ?? new Set(listed.map(player => player.uuid));
    uuids.set(listed, cached);
    return cached.has(uuid);
  }

  return {
    of({ name }) {
      const index = servers.findIndex(server => server.name === name);
      const server = servers[index];
      let refused: ReadonlySet<string> = new Set();

      function has({ persistentId, ...player }: PlayerRef): boolean {
        if (server === undefined || servers.length === 1 || persistentId === "") return false;
        const uuid = server.uuidOf({ persistentId, ...player });
        return isElsewhere(
          servers.map(each => lists(each, uuid)),
          index,
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
