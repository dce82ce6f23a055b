import { readFile } from "node:fs/promises";
import type { WebSocket } from "ws";
import { PACK } from "../../scale/built.ts";
import { type Bench, PLAYERS } from "../bench.ts";
import { BARE_SCRIPT } from "../places.ts";
import { chatLine, chatSocket } from "../sockets.ts";
import { Stepped } from "../stepped.ts";

const TICKS_PER_MINUTE = 1200;
const MINUTES = 3;
const LIMIT_MS = { mean: 0.25, p99: 1.2, max: 2.5 };
const MOST_REQUESTS = 20;
const MOST_KB = 128;
/** Average length of a line above which a script counts as minified. */
const LONG_LINES = 120;

export const scriptTime: Bench = {
  name: "script-time",
  about: `script time of a tick with ${PLAYERS} players and 20 lines of chat a second, from both sides`,
  longestMs: 120_000,
  async run(say) {
    const minutes: Minute[] = [];
    const bare: Minute[] = [];
    for (let i = 0; i < MINUTES; i++) {
      say(`minute ${i + 1} of ${MINUTES}`);
      minutes.push(await chatMinute(PACK));
      bare.push(await chatMinute(BARE_SCRIPT));
    }
    // What else the machine does can only add: each figure is the best of the minutes.
    const best = (key: keyof Minute): number => Math.min(...minutes.map(minute => minute[key]));
    const bareMs = Math.min(...bare.map(minute => minute.meanMs));
    const values = { meanMs: best("meanMs"), p99Ms: best("p99Ms"), maxMs: best("maxMs") };
    const { meanMs, p99Ms, maxMs } = values;
    const nativeMs = best("nativeMs");
    return {
      figure: `mean ${meanMs.toFixed(3)}, p99 ${p99Ms.toFixed(2)}, most ${maxMs.toFixed(2)} ms`,
      target: `mean <= ${LIMIT_MS.mean}, p99 <= ${LIMIT_MS.p99}, most <= ${LIMIT_MS.max} ms`,
      reference: `a script that makes the same calls and does nothing else ${bareMs.toFixed(3)}; sockets and screens of the simulator ${nativeMs.toFixed(3)} ms`,
      ok: meanMs <= LIMIT_MS.mean && p99Ms <= LIMIT_MS.p99 && maxMs <= LIMIT_MS.max,
      values: { ...values, bareMs, nativeMs },
    };
  },
};

interface Minute {
  meanMs: number;
  p99Ms: number;
  maxMs: number;
  /** of a tick, for what the simulator does in place of native code of the game; in none of the others */
  nativeMs: number;
}

/**
 * A minute of a game of its own with a line of chat in each tick, from a player and from the web in turn, after half a minute of
 * the same. @throws where lines are missing
 */
async function chatMinute(pack: string): Promise<Minute> {
  const stepped = await Stepped.start(PLAYERS, pack);
  const socket = await chatSocket(stepped.base);
  let lines = 0;
  socket.on("message", () => lines++);
  const chat = (count: number): Promise<void> =>
    stepped.ticks(count, tick => {
      if (tick % 2 === 0) stepped.players[tick % PLAYERS]?.say(`line ${tick}`);
      else socket.send(chatLine(`line ${tick}`));
    });
  await chat(TICKS_PER_MINUTE / 2);
  stepped.game.resetReport();
  stepped.game.http.resetCounters();
  await chat(TICKS_PER_MINUTE);
  const { meanMs, p99Ms, maxMs, nativeMeanMs } = stepped.game.report();
  // A request for each line of a player, and a poll for each of the web.
  const { total } = stepped.game.http.counters;
  socket.terminate();
  await stepped.end();
  if (lines < 0.7 * TICKS_PER_MINUTE || total < 0.9 * TICKS_PER_MINUTE)
    throw new Error(`${lines} lines to the web and ${total} requests in a minute of chat`);
  return { meanMs, p99Ms, maxMs, nativeMs: nativeMeanMs };
}

export const idleRequests: Bench = {
  name: "idle-requests",
  about: "requests of the pack in a minute in which nothing happens",
  async run(say) {
    const stepped = await Stepped.start(PLAYERS);
    stepped.game.http.resetCounters();
    say("a minute of the game");
    await stepped.ticks(TICKS_PER_MINUTE);
    const { total, byPath } = stepped.game.http.counters;
    const parts = [...byPath].map(([path, count]) => `${count} ${path.split("/").at(-1)}`).join(", ");
    return {
      figure: `${total} a minute (${parts})`,
      target: `<= ${MOST_REQUESTS} a minute`,
      ok: total > 0 && total <= MOST_REQUESTS,
      values: { requests: total },
    };
  },
};

export const chatRequests: Bench = {
  name: "chat-requests",
  about:
    "requests of the pack in a minute with 20 lines a second from the web, and with 10 from it and 10 from players",
  longestMs: 120_000,
  async run(say) {
    const stepped = await Stepped.start(PLAYERS);
    const socket = await chatSocket(stepped.base);
    say("a minute with lines from the web");
    const web = await countedMinute(stepped, socket, () => false);
    say("a minute with lines from both sides");
    const both = await countedMinute(stepped, socket, tick => tick % 2 === 0);
    return {
      figure: `${web.requests} from the web, ${both.requests} from both`,
      target: `<= two thirds of the reference, and ${MOST_REQUESTS} that come anyway`,
      reference: `with one for what became of each line: ${web.each}, ${both.each}`,
      ok: [web, both].every(({ requests, each }) => 3 * (requests - MOST_REQUESTS) <= 2 * each),
      values: { web: web.requests, webEach: web.each, both: both.requests, bothEach: both.each },
    };
  },
};

/**
 * A minute with a line in each tick, each of which finds the answers of the tick before. `each`: how many requests there
 * would be if each line from the web had one to itself that tells what became of it.
 */
async function countedMinute(
  stepped: Stepped,
  socket: WebSocket,
  isOfPlayer: (tick: number) => boolean,
): Promise<{ requests: number; each: number }> {
  const { http } = stepped.game;
  http.resetCounters();
  let players = 0;
  for (let tick = 0; tick < TICKS_PER_MINUTE; tick++) {
    const isTyped = isOfPlayer(tick);
    if (isTyped) {
      players++;
      stepped.players[tick % PLAYERS]?.say(`line ${tick}`);
    } else socket.send(chatLine(`line ${tick}`));
    // The poll is held, or brings the line.
    await stepped.answered(isTyped ? 1 : 0);
  }
  return { requests: http.counters.total, each: players + 2 * (TICKS_PER_MINUTE - players) };
}

export const packSize: Bench = {
  name: "pack-size",
  about: "size of the pack's script, as people can read it",
  async run() {
    const script = await readFile(PACK, "utf8");
    const bytes = Buffer.byteLength(script);
    const perLine = script.length / script.split("\n").length;
    return {
      figure: `${(bytes / 1024).toFixed(1)} KB${perLine > LONG_LINES ? ", minified" : ""}`,
      target: `<= ${MOST_KB} KB, not minified`,
      ok: bytes <= MOST_KB * 1024 && perLine <= LONG_LINES,
      values: { bytes, charactersPerLine: perLine },
    };
  },
};
