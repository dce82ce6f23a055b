import type { FurtherServer } from "../../config/servers.ts";
import type { Config } from "../../config/settings.ts";
import type { AskGame, ProcessProbe } from "../../kernel/storage/ports/game.ts";
import type { Shared, SharedWorld } from "../../kernel/storage/ports/shared.ts";
import { createWorld, type WorldDeps, type Worlds } from "./world.ts";

/** What this machine can see of a game server beside the first one. */
export interface LocalServer {
  probe: ProcessProbe;
  askGame: AskGame | undefined;
}

/** Makes every game server of the configuration. */
export async function createWorlds(
  { server, servers }: Pick<Config, "server" | "servers">,
  shared: Pick<Shared, "world" | "worlds">,
  deps: Omit<WorldDeps, "storedName" | "shared" | "info" | "mark" | "settings" | "hadBy"> & {
    seen(server: FurtherServer): LocalServer;
    /** the settings for holders of the token of the game server of this name; undefined: the first one */
    settingsFor(name: string | undefined): WorldDeps["settings"];
  },
): Promise<Worlds> {
  const isOne = servers.length === 0;
  const markOf = (name: string): WorldDeps["mark"] => (isOne ? {} : { server: name });
  const { settingsFor, seen } = deps;
  const sharedOf = (name: string): SharedWorld =>
    name === server.name ? shared.world : further(shared, name);
  const storedNameOf = (name: string): string => (name === server.name ? "" : name);
  const names = [server.name, ...servers.map(({ name }) => name)];
  /** For a game server: which of the others had a world last. */
  const hadByOthers =
    (own: string): WorldDeps["hadBy"] =>
    async world => {
      for (const name of names) {
        if (name === own) continue;
        const last = await deps.gameServerStore(storedNameOf(name)).gameServer();
        if (last?.world?.id === world) return name;
      }
      return undefined;
    };
  const first = await createWorld(server.name, {
    ...deps,
    ...{
      storedName: "",
      shared: shared.world,
      info: server.info,
      mark: markOf(server.name),
      settings: settingsFor(undefined),
      hadBy: hadByOthers(server.name),
    },
  });
  const others = await Promise.all(
    servers.map(each => {
      const { name, info } = each;
      return createWorld(name, {
        ...{ ...deps, ...seen(each), mark: markOf(name), settings: settingsFor(name) },
        ...{ storedName: name, shared: sharedOf(name), hadBy: hadByOthers(name) },
        // Without persistent ids, players of two game servers may have the same id.
        bridgeId: `${deps.bridgeId}:${name}`,
        info: { ...info, title: each.title || info.title },
      });
    }),
  );
  const all = [first, ...others];
  const byName = new Map(all.map(world => [world.name, world]));
  return { first, all, of: name => byName.get(name), isOne };
}

function further({ worlds }: Pick<Shared, "worlds">, name: string): SharedWorld {
  const world = worlds.get(name);
  if (world === undefined) throw new Error(`nothing is stored of a game server ${name}`);
  return world;
}
