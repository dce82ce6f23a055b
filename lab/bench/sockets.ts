import { once } from "node:events";
import { WebSocket } from "ws";
import { UNLIMITED } from "../scale/unlimited.ts";
import { type Bench, byTurns } from "./bench.ts";
import { Game } from "./game.ts";
import { cpuOfEach, startPart, startSidecar } from "./processes.ts";

const SOCKETS = 1_000;
/** Sockets that are opened in parallel. */
const AT_ONCE = 50;
const LINES = 40;
/** Messages in one tick of the game. */
const BURST = 20;
/** Repetitions in a round; the loop of ws needs fewer. */
const BURSTS = 15;
const BARE_BURSTS = 3;
const ROUNDS = 4;
const LEAST = 1;
const MIN_BURST = 8;
const TEXT = "has anybody seen the map that was in the chest?";
const LINE = JSON.stringify({ type: "CHAT", content: TEXT });

export const sockets: Bench = {
  name: "sockets",
  about: `a chat message, and ${BURST} messages of one tick, to ${SOCKETS} sockets: messages for the CPU time of one by a loop of ws`,
  async run() {
    const sidecar = await startSidecar(UNLIMITED);
    const game = await Game.join(sidecar.bridge);
    const bare = await startPart("--bare-sockets");
    const [own, other] = [await Audience.open(`${sidecar.base}/chat`), await Audience.open(bare.base)];
    // The greeting of each socket.
    await own.received(SOCKETS);
    const oneByOne = (pid: number, audience: Audience) => () =>
      cpuOfEach(pid, LINES, async () => {
        for (let i = 0; i < LINES; i++) await audience.speak(1);
      });
    const line = await byTurns(ROUNDS, oneByOne(sidecar.pid, own), oneByOne(bare.pid, other));
    const tick = () => Promise.all([game.say(TEXT, BURST), own.received(BURST * SOCKETS)]);
    const bursts = (pid: number, times: number, one: () => Promise<unknown>) => () =>
      cpuOfEach(pid, times * BURST, async () => {
        for (let i = 0; i < times; i++) await one();
      });
    const burst = await byTurns(
      ROUNDS,
      bursts(sidecar.pid, BURSTS, tick),
      bursts(bare.pid, BARE_BURSTS, () => other.speak(BURST)),
    );
    const [times, burstTimes] = [1 / line.ratio, 1 / burst.ratio];
    return {
      figure: `${times.toFixed(2)}, bursts ${burstTimes.toFixed(1)}`,
      target: `>= ${LEAST}, bursts >= ${MIN_BURST}`,
      isMet: times >= LEAST && burstTimes >= MIN_BURST,
      reference: `${perSocket(line.own)} us a socket, ws ${perSocket(line.bare)}; bursts ${perSocket(burst.own)}, ws ${perSocket(burst.bare)}`,
    };
  },
};

const perSocket = (microseconds: number): string => (microseconds / SOCKETS).toFixed(2);

/** Receiving sockets of one server, and one sender. */
class Audience {
  readonly #speaker: WebSocket;
  /** messages that have arrived and were not awaited yet */
  #messages = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #reached: () => void = () => undefined;

  private constructor(speaker: WebSocket) {
    this.#speaker = speaker;
  }

  static async open(base: string): Promise<Audience> {
    const url = base.replace("http", "ws");
    const audience = new Audience(await opened(url, () => undefined));
    for (let left = SOCKETS; left > 0; left -= AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => opened(url, () => audience.#count())));
    return audience;
  }

  /** The sender sends this many messages; resolves when all other sockets have them. */
  async speak(lines: number): Promise<void> {
    for (let i = 0; i < lines; i++) this.#speaker.send(LINE);
    await this.received(lines * SOCKETS);
  }

  /** Resolves when this many messages have arrived since the last call. */
  async received(messages: number): Promise<void> {
    if (this.#messages < messages)
      await new Promise<void>(resolve => {
        this.#wanted = messages;
        this.#reached = resolve;
      });
    this.#wanted = Number.POSITIVE_INFINITY;
    this.#messages -= messages;
  }

  #count(): void {
    if (++this.#messages >= this.#wanted) this.#reached();
  }
}

async function opened(url: string, onMessage: () => void): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
  socket.on("message", onMessage);
  await once(socket, "open");
  return socket;
}
