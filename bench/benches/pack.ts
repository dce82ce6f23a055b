import { readFile } from "node:fs/promises";
import { type Bench, PLAYERS } from "../bench.ts";
import { PACK } from "../places.ts";
import { chatLine, chatSocket } from "../sockets.ts";
import { Stepped } from "../stepped.ts";

const TICKS_PER_MINUTE = 1200;
const LIMIT_MS = { mean: 0.5, p99: 5, max: 20 };
const MOST_REQUESTS = 20;
const MOST_KB = 60;
/** Average length of a line above which a script counts as minified. */
const LONG_LINES = 120;

export const scriptTime: Bench = {
  name: "script-time",
  about: `script time of a tick with ${PLAYERS} players and 20 lines of chat a second, from both sides`,
  async run(say) {
    const stepped = await Stepped.start(PLAYERS);
    const socket = await chatSocket(stepped.base);
    stepped.game.resetReport();
    const nativeBefore = stepped.nativeMs;
    say("a minute of the game");
    await stepped.ticks(TICKS_PER_MINUTE, tick => {
      if (tick % 2 === 0) stepped.players[tick % PLAYERS]?.say(`line ${tick}`);
      else socket.send(chatLine(`line ${tick}`));
    });
    const { meanMs: wholeMeanMs, p99Ms, maxMs, ticks } = stepped.game.report();
    const nativeMs = (stepped.nativeMs - nativeBefore) / ticks;
    const meanMs = wholeMeanMs - nativeMs;
    socket.terminate();
    await stepped.end();
    return {
      figure: `mean ${meanMs.toFixed(3)}, p99 ${p99Ms.toFixed(2)}, most ${maxMs.toFixed(2)} ms`,
      target: `mean <= ${LIMIT_MS.mean}, p99 <= ${LIMIT_MS.p99}, most <= ${LIMIT_MS.max} ms`,
      reference: `mean with sockets and screens ${wholeMeanMs.toFixed(3)} ms`,
      ok: meanMs <= LIMIT_MS.mean && p99Ms <= LIMIT_MS.p99 && maxMs <= LIMIT_MS.max,
      values: { meanMs, wholeMeanMs, p99Ms, maxMs, ticks },
    };
  },
};

export const idleRequests: Bench = {
  name: "idle-requests",
  about: "requests of the pack in a minute in which nothing happens",
  async run(say) {
    const stepped = await Stepped.start(PLAYERS);
    stepped.game.http.resetCounters();
    say("a minute of the game");
    await stepped.ticks(TICKS_PER_MINUTE);
    const { total, byPath } = stepped.game.http.counters;
    await stepped.end();
    const parts = [...byPath].map(([path, count]) => `${count} ${path.split("/").at(-1)}`).join(", ");
    return {
      figure: `${total} a minute (${parts})`,
      target: `<= ${MOST_REQUESTS} a minute`,
      ok: total > 0 && total <= MOST_REQUESTS,
      values: { requests: total },
    };
  },
};

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
