import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { UNLIMITED } from "../scale/unlimited.ts";
import { type Bench, quantile } from "./bench.ts";
import { overConsole, overHttp, type StartChatGame } from "./chat-game.ts";
import { startSidecar } from "./processes.ts";

const TICK_MS = 50;
/** Ticks until the players have joined and the pack has connected to the sidecar. */
const FIRST_TICKS = 300;
const SAMPLES = 120;
/** Ticks between two messages; a message starts at any time within one. */
const EVERY_TICKS = 5;
/** Lines in the chat of a tick, at most. */
const MAX_LINES = 20;
const MAX_MORE_TICKS = 2;
const SHARES = [0.5, 0.95, 0.99];

/** What a message took. */
interface Delay {
  ticks: number;
  ms: number;
}
type Delays = Record<"web to game" | "game to web", Delay[]>;

/** Sends messages both ways in a game that ticks in real time. */
async function measure(start: StartChatGame, others: number): Promise<Delays> {
  const { base, bridge } = await startSidecar(UNLIMITED);
  const { simulator, say } = await start(bridge, systemClock);
  const { world } = simulator;
  const speaker = world.join("Steve");
  for (let i = 0; i < others; i++) world.join(`Player ${i}`);
  const socket = new WebSocket(`${base.replace("http", "ws")}/chat`, { perMessageDeflate: false });
  await once(socket, "open");

  const begun = new Map<string, { at: number; tick: number }>();
  const delays: Delays = { "web to game": [], "game to web": [] };
  const begin = (text: string, tick = world.tick): void =>
    void begun.set(text, { at: performance.now(), tick });
  const end = (way: keyof Delays, text = ""): void => {
    const from = begun.get(text);
    if (!begun.delete(text) || from === undefined) return;
    delays[way].push({ ticks: world.tick - from.tick, ms: performance.now() - from.at });
  };
  socket.on("message", data => end("game to web", /game \d+/.exec(String(data))?.[0]));

  let due = performance.now();
  for (let tick = 0; tick < FIRST_TICKS + SAMPLES * EVERY_TICKS; tick++) {
    if (tick >= FIRST_TICKS && tick % EVERY_TICKS === 0) {
      // The message is there as this tick begins.
      begin(`game ${tick}`, world.tick + 1);
      say(speaker, `game ${tick}`);
      setTimeout(() => {
        begin(`web ${tick}`);
        socket.send(JSON.stringify({ type: "CHAT", content: `web ${tick}` }));
      }, Math.random() * TICK_MS);
    }
    simulator.tickNow();
    for (const line of world.chat.slice(-MAX_LINES))
      if (line.tick === world.tick) end("web to game", /web \d+/.exec(line.text)?.[0]);
    due += TICK_MS;
    await sleep(Math.max(0, due - performance.now()));
  }
  socket.terminate();
  return delays;
}

const figures = (delays: Delays): string =>
  (Object.keys(delays) as (keyof Delays)[])
    .map(way => {
      const of = (key: keyof Delay): string =>
        SHARES.map(share =>
          Math.round(
            quantile(
              delays[way].map(delay => delay[key]),
              share,
            ),
          ),
        ).join(" / ");
      return `${way} ${of("ticks")} ticks, ${of("ms")} ms`;
    })
    .join("; ");

const middle = (delays: Delay[]): number =>
  quantile(
    delays.map(({ ticks }) => ticks),
    0.5,
  );

/** How long chat messages take over the console, beside HTTP, with this many players besides the one who talks. */
const delaysWith = (others: number): Bench => ({
  name: `delays-${others}`,
  about: `ticks and ms until a message is there over the console, p50 / p95 / p99, with ${others} other players`,
  async run() {
    const http = await measure(overHttp, others);
    const own = await measure(overConsole, others);
    const ways = Object.keys(own) as (keyof Delays)[];
    for (const [what, delays] of Object.entries({ http, own }))
      for (const way of ways)
        if (delays[way].length < 0.95 * SAMPLES)
          throw new Error(`${what}, ${way}: only ${delays[way].length} of ${SAMPLES} messages arrived`);
    return {
      figure: figures(own),
      target: `p50 <= HTTP + ${MAX_MORE_TICKS} ticks`,
      isMet: ways.every(way => middle(own[way]) <= middle(http[way]) + MAX_MORE_TICKS),
      reference: `over HTTP: ${figures(http)}`,
    };
  },
});

export const delays: readonly Bench[] = [0, 10, 100].map(delaysWith);
