import { caddyRecipe, NGINX, nginxRecipe, programOf, type Recipe } from "../../../test/helpers/recipes.ts";
import { type Bench, NO_TARGET, PLAYERS } from "../bench.ts";
import { startProxy } from "../proxy.ts";
import type { BareHttp } from "../roles/bare-http.ts";
import { answersByTurns, cpuOf } from "../turns.ts";
import { Worker } from "../worker.ts";
import { besideGame, record } from "./http.ts";

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
          const bare = await Worker.start<BareHttp>("bare-http");
          const port = await bare.ask("listen", await record(`${sidecar.base}${path}`));
          const own = await startProxy(program, recipe, new URL(sidecar.base).host);
          const reference = await startProxy(program, recipe, `127.0.0.1:${port}`);
          const through = ({ port, host, ca, cpu }: typeof own, server: () => Promise<number>) => ({
            ...{ port, host, ca, path },
            cpu: async () => (await cpu()) + (await server()),
          });
          const servers = [through(own, cpuOf(sidecar.worker)), through(reference, cpuOf(bare))] as const;
          const [ours, bares] = await answersByTurns(load, servers, ROUNDS, say);
          await Promise.all([own.end(), reference.end(), bare.end()]);
          const ratio = 1 / bares.ofFirst;
          return {
            figure: `${ratio.toFixed(2)} of bare behind it (${ours.microseconds.toFixed(0)} us an answer, ${Math.round(ours.perSecond)} a second)`,
            target: NO_TARGET,
            reference: `node:http behind it ${bares.microseconds.toFixed(0)} us, ${Math.round(bares.perSecond)} a second`,
            ok: true,
            values: {
              ratio,
              microseconds: ours.microseconds,
              bareMicroseconds: bares.microseconds,
              perSecond: ours.perSecond,
              barePerSecond: bares.perSecond,
            },
          };
        },
        { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" },
      );
    },
  };
}
