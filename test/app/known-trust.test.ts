import { describe, expect, it } from "@jest/globals";
import { StorageFull } from "../../sidecar/ports.ts";
import { browsersOf, type House, openHouse, row, STEVE } from "./house.ts";
import { alex, leave, oneOf, pageOf, report } from "./known.ts";

/** A house whose storage of those who have been here is full as long as that is said. */
async function withFull(isFull: () => boolean): Promise<House> {
  return openHouse({
    with: ({ known }) => ({
      known: {
        ...known,
        async change(...asked) {
          if (isFull()) throw new StorageFull("no room");
          return known.change(...asked);
        },
      },
    }),
  });
}

describe("where those who have been here cannot be stored", () => {
  it("a player is forgotten once that can be done, and links are stored meanwhile", async () => {
    let isFull = false;
    const house = await withFull(() => isFull);
    await house.begin("Steve", "Alex");
    isFull = true;
    await house.pack.report({ is: "forgot", player: STEVE });
    const { answered, session } = browsersOf(() => house);
    const own = session();
    await answered(true, own, "Alex");
    expect(await house.shared.store.read(own)).toMatchObject({ link: { status: "accepted" } });
    isFull = false;
    house.clock.advance(1_000);
    await house.quiet();
    expect(await oneOf(house, "Steve")).toBeUndefined();
  });
});

describe("a page of those who have been here", () => {
  it("has one behind it though somebody on it has left in the same moment", async () => {
    const house = await openHouse({
      with: ({ known }) => ({
        known: {
          ...known,
          async page(query) {
            await leave(house.pack, alex(), alex());
            return known.page(query);
          },
        },
      }),
    });
    await house.pack.connect();
    await report(house.pack, ...["Brian", "Chris", "Dora"].map(name => row(name, { since: 1 })));
    await report(house.pack, alex());
    const first = await pageOf(house, { sort: "last-seen", limit: 2 });
    expect(first.players.map(({ name }) => name)).toEqual(["Alex", expect.any(String)]);
    const found = [...first.players];
    for (let next = first.next; next !== undefined; ) {
      await report(house.pack, alex({ since: 9 }));
      const page = await pageOf(house, { sort: "last-seen", limit: 1, after: next });
      found.push(...page.players);
      next = page.next;
    }
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(["Alex", "Brian", "Chris", "Dora"]));
  });
});
