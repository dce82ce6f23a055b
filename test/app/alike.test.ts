import { beforeEach, describe, expect, it } from "@jest/globals";
import { browsersOf, type House, held, houseWith, STEVE } from "./house.ts";

let house: House;
async function begin(limits = ""): Promise<void> {
  house = await houseWith(["Steve", "Alex"], { yaml: `modules.api: { limits: { ${limits} } }` });
}
beforeEach(() => begin());

const { session, ask, opened, answered, status } = browsersOf(() => house);
const later = (ms: number): Promise<void> => house.later(ms, "Steve", "Alex");

describe("two sessions with the same first eight characters", () => {
  const [one, two, three] = [1, 2, 3].map(end => `0123abcd-0000-4000-8000-00000000000${end}`) as [
    string,
    string,
    string,
  ];
  const alike = (seconds: number) => held("same-browser", seconds);
  const link = (own: string) => house.links.link(own);

  it("end each other's request for one player: the form goes, and both can be told why", async () => {
    const request = await opened(one);
    await later(20_000);
    expect(await ask(two)).toEqual(alike(120));
    expect([await link(one), await link(two)]).toMatchObject([
      { status: "declined", alike: request },
      { status: "declined", alike: expect.any(String) },
    ]);
    expect(await house.pack.waiting()).toEqual([{ do: "link-close", request }]);
    await house.pack.report({ is: "answered", request, accepted: true });
    expect(await status(one)).toBe("declined");
  });

  it.each(["", "link-cool-down: 0s"])(
    "wait with a third one until nobody expects the form any more, and longer the next time (%s)",
    async own => {
      await begin(own);
      await opened(one);
      expect(await ask(two)).toEqual(alike(120));
      expect((await house.pack.take()).map(({ body }) => body.do)).toEqual(["link-close"]);
      await later(119_999);
      for (const each of [one, two, three])
        expect(await ask(each, "Steve", "198.51.100.7")).toEqual(alike(0.001));
      expect(await house.pack.waiting()).toEqual([]);
      await opened(session());
      await later(1);
      await opened(one);
      expect(await ask(three, "Steve", "198.51.100.8")).toEqual(alike(240));
    },
  );

  it("may ask two players at once", async () => {
    await opened(one);
    await opened(two, "Alex");
    expect([await status(one), await status(two)]).toEqual(["pending", "pending"]);
  });

  it("leave a link as it is that a request was to replace", async () => {
    await answered(true, two, "Alex");
    await opened(one);
    expect(await ask(two)).toEqual(alike(120));
    expect(await link(two)).toMatchObject({ status: "accepted", player: { name: "Alex" } });
    expect(await status(one)).toBe("declined");
  });

  it("asking in the same moment get no form that stays", async () => {
    let isOver = false;
    const answers = Promise.all([ask(one), ask(two)]).finally(() => {
      isOver = true;
    });
    const [open, closed] = [new Set<string>(), new Set<string>()];
    while (!isOver || [...open].some(id => !closed.has(id)))
      for (const { id, body } of (await house.pack.snapshot("Steve")).actions) {
        if (body.do === "link-close") closed.add(body.request);
        if (body.do !== "link-open" || open.has(id)) continue;
        open.add(id);
        await house.pack.report({ is: "outcome", id, status: "done", player: STEVE });
      }
    expect((await answers).map(({ answer }) => answer)).toContain("held");
    expect([await status(one), await status(two)]).toEqual(["declined", "declined"]);
  });

  it("hold each other up no longer than the first is asked for", async () => {
    const nobody = ask(one, "Nobody");
    await house.pack.carryOut("offline");
    expect(await nobody).toEqual({ answer: "player_offline" });
    await opened(two);
  });

  it("count as refused on their way too, as the player may have seen the form", async () => {
    for (const pair of [0, 1, 2]) {
      const [first, second] = [1, 2].map(end => `0123abc${pair}-0000-4000-8000-00000000000${end}`);
      const asked = ask(`${first}`);
      const [open] = await house.pack.take();
      expect(await ask(`${second}`)).toEqual(alike(120));
      await house.pack.report({ is: "outcome", id: `${open?.id}`, status: "done", player: STEVE });
      expect(await asked).toEqual(alike(120));
      expect((await house.pack.take()).map(({ body }) => body.do)).toContain("link-close");
    }
    expect(await ask(session())).toEqual(held("cool-down", 30));
  });
});
