import { beforeEach, describe, expect, it } from "@jest/globals";
import { browsersOf, type House, type HouseOptions, held, houseWith, row, sessionOf } from "./house.ts";

let house: House;
const limits = (text: string): string => `modules.api: { limits: { ${text} } }`;
async function begin(own = "", options: HouseOptions = {}): Promise<void> {
  house = await houseWith(["Steve", "Alex"], { yaml: limits(own), ...options });
}
beforeEach(() => begin());

const SENT = { answer: "verification_sent" };
const { session, ask, opened, answered, status } = browsersOf(() => house);
const later = (ms: number): Promise<void> => house.later(ms, "Steve", "Alex");
/** Steve refuses so many requests of one address. */
async function refuse(times: number, address?: string): Promise<void> {
  for (let i = 0; i < times; i++) await answered(false, session(), "Steve", address);
}

describe("an address or a session that a player refused three times", () => {
  it("has to wait, each time twice as long, whatever the session, and the game is asked nothing", async () => {
    await refuse(3);
    const another = session();
    expect(await ask(another)).toEqual(held("cool-down", 30));
    await later(17_500);
    expect(await ask(another)).toEqual(held("cool-down", 12.5));
    expect(await house.pack.waiting()).toEqual([]);
    await later(12_500);
    await answered(false, another);
    expect(await ask(another)).toEqual(held("cool-down", 60));
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
