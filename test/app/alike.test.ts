import { beforeEach, describe, expect, it } from "@jest/globals";
import { browsersOf, type House, held, houseWith, STEVE } from "./house.ts";

let house: House;
async function begin(limits = ""): Promise<void> {
  house = await houseWith(["Steve", "Alex"], { yaml: `modules.api: { limits: { ${limits} } }` });
}
beforeEach(() => begin());

const { session, ask, opened, status } = browsersOf(() => house);
const later = (ms: number): Promise<void> => house.later(ms, "Steve", "Alex");

describe("two sessions with the same first eight characters", () => {
  const [one, two] = [1, 2].map(end => `0123abcd-0000-4000-8000-00000000000${end}`) as [string, string];
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

  it("may ask two players at once", async () => {
    await opened(one);
    await opened(two, "Alex");
    expect([await status(one), await status(two)]).toEqual(["pending", "pending"]);
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
