import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, PLAYERS } from "../bench.ts";
import type { BareHttp, Recorded } from "../roles/bare-http.ts";
import type { Framework } from "../roles/frameworks.ts";
import type { HttpLoad } from "../roles/http-load.ts";
import type { LiveGame } from "../roles/live-game.ts";
import { type SidecarProcess, startSidecarProcess } from "../sidecar.ts";
import { answersByTurns, cpuOf, type Served } from "../turns.ts";
import { Worker } from "../worker.ts";

const ROUNDS = 30;
const ANCHOR_ROUNDS = 16;
const LONGEST_MS = 180_000;
const LEAST = 0.9;
const LEAST_SNAPSHOTS = 3;
/** After which V8 has given back what memory it can, as it will have on a server that runs for weeks. */
const REST_MS = 12_000;

/** Headers that Node adds to every answer by itself. */
const BY_NODE = new Set(["date", "connection", "keep-alive"]);

export const status = throughput("http-status", "/status");
export const players = throughput("http-players", "/players");

function throughput(name: string, path: string): Bench {
  return {
    name,
    about: `GET ${path} while a game with ${PLAYERS} players goes on, ${REST_MS / 1000} s after the start, 50 connections: answers for the same CPU, against a bare server on node:http with the same headers and bytes`,
    longestMs: LONGEST_MS,
    run: say =>
      besideGame(async (sidecar, load) => {
        const bare = await Worker.start<BareHttp>("bare-http");
        const port = await bare.ask("listen", await record(`${sidecar.base}${path}`));
        const servers = [ours(sidecar, path), { port, path, cpu: cpuOf(bare) }] as const;
        const [own, reference] = await answersByTurns(load, servers, ROUNDS, say);
        await bare.end();
        const ratio = 1 / reference.ofFirst;
        return {
          figure: `${ratio.toFixed(2)} of bare (${own.microseconds.toFixed(1)} us an answer, ${Math.round(own.perSecond)} a second)`,
          target: `>= ${LEAST} of bare`,
          reference: `node:http ${reference.microseconds.toFixed(1)} us, ${Math.round(reference.perSecond)} a second`,
          ok: ratio >= LEAST,
          values: {
            ratio,
            microseconds: own.microseconds,
            bareMicroseconds: reference.microseconds,
            perSecond: own.perSecond,
            barePerSecond: reference.perSecond,
          },
        };
      }),
  };
}

export const anchors: Bench = {
  name: "http-anchors",
  about: `CPU for an answer of GET /status while a game with ${PLAYERS} players goes on, ${REST_MS / 1000} s after the start, 50 connections, against what answers the same headers and bytes`,
  longestMs: LONGEST_MS,
  run: say =>
    besideGame(async (sidecar, load) => {
      const path = "/status";
      const recorded = await record(`${sidecar.base}${path}`);
      const bare = await Worker.start<BareHttp>("bare-http");
      const fastify = await Worker.start<Framework>("fastify");
      const express = await Worker.start<Framework>("express");
      const servers = [
        ours(sidecar, path),
        { port: await bare.ask("listen", recorded), path, cpu: cpuOf(bare) },
        { port: await fastify.ask("listen", { ...recorded, path }), path, cpu: cpuOf(fastify) },
        { port: await express.ask("listen", { ...recorded, path }), path, cpu: cpuOf(express) },
      ] as const;
      for (const { port } of servers.slice(1)) await same(recorded, `http://127.0.0.1:${port}${path}`);
      const rates = await answersByTurns(load, servers, ANCHOR_ROUNDS, say);
      await Promise.all([bare.end(), fastify.end(), express.end()]);
      const [own, onNode, onFastify, onExpress] = rates;
      const us = ({ microseconds }: { microseconds: number }): string => microseconds.toFixed(1);
      const times = ({ ofFirst }: { ofFirst: number }): string => (1 / ofFirst).toFixed(2);
      return {
        figure: `${us(own)} us an answer; for the same CPU ${times(onNode)} times the answers of node:http, ${times(onFastify)} of Fastify, ${times(onExpress)} of Express`,
        target: "ahead of Fastify",
        reference: `node:http ${us(onNode)}, Fastify ${us(onFastify)}, Express with cors and json ${us(onExpress)} us`,
        ok: onFastify.ofFirst < 1,
        values: {
          microseconds: own.microseconds,
          bareMicroseconds: onNode.microseconds,
          fastifyMicroseconds: onFastify.microseconds,
          expressMicroseconds: onExpress.microseconds,
          perSecond: own.perSecond,
          barePerSecond: onNode.perSecond,
          fastifyPerSecond: onFastify.perSecond,
          expressPerSecond: onExpress.perSecond,
        },
      };
    }),
};

/** Measures a sidecar while a game goes on beside it. @throws where that did not go on */
export async function besideGame<T>(
  measure: (sidecar: SidecarProcess, load: Worker<HttpLoad>) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const sidecar = await startSidecarProcess(env);
  const game = await Worker.start<LiveGame>("live-game");
  await game.ask("start", { bridge: sidecar.bridge, players: PLAYERS, talks: true });
  const load = await Worker.start<HttpLoad>("http-load");
  await sleep(REST_MS);
  const found = await measure(sidecar, load);
  const snapshots = await game.ask("snapshots", undefined);
  if (snapshots < LEAST_SNAPSHOTS) throw new Error(`the game told ${snapshots} snapshots only`);
  await Promise.all([load.end(), game.end(), sidecar.end()]);
  return found;
}

const ours = ({ base, worker }: SidecarProcess, path: string): Served => ({
  port: Number(new URL(base).port),
  path,
  cpu: cpuOf(worker),
});

/** An answer as another server has to give it. */
export async function record(url: string): Promise<Recorded> {
  const answer = await fetch(url, { headers: { "Accept-Encoding": "identity" } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const headers = [...answer.headers].filter(([key]) => !BY_NODE.has(key));
  return { headers, body: await answer.text() };
}

/** @throws where a server answers with other headers, or bytes of another number */
async function same(recorded: Recorded, url: string): Promise<void> {
  const { headers, body } = await record(url);
  const names = (each: Recorded["headers"]): string => `${each.map(([key]) => key)}`;
  if (names(headers) !== names(recorded.headers) || body.length !== recorded.body.length)
    throw new Error(
      `${url}: ${names(headers)} and ${body.length} bytes, not ${names(recorded.headers)} and ${recorded.body.length}`,
    );
}
