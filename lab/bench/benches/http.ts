import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, NO_TARGET, PLAYERS, type Result } from "../bench.ts";
import type { BareHttp, Recorded } from "../roles/bare-http.ts";
import type { Framework } from "../roles/frameworks.ts";
import type { HttpLoad } from "../roles/http-load.ts";
import type { LiveGame } from "../roles/live-game.ts";
import { cpuOf, type SidecarProcess, startSidecarProcess } from "../sidecar.ts";
import { answersByTurns, type Rate, type Served } from "../turns.ts";
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

export const [status, players] = ["/status", "/players"].map(
  (path): Bench => ({
    name: `http-${path.slice(1)}`,
    about: `GET ${path} while a game with ${PLAYERS} players goes on, ${REST_MS / 1000} s after the start, 50 connections: answers for the same CPU, against a bare server on node:http with the same headers and bytes`,
    longestMs: LONGEST_MS,
    run: say =>
      besideGame(async (sidecar, load) => {
        const { bare } = await likeIt(sidecar, path, "bare-http");
        const rates = await answersByTurns(load, [ours(sidecar, path), bare], ROUNDS, say);
        return ofBare(rates, "", LEAST);
      }),
  }),
) as [Bench, Bench];

/** `where`: what is said of bare, too. */
export function ofBare([own, bare]: readonly [Rate, Rate], where: string, least?: number): Result {
  const ratio = 1 / bare.ofFirst;
  const shown = ({ microseconds, perSecond }: Rate): string =>
    `${microseconds.toFixed(1)} us an answer, ${Math.round(perSecond)} a second`;
  return {
    figure: `${ratio.toFixed(2)} of bare${where} (${shown(own)})`,
    target: least === undefined ? NO_TARGET : `>= ${least} of bare`,
    reference: `node:http${where} ${shown(bare)}`,
    ok: least === undefined || ratio >= least,
    values: {
      ratio,
      microseconds: own.microseconds,
      bareMicroseconds: bare.microseconds,
      perSecond: own.perSecond,
      barePerSecond: bare.perSecond,
    },
  };
}

export const anchors: Bench = {
  name: "http-anchors",
  about: `CPU for an answer of GET /status while a game with ${PLAYERS} players goes on, ${REST_MS / 1000} s after the start, 50 connections, against what answers the same headers and bytes`,
  longestMs: LONGEST_MS,
  run: say =>
    besideGame(async (sidecar, load) => {
      const path = "/status";
      const { recorded, bare } = await likeIt(sidecar, path, "bare-http");
      const fastify = (await likeIt(sidecar, path, "fastify", recorded)).bare;
      const express = (await likeIt(sidecar, path, "express", recorded)).bare;
      for (const { port } of [bare, fastify, express])
        await same(recorded, `http://127.0.0.1:${port}${path}`);
      const servers = [ours(sidecar, path), bare, fastify, express] as const;
      const [own, onNode, onFastify, onExpress] = await answersByTurns(load, servers, ANCHOR_ROUNDS, say);
      const us = ({ microseconds }: Rate): string => microseconds.toFixed(1);
      const times = ({ ofFirst }: Rate): string => (1 / ofFirst).toFixed(2);
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
  return found;
}

const ours = ({ base, cpu }: SidecarProcess, path: string): Served => ({
  port: Number(new URL(base).port),
  path,
  cpu,
});

/** Starts a server that answers like the sidecar at a path; `asBefore`: as it was recorded for another one, as figures go on. */
export async function likeIt(
  { base }: SidecarProcess,
  path: string,
  role: "bare-http" | "fastify" | "express",
  asBefore?: Recorded,
): Promise<{ recorded: Recorded; bare: Served }> {
  const recorded = asBefore ?? (await record(`${base}${path}`));
  const server = await Worker.start<BareHttp | Framework>(role);
  const port = await server.ask("listen", { ...recorded, path });
  return { recorded, bare: { port, path, cpu: cpuOf(server) } };
}

/** An answer as another server has to give it. */
async function record(url: string): Promise<Recorded> {
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
