import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import type { Player } from "../../simulator/simulator.ts";
import type { Bench, Result } from "../bench.ts";
import { Live } from "../live.ts";
import { chatLine, chatSocket } from "../sockets.ts";
import { delays, type Limits } from "./delays.ts";

const LINES = 80;

export const webToGame: Bench = {
  name: "web-to-game",
  about: "a line of web chat, from the socket to a player's screen",
  run: say =>
    measured(say, { median: 1.5, p95: 2.5 }, ({ live, socket, player }) => line => {
      const isShown = (): boolean => player.chat.at(-1)?.includes(line) === true;
      return live.untilShown(() => socket.send(chatLine(line)), isShown);
    }),
};

export const gameToWeb: Bench = {
  name: "game-to-web",
  about: "a line of game chat, from a player to a socket",
  run: say =>
    measured(say, { median: 1, p95: 2 }, ({ socket, player }) => async line => {
      const begun = performance.now();
      player.say(line);
      for (let shown = false; !shown; ) shown = String(await once(socket, "message")).includes(line);
      return performance.now() - begun;
    }),
};

export const gameToEvents: Bench = {
  name: "game-to-events",
  about: "a line of game chat, from a player to a reader of GET /events",
  run: say =>
    measured(say, { median: 1, p95: 2 }, ({ live, player }) => {
      const stream = readEvents(live.sidecar.base);
      return async line => {
        const text = await stream;
        const begun = performance.now();
        player.say(line);
        for (let shown = false; !shown; ) shown = String(await once(text, "data")).includes(line);
        return performance.now() - begun;
      };
    }),
};

/** Opens a stream of events in this process. */
async function readEvents(base: string): Promise<IncomingMessage> {
  return (await once(get(`${base}/events`, { agent: false }), "response"))[0];
}

/** The delay of lines of chat between a player and a socket. */
async function measured(
  say: (words: string) => void,
  limits: Limits,
  way: (ends: { live: Live; socket: WebSocket; player: Player }) => (line: string) => Promise<number>,
): Promise<Result> {
  const live = await Live.start(1);
  const socket = await chatSocket(live.sidecar.base);
  const player = live.game.world.player("Player 0");
  const measure = way({ live, socket, player });
  const taken = await live.repeat(LINES, { say, what: "lines" }, i => measure(`line ${i}.`));
  return delays(taken, limits);
}
