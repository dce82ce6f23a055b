import { describe, expect, it } from "@jest/globals";
import { StorageFull } from "../../sidecar/ports.ts";
import { browsersOf, type House, openHouse, STEVE } from "./house.ts";
import { oneOf } from "./known.ts";

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
