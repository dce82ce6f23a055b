import { afterEach, describe, expect, it } from "@jest/globals";
import { type Stage, stage } from "./compiled.ts";

let open: Stage | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function begin(): Promise<Stage> {
  open = await stage();
  return open;
}

describe("the compiled pack", () => {
  it("leaves no promise rejected when a player declines and is gone before the hint can be told", async () => {
    const { sim, sidecar, lines } = await begin();
    const steve = sim.world.join("Steve");
    await sim.until(() => sidecar.of("joined").length === 1 || sidecar.rows().length === 1);
    for (const request of ["r1", "r2"]) {
      sidecar.act({ do: "link-open", request, username: "Steve", browser: "b", openForMs: 9000 });
      await sim.until(() => steve.form !== undefined);
      if (request === "r2") steve.broken = ["sendMessage"];
      steve.answer(1);
      await sim.tick(3);
    }
    await sim.until(() => sidecar.of("answered").length === 2);
    expect(lines().filter(line => /rejection|unexpected/.test(line))).toEqual([]);
  });

  it("passes over another pack's simulated players, whom the game gives it as undefined", async () => {
    const { sim, sidecar, lines } = await begin();
    sidecar.refreshMs = 200;
    const bot = sim.world.join("Bot", { simulated: "elsewhere" });
    const steve = sim.world.join("Steve");
    await sim.until(() => sidecar.rows().length === 1);
    bot.say("nobody's line");
    bot.die({ by: steve });
    steve.die({ by: bot });
    await sim.tick(5);
    bot.leave();
    steve.say("hi");
    await sim.until(() => sidecar.of("said").length > 0);
    await sim.until(() => sidecar.rows().at(-1)?.deaths === 1);
    expect(sidecar.rows().map(({ player }) => player.name)).toEqual(["Steve"]);
    expect(sidecar.of("said").map(({ name, text }) => [name, text])).toEqual([["Steve", "hi"]]);
    const { id, persistentId, name } = steve;
    expect(sidecar.of("died")).toEqual([{ is: "died", player: { id, persistentId, name } }]);
    expect(lines().filter(line => /unexpected fault|[Ee]rror/.test(line))).toEqual([]);
  });
});
