import {
  askLine,
  type Frame,
  frameLine,
  MAX_LINE_PAYLOAD,
  readFrameWord,
  readKeyWord,
} from "../../shared/console-link/frames.ts";
import {
  type ConsolePlayer,
  type FromLaunch,
  type LinkSettings,
  readFromLaunch,
  writeFromPack,
} from "../../shared/console-link/messages.ts";
import { createStream, type Stream, type StreamTimes } from "../../shared/console-link/stream.ts";
import type { Clock, Endpoint, HttpAnswer, HttpClient } from "../ports.ts";
import { fromBase64url, fromUtf8 } from "./base64url.ts";
import type { RunTask } from "./tasks.ts";

/** In ticks. */
const TIMES: StreamTimes = { resend: 20, ack: 2 };

/** Lines without an acknowledgement: those of a whole report of 100 players. */
const WINDOW = 16;

/** Lines in one tick. */
const LINES_PER_TICK = 3;

/** How often the pack asks for a key, in ticks: doubled from the first to the last. */
const FIRST_ASK_TICKS = 20;
const LAST_ASK_TICKS = 12_000;

/** How long lines may stay without an acknowledgement before the pack asks for a new key, in ticks. */
const LOST_TICKS = 600;

type Settle = (message: Extract<FromLaunch, { id: number }>) => void;

interface ConsoleLinkDeps {
  clock: Clock;
  /** a number from 0 up to 1 */
  random(): number;
  /** Prints a line on the game's console. */
  print(line: string): void;
  /** `launch` reports what the console says of a player. */
  reported(player: ConsolePlayer): void;
  /** A new link begins: all players are reported again. */
  opened(): void;
}

export type ConsoleLink = ReturnType<typeof createConsoleLink>;

/** The pack's end of the console link. `launch` passes its requests to the sidecar, and does its tasks on the console. */
export function createConsoleLink({ clock, random, print, reported, opened }: ConsoleLinkDeps) {
  let id = newId();
  let key: string | undefined;
  let stream = newStream();
  let settings: LinkSettings | undefined;
  let askAt = 0;
  let askTicks = FIRST_ASK_TICKS;
  let lastId = 0;
  let printedAt = -1;
  let linesLeft = 0;
  const received: string[] = [];
  const requests = new Map<number, Settle>();
  const tasks = new Map<number, Settle>();

  function newId(): string {
    return `${clock.now().toString(36).slice(-4)}${random().toString(36).slice(2, 8).padEnd(6, "0")}`;
  }

  function newStream(): Stream {
    return createStream({ times: TIMES, maxPayload: MAX_LINE_PAYLOAD, window: WINDOW });
  }

  function send(open: Map<number, Settle>, message: string, settle: Settle): void {
    lastId++;
    if (key === undefined) {
      settle({ is: "failed", id: lastId, why: "NotConnected" });
      return;
    }
    open.set(lastId, settle);
    stream.send(message);
    flush();
  }

  /** Prints what is due, as far as this tick allows. */
  function flush(): void {
    const tick = clock.tick();
    if (key === undefined) return;
    if (printedAt !== tick) linesLeft = LINES_PER_TICK;
    printedAt = tick;
    while (linesLeft > 0) {
      const frame = stream.next(tick);
      if (frame === undefined) return;
      linesLeft--;
      print(frameLine(key, frame));
    }
  }

  function failAll(open: Map<number, Settle>, why: string): void {
    const all = [...open];
    open.clear();
    for (const [id, settle] of all) settle({ is: "failed", id, why });
  }

  /** Begins again, as after a start of the script. */
  function reset(): void {
    id = newId();
    key = undefined;
    settings = undefined;
    stream = newStream();
    askAt = clock.tick();
    askTicks = FIRST_ASK_TICKS;
    received.length = 0;
    for (const open of [requests, tasks]) failAll(open, "ConsoleLinkLost");
  }

  function take(message: FromLaunch | undefined): void {
    if (message === undefined) return;
    if (message.is === "players") for (const player of message.players) reported(player);
    else if (message.is === "settings") settings = message;
    else {
      const open = tasks.has(message.id) ? tasks : requests;
      const settle = open.get(message.id);
      open.delete(message.id);
      settle?.(message);
    }
  }

  function ask(): void {
    if (clock.tick() < askAt) return;
    print(askLine(id));
    askAt = clock.tick() + askTicks;
    askTicks = Math.min(2 * askTicks, LAST_ASK_TICKS);
  }

  const post = (path: string, body: string, timeoutSeconds: number): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const next = lastId + 1;
      const request = writeFromPack({ is: "request", id: next, path, timeoutSeconds, body });
      send(requests, request, message => {
        if (message.is === "answer") resolve({ status: message.status, body: message.body });
        else reject(Object.assign(new Error(), { name: message.is === "failed" ? message.why : "Error" }));
      });
    });

  const http: HttpClient = {
    tokenHint: "see the lines of launch",
    open() {
      if (settings === undefined) return undefined;
      const endpoint: Endpoint = { ...settings, post };
      return { value: endpoint };
    },
    cancelAll: () => failAll(requests, "Cancelled"),
  };

  const run: RunTask = (task, done) => {
    const message = writeFromPack({ is: "task", id: lastId + 1, task });
    send(tasks, message, answer => {
      if (answer.is === "result") done({ value: answer.value });
      else done({ fault: answer.is === "failed" ? answer.why : "Error" });
    });
  };

  return {
    http,
    /** Takes a word that was typed on the console. Allowed in restricted execution. */
    takeWord(word: string) {
      if (key === undefined) {
        key = readKeyWord(word, id);
        if (key === undefined) return;
        opened();
        stream.send(writeFromPack({ is: "ready" }));
        return;
      }
      const frame = readFrameWord(key, word);
      if (frame === undefined) return;
      const decoded: Frame = { ...frame, payload: fromBase64url(frame.payload) };
      received.push(...stream.receive(decoded, clock.tick()));
    },
    run,
    /** To be called every tick. */
    step() {
      for (const message of received.splice(0)) take(readFromLaunch(fromUtf8(message)));
      if (key === undefined) return ask();
      if (stream.stuckFor(clock.tick()) > LOST_TICKS) reset();
      else flush();
    },
  };
}
