import type { FurtherServer } from "../../config/servers.ts";
import type { Config } from "../../config/settings.ts";
import type { AskGame, ProcessProbe } from "../../kernel/storage/ports/game.ts";
import type { Shared, SharedServer } from "../../kernel/storage/ports/shared.ts";
import { createGameServer, type GameServerDeps, type GameServers } from "./game-server.ts";

/** What this machine can see of a game server beside the first one. */
export interface LocalServer {
  probe: ProcessProbe;
  askGame: AskGame | undefined;
}

/** Makes every game server of the configuration. */
export async function createGameServers(
  { server, servers }: Pick<Config, "server" | "servers">,
  shared: Pick<Shared, "server" | "servers">,
  deps: Omit<GameServerDeps, "storedName" | "shared" | "info" | "tag" | "settings" | "lastServerOf"> & {
    localServer(server: FurtherServer): LocalServer;
    /** the settings for holders of the token of the game server of this name; undefined: the first one */
    settingsFor(name: string | undefined): GameServerDeps["settings"];
  },
): Promise<GameServers> {
  const isOne = servers.length === 0;
  const tagOf = (name: string): GameServerDeps["tag"] => (isOne ? {} : { server: name });
  const { settingsFor, localServer } = deps;
  const sharedOf = (name: string): SharedServer =>
    name === server.name ? shared.server : sharedOfFurther(shared, name);
  const storedNameOf = (name: string): string => (name === server.name ? "" : name);
  const names = [server.name, ...servers.map(({ name }) => name)];
  /** For a game server: which of the others had a world last. */
  const lastServerAmongOthers =
    (own: string): GameServerDeps["lastServerOf"] =>
    async world => {
      for (const name of names) {
        if (name === own) continue;
        const last = await deps.connectionStore(storedNameOf(name)).last();
        if (last?.world?.id === world) return name;
      }
      return undefined;
    };
  const first = await createGameServer(server.name, {
    ...deps,
    storedName: "",
    shared: shared.server,
    info: server.info,
    tag: tagOf(server.name),
    settings: settingsFor(undefined),
    lastServerOf: lastServerAmongOthers(server.name),
  });
  const others = await Promise.all(
    servers.map(each => {
      const { name, info } = each;
      return createGameServer(name, {
        ...deps,
        ...localServer(each),
        tag: tagOf(name),
        settings: settingsFor(name),
        storedName: name,
        shared: sharedOf(name),
        lastServerOf: lastServerAmongOthers(name),
        // Without persistent ids, players of two game servers may have the same id.
        bridgeId: `${deps.bridgeId}:${name}`,
        info: { ...info, title: each.title || info.title },
      });
    }),
  );
  const all = [first, ...others];
  const byName = new Map(all.map(server => [server.name, server]));
  return { first, all, of: name => byName.get(name), isOne };
}

function sharedOfFurther({ servers }: Pick<Shared, "servers">, name: string): SharedServer {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`nothing is stored of a game server ${name}`);
  return server;
}
