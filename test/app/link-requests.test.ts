import { beforeEach, describe, expect, it } from "@jest/globals";
import { browsersOf, type House, held, houseWith, row, STEVE, sessionOf } from "./house.ts";

let house: House;
async function begin(limits = ""): Promise<void> {
  house = await houseWith(["Steve", "Alex"], { yaml: `modules.api: { limits: { ${limits} } }` });
}
beforeEach(() => begin());

const { session, ask, opened, status } = browsersOf(() => house);
const SENT = { answer: "verification_sent" };
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

describe("one player", () => {
  it.each([1, 3])(
    "[FORM-8] is asked %i times by requests of the same moment, though nobody knows yet who has joined",
    async most => {
      await begin(`link-requests-per-minute-per-player: ${most}`);
      const herobrine = row("Herobrine").player;
      const all = Array.from({ length: most + 2 }, (_, i) => ask(sessionOf(i), "Herobrine", `192.0.2.${i}`));
      const requests: string[] = [];
      while (requests.length < all.length) for (const { id } of await house.pack.take()) requests.push(id);
      for (const id of requests)
        await house.pack.report({ is: "outcome", id, status: "done", player: herobrine });
      const over = held("player-rate", 60);
      expect(await Promise.all(all)).toEqual([...Array(most).fill(SENT), over, over]);
      expect((await house.pack.take()).map(({ body }) => body)).toEqual(
        requests.slice(most).map(request => ({ do: "link-close", request })),
      );
      const states = await Promise.all(all.map((_, i) => status(sessionOf(i))));
      expect(states).toEqual([...Array(most).fill("pending"), "not_linked", "not_linked"]);
      await later(60_000);
      await opened(sessionOf(most), "Herobrine");
    },
  );
});
