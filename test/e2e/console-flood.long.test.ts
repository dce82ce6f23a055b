import { afterEach, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { NO_RATES } from "../helpers/traffic.ts";

const SECONDS = 10;
const TICKS_PER_SECOND = 20;
const LINES_PER_TICK = 100;

let bridge: TestBridge;
afterEach(() => bridge.stop());

/** Ticks until each message is there, by its number. */
async function delays(
  begin: (text: string) => unknown,
  arrived: (text: string) => boolean,
): Promise<number[]> {
  const ticks: number[] = [];
  for (let i = 0; i < SECONDS; i++) {
    await begin(`message ${i}`);
    const from = bridge.world.tick;
    await bridge.until(() => arrived(`message ${i}`));
    ticks.push(bridge.world.tick - from);
    await bridge.tick(TICKS_PER_SECOND / 2);
  }
  return ticks;
}

it("a console that another pack floods with 2,000 lines a second shows them all, and delays messages by at most four ticks", async () => {
  bridge = await TestBridge.start(["Steve"], { over: "the console", yaml: NO_RATES });
  const socket = await bridge.socket();
  const steve = bridge.player("Steve");
  let printed = 0;
  bridge.onTick = () => {
    for (let i = 0; i < LINES_PER_TICK; i++) bridge.printOther(`other pack: ${printed++}`);
  };
  const toGame = await delays(
    text => socket.say(text),
    text => steve.chat.includes(`§7[Web]§r <Guest> ${text}`),
  );
  const toWeb = await delays(
    text => bridge.say("Steve", text),
    text => socket.received.some(({ content }) => content === `§§<Steve> §§${text}`),
  );
  bridge.onTick = undefined;
  await bridge.tick();
  expect(Math.max(...toGame, ...toWeb)).toBeLessThanOrEqual(4);
  const lines = bridge.linesWith("other pack");
  expect(lines).toEqual(Array.from({ length: printed }, (_, i) => `[Scripting] other pack: ${i}`));
  expect(printed).toBeGreaterThan(LINES_PER_TICK * TICKS_PER_SECOND * SECONDS);
});
