import { describe, expect, it, jest } from "@jest/globals";
import { away, playground, ref, STEVE_KEY } from "../testing/harness.ts";

/** Steve and Alex in a connected game. */
async function both(stored = new Map<string, unknown>()) {
  const game = playground(undefined, stored);
  const steve = game.join("Steve");
  const alex = game.join("Alex");
  await game.start();
  const reportedDeaths = () =>
    game.sidecar.of("died").map(({ player, killer }) => [player.name, killer?.name]);
  return { ...game, steve, alex, reportedDeaths };
}

const hiding = (name: string) =>
  new Map<string, unknown>([
    [`web_bridge:player:p-${name}`, JSON.stringify({ deaths: 0, kills: 0, ticks: 0, hidden: true })],
  ]);

describe("a chat message", () => {
  it("[FACT-15] names the sender, if known", async () => {
    const game = await both();
    game.pack.said("[Op] Steve", "hi", game.steve.id);
    game.pack.said("Stranger", "hey", "-4");
    game.pack.said("Nobody", "ho");
    await game.tick();
    expect(game.sidecar.of("said")).toEqual([
      { is: "said", player: ref(game.steve), name: "[Op] Steve", text: "hi" },
      { is: "said", name: "Stranger", text: "hey" },
      { is: "said", name: "Nobody", text: "ho" },
    ]);
  });
});

describe("a death", () => {
  it("[FACT-16] is reported with the killer, and a suicide without", async () => {
    const game = await both();
    const { steve, alex, pack } = game;
    pack.died(steve.id, alex.id);
    pack.died(alex.id, alex.id);
    pack.died(alex.id, undefined);
    pack.died(alex.id, "-nobody");
    await game.tick();
    expect(game.sidecar.of("died")).toEqual([
      { is: "died", player: ref(steve), killer: ref(alex) },
      ...Array(3).fill({ is: "died", player: ref(alex) }),
    ]);
  });

  it("[FACT-16] is reported with a killer who has just left", async () => {
    const game = await both();
    game.leave(game.alex);
    game.pack.died(game.steve.id, game.alex.id);
    await game.tick();
    expect(game.reportedDeaths()).toEqual([["Steve", "Alex"]]);
  });

  it("[FACT-16] of a hidden player is not reported, and a hidden killer is not named", async () => {
    const game = await both(hiding("Alex"));
    game.pack.died(game.steve.id, game.alex.id);
    game.pack.died(game.alex.id, game.steve.id);
    game.leave(game.alex);
    game.pack.died(game.steve.id, game.alex.id);
    game.pack.died(game.alex.id, undefined);
    await game.tick();
    expect(game.reportedDeaths()).toEqual([
      ["Steve", undefined],
      ["Steve", undefined],
    ]);
  });

  it("[FACT-16] is not reported, nor a killer named, while it cannot be read whether they are hidden", async () => {
    const game = await both();
    const { get } = game.stored;
    game.stored.get = () => {
      throw new Error("not yet");
    };
    const noor = game.join("Noor");
    game.pack.died(noor.id, undefined);
    game.pack.died(game.steve.id, noor.id);
    game.stored.get = get;
    await game.tick(30);
    game.pack.died(noor.id, undefined);
    await game.tick();
    expect(game.reportedDeaths()).toEqual([
      ["Steve", undefined],
      ["Noor", undefined],
    ]);
  });

  it("[FACT-11] without a session is counted, and not reported later", async () => {
    const game = await both();
    await away(game, 50);
    game.pack.died(game.steve.id, undefined);
    game.sidecar.mode = "ok";
    await game.tick(400);
    expect(game.reportedDeaths()).toEqual([]);
    expect(game.sidecar.rows().map(row => row.deaths)).toEqual([1, 0]);
  });

  it("is counted even if the world can store it only later", async () => {
    const stored = new Map<string, unknown>();
    const set = jest.spyOn(stored, "set").mockImplementation(() => {
      throw new Error("not now");
    });
    const game = await both(stored);
    game.pack.died(game.steve.id, undefined);
    game.leave(game.steve);
    await game.tick(100);
    expect(game.lines.filter(line => line.includes("could not save player stats"))).toHaveLength(1);
    set.mockRestore();
    game.join("Steve");
    await game.tick(1_200);
    expect(game.sidecar.rows().find(({ player }) => player.name === "Steve")?.deaths).toBe(1);
    expect(JSON.parse(`${stored.get(STEVE_KEY)}`)).toMatchObject({ deaths: 1 });
  });
});
