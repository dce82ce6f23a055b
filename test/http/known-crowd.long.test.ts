import { describe, expect, it } from "@jest/globals";
import { createMemoryKnown } from "../helpers/memory-known.ts";
import { bytesOf, serving } from "../helpers/serving.ts";

const side = serving();

describe("everybody who has been here, asked for by a crowd", () => {
  it("is read a page in each turn where many are asked for at once, so that others wait for none", async () => {
    const store = createMemoryKnown();
    let turn = 0;
    const turns: number[] = [];
    await side.start({
      yaml: "modules: {api: {known-players: {show: everybody}}}",
      known: {
        ...store,
        page(query) {
          turns.push(turn);
          // It takes longer than the work of one turn.
          side.clock.advance(2);
          return store.page(query);
        },
      },
    });
    let isOver = false;
    const next = (): void => {
      turn++;
      if (!isOver) setImmediate(next);
    };
    next();
    const wire = side.wire(bytesOf("GET /known-players").repeat(20));
    while (wire.statuses().length < 20) await new Promise(setImmediate);
    isOver = true;
    expect(turns).toHaveLength(20);
    expect(new Set(turns).size).toBe(20);
  });

  it("is not read for those who have gone before their turn", async () => {
    const store = createMemoryKnown();
    let read = 0;
    await side.start({
      yaml: "modules: {api: {known-players: {show: everybody}}}",
      known: {
        ...store,
        page() {
          // All of them are gone once the first of their pages is read.
          if (read++ === 0) wire.socket.resetAndDestroy();
          side.clock.advance(2);
          return new Promise(resolve => setTimeout(resolve, 20, []));
        },
      },
    });
    const wire = side.wire(bytesOf("GET /known-players").repeat(20));
    await wire.ended();
    await side.ask("/known-players");
    expect(read).toBeLessThan(20);
  });
});
