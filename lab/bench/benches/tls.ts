import { caddyRecipe, NGINX, nginxRecipe, programOf, type Recipe } from "../../../test/helpers/recipes.ts";
import { type Bench, PLAYERS } from "../bench.ts";
import { startProxy } from "../proxy.ts";
import { answersByTurns, type Served } from "../turns.ts";
import { besideGame, likeIt, ofBare } from "./http.ts";

const ROUNDS = 20;

export const behindNginx = behind("nginx", NGINX, "-v", nginxRecipe);
export const behindCaddy = behind("caddy", ["caddy"], "version", caddyRecipe);

function behind(name: string, names: readonly string[], version: string, recipe: Recipe): Bench {
  const path = "/status";
  return {
    name: `tls-status-${name}`,
    about: `GET ${path} through ${name} with TLS as in the recipe, while a game with ${PLAYERS} players goes on, 50 connections that stay open: CPU of proxy and server for an answer, against the same proxy in front of a bare server on node:http`,
    longestMs: 180_000,
    async run(say) {
      const program = programOf(names, version);
      if (program === undefined) return { skipped: `${name} is not installed` };
      if (programOf(["openssl"], "version") === undefined) return { skipped: "openssl is not installed" };
      return besideGame(
        async (sidecar, load) => {
          const { bare } = await likeIt(sidecar, path, "bare-http");
          const through = async (server: Pick<Served, "cpu" | "port">): Promise<Served> => {
            const { cpu, ...at } = await startProxy(program, recipe, `127.0.0.1:${server.port}`);
            return { ...at, path, cpu: async () => (await cpu()) + (await server.cpu()) };
          };
          const own = await through({ cpu: sidecar.cpu, port: Number(new URL(sidecar.base).port) });
          const servers = [own, await through(bare)] as const;
          return ofBare(await answersByTurns(load, servers, ROUNDS, say), " behind it");
        },
        { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" },
      );
    },
  };
}
