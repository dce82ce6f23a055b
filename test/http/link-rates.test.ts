import { afterEach, describe, expect, it } from "@jest/globals";
import type { Action } from "../../shared/actions.ts";
import { createMemoryRates } from "../../sidecar/store/rates.ts";
import { type Answer, ask, newSession } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { LateRates } from "../helpers/late-rates.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

describe.each([
  ["in this process", createMemoryRates],
  ["elsewhere", (clock: ManualClock) => new LateRates(clock)],
])("counted %s,", (_where, ratesOf) => {
  let side: TestSidecar;
  let pack: FakePack;
  afterEach(() => side.stop());

  async function begin(limits: string, ...players: string[]): Promise<void> {
    const clock = new ManualClock();
    const rates = ratesOf(clock);
    side = await startTestSidecar({
      clock,
      rates,
      yaml: `modules.api: { trust-proxy: true, limits: { ${limits} } }`,
    });
    pack = new FakePack(side.bridge);
    await pack.connect();
    await pack.snapshot(...players);
  }

  let addresses = 0;
  /** Somebody else asks each time. */
  async function link(username: string, address = addresses++): Promise<Answer> {
    const headers = { "X-Forwarded-For": `198.51.${address >> 8}.${address & 255}` };
    const { cookie } = await newSession(side.base);
    return ask(side.base, "/link-player", { cookie, body: { username }, headers });
  }

  /** The game deals with so many requests. */
  async function deal(count: number, outcome: "offline" | "busy" | "blocked" | "done"): Promise<void> {
    let left = count;
    while (left > 0) {
      const actions = (await pack.take()).filter(({ body }) => body.do === "link-open");
      left -= actions.length;
      for (const action of actions) await report(action, outcome);
    }
    expect(left).toBe(0);
  }

  async function report(
    { id, body }: Action,
    status: "offline" | "busy" | "blocked" | "done",
  ): Promise<void> {
    const { player } = row(body.do === "link-open" ? body.username : "");
    await pack.report({ is: "outcome", id, status, ...(status === "done" && { player }) });
  }

  /** So many ask for names of their own; their status codes, counted. */
  async function flood(count: number, goOn: number): Promise<Record<number, number>> {
    const answers = Array.from({ length: count }, (_, i) => link(`Nobody ${i}`));
    await deal(goOn, "offline");
    const codes: Record<number, number> = {};
    for (const { status } of await Promise.all(answers)) codes[status] = (codes[status] ?? 0) + 1;
    return codes;
  }

  const held = ({ status, json, headers }: Answer) => [status, json, headers.get("retry-after")];
  const LATER = [429, { error: "rate_limited" }, "1"];

  describe("link requests for names that no player online has", () => {
    it("reach the game 60 at once and 10 a second from all of the web, and keep nobody from a player", async () => {
      await begin("", "Steve");
      expect(await flood(90, 60)).toEqual({ 422: 60, 429: 30 });
      expect(held(await link("Nobody"))).toEqual(LATER);
      const honest = link("Steve");
      await deal(1, "done");
      expect((await honest).status).toBe(202);
      side.clock.advance(1_000);
      expect(await flood(20, 10)).toEqual({ 422: 10, 429: 10 });
    });

    it("are named in the log when they are too many", async () => {
      await begin("link-requests-burst: 1", "Steve");
      await flood(1, 1);
      for (let i = 0; i < 3; i++) expect(held(await link("Nobody", 7))).toEqual(LATER);
      side.clock.advance(5_000);
      expect(side.log.lines).toContainEqual(
        expect.objectContaining({
          fields: { address: "198.51.0.7", refused: 3, limits: { "link-everybody": 3 } },
        }),
      );
    });
  });

  describe("link requests for players online", () => {
    it("reach the game no more often from all of the web together", async () => {
      await begin("link-requests-burst: 2", "Steve", "Alex", "Cindy");
      for (const name of ["Steve", "Alex"]) {
        const asked = link(name);
        await deal(1, "done");
        expect((await asked).status).toBe(202);
      }
      expect(held(await link("Cindy"))).toEqual(LATER);
      side.clock.advance(100);
      const asked = link("Cindy");
      await deal(1, "done");
      expect((await asked).status).toBe(202);
    });

    it("take nothing from the others where another limit refuses them", async () => {
      await begin("link-requests-burst: 2, link-requests-per-minute-per-player: 1", "Steve", "Alex");
      const asked = link("Steve");
      await deal(1, "done");
      expect((await asked).status).toBe(202);
      for (let i = 0; i < 5; i++) expect(held(await link("Steve"))[2]).toBe("60");
      const other = link("Alex");
      await deal(1, "done");
      expect((await other).status).toBe(202);
    });

    it.each(["blocked", "busy"] as const)("keep nobody from another one while one is %s", async outcome => {
      await begin("link-requests-burst: 2", "Steve", "Alex");
      for (let i = 0; i < 3; i++) {
        const asked = link("Steve");
        await deal(1, outcome);
        expect((await asked).status).toBe(429);
      }
      expect(held(await link("Steve"))).toEqual(LATER);
      const asked = link("Alex");
      await deal(1, "done");
      expect((await asked).status).toBe(202);
    });
  });
});
