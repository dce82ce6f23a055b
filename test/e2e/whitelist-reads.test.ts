import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import type { Answer } from "../helpers/client.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";

const AT_ONCE = 50;
/** They come over some ticks, each of which may begin a read. */
const READS = AT_ONCE / 2;

let bridge: TestBridge;
beforeEach(async () => {
  bridge = await TestBridge.start(["Steve"]);
});
afterEach(() => bridge.stop());

const headers = { "X-Service-Api-Key": ADMIN_KEY };
const read = (): Promise<Answer> => bridge.ask("/whitelist", { headers });
const add = (playerName: string): Promise<Answer> =>
  bridge.ask("/whitelist", { headers, body: { playerName } });

describe("the whitelist", () => {
  it("is read a few times for many who ask at once", async () => {
    bridge.world.allowList.put({ name: "Noor" });
    const before = bridge.world.allowList.reads;
    const answers = await bridge.during(Promise.all(Array.from({ length: AT_ONCE }, read)));
    expect(answers.map(({ status, json }) => [status, json])).toEqual(
      Array.from({ length: AT_ONCE }, () => [200, ["Noor"]]),
    );
    expect(bridge.world.allowList.reads - before).toBeLessThanOrEqual(READS);
  });

  it("holds what was added before it was asked for, whoever reads it meanwhile", async () => {
    const names = ["a", "b", "c", "d", "e"];
    let adding = true;
    const readers = Array.from({ length: 8 }, async () => {
      while (adding) expect((await read()).status).toBe(200);
    });
    const writer = async (): Promise<void> => {
      for (const [i, name] of names.entries()) {
        expect((await add(name)).status).toBe(202);
        expect((await read()).json).toEqual(names.slice(0, i + 1));
      }
      adding = false;
    };
    await bridge.during(Promise.all([writer(), ...readers]));
  });
});
