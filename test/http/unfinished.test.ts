import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { frames, plainSocket } from "../helpers/flood.ts";
import { eventually } from "../helpers/runner.ts";
import { serving } from "../helpers/serving.ts";

const PING = frames('{"type":"PING"}', 1);
const [FIRST_PART, LAST_PART] = [frames('{"type":', 1, 0x01), frames('"PING"}', 1, 0x80)];
const LONG = Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 2, 0, 0]), Buffer.alloc(131_071)]);
const NOTHING = Buffer.alloc(0);
const PROTOCOL_PING = frames("still there", 1, 0x89);

const side = serving();
beforeEach(() => side.start());

/** A socket that counts the answers it gets. */
async function open(): Promise<{ socket: Socket; answers: () => number }> {
  const socket = await plainSocket(side.port);
  side.onEnd(() => socket.destroy());
  let answers = 0;
  socket.on("data", (chunk: Buffer) => {
    answers += chunk.toString("latin1").match(/heartbeat pong|still there/g)?.length ?? 0;
  });
  return { socket, answers: () => answers };
}

/** Time passes, and then the network. */
async function later(ms: number): Promise<void> {
  side.clock.advance(ms);
  await (await side.socket()).settled();
}

describe("a message that is not finished", () => {
  it.each([
    ["in the middle of a frame", PING, PING.subarray(0, 9)],
    ["in the head of a frame", PING, PING.subarray(0, 1)],
    ["long, and right behind another one", Buffer.concat([PING, LONG.subarray(0, 300)]), NOTHING],
    [
      "between its parts, though there are pings between",
      Buffer.concat([FIRST_PART, PROTOCOL_PING]),
      NOTHING,
    ],
    ["while its pings are in pieces too", FIRST_PART, PROTOCOL_PING],
  ])("%s has its socket cut off after 10 s", async (_where, first, second) => {
    const { socket, answers } = await open();
    socket.write(first);
    if (first !== FIRST_PART) await eventually(() => expect(answers()).toBe(1));
    for (const byte of second) {
      socket.write(Buffer.of(byte));
      await nextTurn();
    }
    await later(9_000);
    expect(socket.closed).toBe(false);
    side.clock.advance(2_000);
    await eventually(() => expect(socket.closed).toBe(true));
  });

  it("in time is answered, however many come one behind the other", async () => {
    const { socket, answers } = await open();
    socket.write(PING.subarray(0, 9));
    for (let i = 1; i < 6; i++) {
      await later(7_000);
      socket.write(Buffer.concat([PING.subarray(9), PING.subarray(0, 9)]));
      await eventually(() => expect(answers()).toBe(i));
    }
    socket.write(Buffer.concat([PING.subarray(9), FIRST_PART]));
    await later(7_000);
    socket.write(LAST_PART);
    await eventually(() => expect(answers()).toBe(7));
    await later(60_000);
    expect(socket.closed).toBe(false);
  });

  it("takes no more than 16 MiB together with all others, and short ones go on", async () => {
    const all = await Promise.all(Array.from({ length: 200 }, open));
    const short = await open();
    short.socket.write(Buffer.concat([PING, PING.subarray(0, 9)]));
    for (const { socket } of all) socket.write(LONG);
    const cut = (): number => all.filter(({ socket }) => socket.closed).length;
    await eventually(() => expect(cut()).toBeGreaterThanOrEqual(72));
    expect(cut()).toBeLessThan(all.length);
    const lines = side.log.lines.filter(({ message }) => message.includes("does not finish a message"));
    expect(lines).toHaveLength(20);
    short.socket.write(PING.subarray(9));
    await eventually(() => expect(short.answers()).toBe(2));
  });
});
