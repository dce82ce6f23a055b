import { describe, expect, it } from "@jest/globals";
import {
  frameWord,
  keyOf,
  keyWord,
  MAX_WORD_PAYLOAD,
  readAsk,
  readFrameLine,
} from "../../shared/console-link/frames.ts";
import {
  type ConsolePlayer,
  type FromLaunch,
  type FromPack,
  readFromPack,
  writeFromLaunch,
} from "../../shared/console-link/messages.ts";
import { createStream } from "../../shared/console-link/stream.ts";
import { utf8Bytes } from "../../shared/text.ts";
import type { HttpAnswer } from "../ports.ts";
import { createConsoleLink } from "./link.ts";

const KEY = keyOf("0123456789abcdef0123");

/** What the game puts in front of a line of a script. */
const PREFIX = "[2026-11-30 20:00:00:000 WARN] [Scripting] ";

/** The pack's end of the link with a launch that types one tick later. */
function begin() {
  const state = { tick: 100, isTyping: true };
  const lines: { line: string; tick: number }[] = [];
  const reported: ConsolePlayer[] = [];
  const words: string[] = [];
  const link = createConsoleLink({
    clock: { now: () => 50 * state.tick, tick: () => state.tick },
    random: () => 0.5,
    print: line => lines.push({ line, tick: state.tick }),
    reported: player => reported.push(player),
    opened: () => reported.splice(0),
  });
  const launch = {
    stream: createStream({ times: { resend: 20, ack: 2 }, maxPayload: MAX_WORD_PAYLOAD, window: 8 }),
    got: [] as FromPack[],
    send(message: FromLaunch) {
      launch.stream.send(Buffer.from(writeFromLaunch(message)).toString("latin1"));
    },
  };
  let read = 0;

  async function tick(times = 1): Promise<void> {
    for (let i = 0; i < times; i++) {
      state.tick++;
      for (const word of words.splice(0)) link.takeWord(word);
      link.step();
      for (; read < lines.length; read++) {
        const frame = readFrameLine(KEY, lines[read]?.line ?? "");
        const texts = frame === undefined ? [] : launch.stream.receive(frame, state.tick);
        for (const text of texts) launch.got.push(readFromPack(text) ?? { is: "ready" });
      }
      for (let frame = launch.stream.next(state.tick); frame; frame = launch.stream.next(state.tick)) {
        const encoded = Buffer.from(frame.payload, "latin1").toString("base64url");
        if (state.isTyping) words.push(frameWord(KEY, frame, encoded));
      }
      // Lets promises settle, as the game does between ticks.
      for (let round = 0; round < 4; round++) await Promise.resolve();
    }
  }

  const asks = (): string[] => lines.map(({ line }) => readAsk(line) ?? "").filter(id => id !== "");

  return {
    state,
    link,
    launch,
    lines,
    reported,
    tick,
    asks,
    /** Types a word in the next tick. */
    type: (word: string) => words.push(word),
    post(body = "{}"): Promise<HttpAnswer> {
      const opened = link.http.open();
      if (opened === undefined || "fault" in opened) throw new Error("the link is not open");
      return opened.value.post("/bridge/facts", body, 5);
    },
    /** Gives the pack its key and settings. */
    async open(): Promise<void> {
      await tick();
      words.push(keyWord(KEY, asks().at(-1) ?? ""));
      launch.send({ is: "settings", url: "http://127.0.0.1:8081", world: "World" });
      await tick(5);
    },
  };
}

/** Settles with the value, or the name of the error. */
const settled = (answer: Promise<HttpAnswer>): Promise<unknown> =>
  answer.catch((error: { name: string }) => error.name);

describe("a pack without a key", () => {
  it("[CONSOLE-1] asks at once, and then less and less often", async () => {
    const { lines, tick, asks } = begin();
    await tick(5_000);
    const at = lines.map(line => line.tick);
    const waits = at.slice(1).map((value, i) => value - (at[i] ?? 0));
    expect(waits).toEqual([20, 40, 80, 160, 320, 640, 1280]);
    expect(new Set(asks()).size).toBe(1);
    expect(lines[0]?.line).toMatch(/^\[web bridge\] not connected: start this game server with "launch"/);
  });

  it("[CONSOLE-1] takes only the key for its own id, and has no settings before", async () => {
    const { link, launch, tick, asks, type } = begin();
    await tick();
    for (const word of [keyWord(KEY, "forged1"), `${keyWord(KEY, asks()[0] ?? "")}x`, KEY, "", "key"])
      type(word);
    await tick(30);
    expect(asks().length).toBeGreaterThan(1);
    expect(launch.got).toEqual([]);
    expect(link.http.open()).toBeUndefined();
  });

  it("fails requests and tasks at once", async () => {
    const { link } = begin();
    const done: unknown[] = [];
    link.run({ do: "allowlist" }, result => done.push(result));
    expect(done).toEqual([{ fault: "NotConnected" }]);
  });
});

describe("a pack with a key", () => {
  it("stops asking, and has the settings of launch", async () => {
    const { link, launch, lines, tick, open } = begin();
    await open();
    expect(launch.got).toEqual([{ is: "ready" }]);
    expect(link.http.open()).toMatchObject({ value: { url: "http://127.0.0.1:8081", world: "World" } });
    const before = lines.length;
    await tick(1_000);
    expect(lines.length - before).toBeLessThanOrEqual(1);
  });

  it("sends requests, and gets each answer, whatever its characters and length", async () => {
    const { launch, tick, open, post } = begin();
    await open();
    const body = JSON.stringify({ text: "§c% é 玩家 😀 \ud800 ".repeat(400) });
    const answers = [settled(post(body)), settled(post("{}"))];
    await tick(20);
    expect(launch.got.slice(1).map(each => each.is === "request" && JSON.parse(each.body))).toEqual([
      JSON.parse(body),
      {},
    ]);
    const answer = JSON.stringify({ text: "é 玩家 😀 % ".repeat(500) });
    const [first, second] = launch.got.slice(1);
    for (const each of [second, first])
      if (each?.is === "request") launch.send({ is: "answer", id: each.id, status: 200, body: answer });
    await tick(60);
    expect(await Promise.all(answers)).toEqual(Array(2).fill({ status: 200, body: answer }));
  });

  it("rejects a request with the name that launch gives, and with its own when it is cancelled", async () => {
    const { link, launch, tick, open, post } = begin();
    await open();
    const failed = settled(post());
    await tick(3);
    launch.send({ is: "failed", id: 1, why: "ConnectionRefused" });
    await tick(3);
    expect(await failed).toBe("ConnectionRefused");
    const cancelled = settled(post());
    link.http.cancelAll();
    expect(await cancelled).toBe("Cancelled");
    await tick(3);
    launch.send({ is: "answer", id: 2, status: 200, body: "{}" });
    await tick(3);
  });

  it("has tasks done on the console", async () => {
    const { link, launch, tick, open } = begin();
    await open();
    const done: unknown[] = [];
    link.run({ do: "listed", name: "Two Words" }, result => done.push(result));
    link.run({ do: "kick", name: "Steve", reason: "x" }, result => done.push(result));
    await tick(3);
    expect(launch.got.slice(1)).toEqual([
      { is: "task", id: 1, task: { do: "listed", name: "Two Words" } },
      { is: "task", id: 2, task: { do: "kick", name: "Steve", reason: "x" } },
    ]);
    launch.send({ is: "result", id: 1, value: false });
    launch.send({ is: "failed", id: 2, why: "Timeout" });
    await tick(3);
    expect(done).toEqual([{ value: false }, { fault: "Timeout" }]);
  });

  it("does a task to its end when the requests are cancelled", async () => {
    const { link, launch, tick, open } = begin();
    await open();
    const done: unknown[] = [];
    link.run({ do: "kick", name: "Steve" }, result => done.push(result));
    link.http.cancelAll();
    await tick(3);
    launch.send({ is: "result", id: 1, value: true });
    await tick(3);
    expect(done).toEqual([{ value: true }]);
  });

  it("[CONSOLE-3] ignores forged and damaged words, and those of another run", async () => {
    const { launch, reported, tick, open, type } = begin();
    await open();
    const player = Buffer.from('players [{"name":"Steve","persistentId":"forged"}]').toString("base64url");
    const frame = { seq: 2, ack: 0, isLast: true, payload: "" };
    const real = frameWord(KEY, frame, player);
    type(frameWord(keyOf("f".repeat(20)), frame, player));
    type(real.slice(0, -1));
    type(real.slice(1));
    type(keyWord(keyOf("f".repeat(20)), "abcdef"));
    await tick(3);
    expect(reported).toEqual([]);
    launch.send({ is: "players", players: [{ name: "Steve", persistentId: "p-steve" }, { name: "Alex" }] });
    await tick(3);
    expect(reported).toEqual([{ name: "Steve", persistentId: "p-steve" }, { name: "Alex" }]);
  });

  it("[CONSOLE-5] prints at most three lines a tick, none of more than 3,500 bytes", async () => {
    const { lines, tick, open, post } = begin();
    await open();
    const before = lines.length;
    for (let i = 0; i < 4; i++) void settled(post(JSON.stringify('é%\\"'.repeat(2_000))));
    await tick(60);
    const printed = lines.slice(before);
    expect(printed.length).toBeGreaterThan(20);
    const perTick = new Map<number, number>();
    for (const each of printed) perTick.set(each.tick, (perTick.get(each.tick) ?? 0) + 1);
    expect(Math.max(...perTick.values())).toBe(3);
    expect(Math.max(...printed.map(({ line }) => utf8Bytes(PREFIX + line)))).toBeLessThanOrEqual(3_500);
  });

  it("[CONSOLE-6] asks for another key 30 s after the last sign of launch, and fails what was open", async () => {
    const { state, link, tick, open, post, asks } = begin();
    await open();
    const [id] = asks();
    state.isTyping = false;
    const lost = settled(post());
    await tick(600);
    expect(asks()).toHaveLength(1);
    await tick(10);
    expect(await lost).toBe("ConsoleLinkLost");
    expect(link.http.open()).toBeUndefined();
    expect(asks()).toHaveLength(2);
    expect(asks()[1]).not.toBe(id);
  });
});
