import type { NotReady, Ready } from "../../../shared/public/service.ts";
import type { LinkStorage } from "../linking/storage.ts";
import type { GameServers } from "../servers/game-server.ts";

export interface ReadinessDeps {
  /** why nothing can be stored at the moment, if that is the case */
  storageFault: LinkStorage["fault"];
  servers: GameServers;
}

/** Whether a game server is connected, its figures are fresh, and links can be stored. */
export function readiness({ storageFault, servers: gameServers }: ReadinessDeps): Ready | NotReady {
  const fault = storageFault();
  const servers = gameServers.all.map(({ name, snapshots }) => ({
    name,
    state: snapshots.fresh() ? ("online" as const) : ("away" as const),
  }));
  if (servers.some(({ state }) => state === "online") && fault === undefined)
    return { status: "ready", servers };
  const reason = fault ?? "no game server has reported lately";
  return { status: "unavailable", servers, reason };
}
