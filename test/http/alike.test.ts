import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { type Options, startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { createAsking, held, refusal } from "./asking-steve.ts";

let side: TestSidecar;
let pack: FakePack;
async function begin(limits = "", options: Options = {}): Promise<void> {
  await side?.stop();
  const yaml = `modules.api: { trust-proxy: true, limits: { ${limits} } }`;
  side = await startTestSidecar({ yaml, ...options });
  pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot("Steve", "Alex");
}
beforeEach(() => begin());
afterEach(() => side.stop());

const { session, link, status, opened, answered, later, asked } = createAsking(() => ({ side, pack }));

describe("two sessions with the same first eight characters", () => {
  const [one, two, three] = [1, 2, 3].map(
    end => `website_user_uuid=0123abcd-0000-4000-8000-00000000000${end}`,
  ) as [string, string, string];
  const told = async (cookie: string) => (await ask(side.base, "/session", { cookie })).json;
  const ENDED = { status: "declined", player: null, linkedAt: null, reason: "same_characters" };

  it("end each other's request for one player: the form goes, and both pages can say why", async () => {
    const request = await opened(one);
    await later(20_000);
    expect(held(await link(two))).toEqual(refusal(120));
    expect([await told(one), await told(two)]).toMatchObject([ENDED, ENDED]);
    expect([await status(one), await status(two)]).toEqual([{ status: "declined" }, { status: "declined" }]);
    expect((await pack.take()).map(({ body }) => body)).toEqual([{ do: "link-close", request }]);
    await pack.report({ is: "answered", request, accepted: true });
    expect(await status(one)).toEqual({ status: "declined" });
  });

  it("wait with a third one until nobody expects the form any more, and longer the next time", async () => {
    await opened(one);
    expect((await link(two)).status).toBe(429);
    expect((await pack.take()).map(({ body }) => body.do)).toEqual(["link-close"]);
    await later(119_999);
    for (const cookie of [one, two, three])
      expect(held(await link(cookie, "Steve", "198.51.100.7"))).toEqual(refusal(1));
    expect(await asked()).toEqual([]);
    await opened(await session());
    await later(1);
    await opened(one);
    expect(held(await link(three, "Steve", "198.51.100.8"))).toEqual(refusal(240));
  });

  it("wait though nobody else waits after refusals", async () => {
    await begin("link-cool-down: 0s");
    await opened(one);
    expect(held(await link(two))).toEqual(refusal(120));
    expect(held(await link(one))).toEqual(refusal(120));
  });

  it("may ask two players at once", async () => {
    await opened(one);
    await opened(two, "Alex");
    expect([await status(one), await status(two)]).toEqual([{ status: "pending" }, { status: "pending" }]);
  });

  it("leave a link as it is that a request was to replace", async () => {
    await answered(true, two, "Alex");
    await opened(one);
    expect((await link(two)).status).toBe(429);
    expect(await status(two)).toMatchObject({ status: "accepted", playerData: { name: "Alex" } });
    expect(await told(one)).toMatchObject(ENDED);
  });

  it("asking in the same moment get no form that stays", async () => {
    let isOver = false;
    const answers = Promise.all([link(one), link(two)]).finally(() => {
      isOver = true;
    });
    const opened = new Set<string>();
    const closed = new Set<string>();
    while (!isOver || [...opened].some(id => !closed.has(id)))
      for (const { id, body } of (await pack.snapshot("Steve")).body.actions) {
        if (body.do === "link-close") closed.add(body.request);
        if (body.do !== "link-open" || opened.has(id)) continue;
        opened.add(id);
        await pack.report({ is: "outcome", id, status: "done", player: row("Steve").player });
      }
    expect((await answers).map(each => each.status)).toContain(429);
    for (const cookie of [one, two]) expect(await told(cookie)).toMatchObject(ENDED);
  });

  it("hold each other up no longer than the first is asked for", async () => {
    const nobody = link(one, "Nobody");
    await pack.carryOut("offline");
    expect((await nobody).status).toBe(422);
    await opened(two);
  });

  it("count as refused on their way too, as the player may have seen the form", async () => {
    for (const pair of [0, 1, 2]) {
      const [one, two] = [1, 2].map(
        end => `website_user_uuid=0123abc${pair}-0000-4000-8000-00000000000${end}`,
      );
      const first = link(`${one}`);
      const [open] = await pack.take();
      expect((await link(`${two}`)).status).toBe(429);
      await pack.report({ is: "outcome", id: `${open?.id}`, status: "done", player: row("Steve").player });
      expect((await first).status).toBe(429);
      expect((await pack.take()).map(({ body }) => body.do)).toContain("link-close");
    }
    expect(held(await link(await session()))).toEqual(refusal(30));
  });
});
