import { describe, expect, it } from "@jest/globals";
import { type CompiledPack, faults, startCompiledPack } from "../testing/compiled.ts";
import { SidecarBans } from "../testing/sidecar-bans.ts";

describe("bans in the game", () => {
  /** The pack in a game, with a sidecar that keeps bans. */
  async function begin(...options: Parameters<typeof startCompiledPack>): Promise<CompiledPack> {
    const made = await startCompiledPack(...options);
    const bans = new SidecarBans();
    made.sidecar.bans = bans;
    await made.sim.until(() => bans.requests > 0);
    return made;
  }

  it("[BAN-5] reject a player before they join, and show them the reason", async () => {
    const { sim, sidecar, lines } = await begin();
    sim.world.command('bridge:ban Steve "100%gui.accept spam"');
    await sim.until(() => sidecar.bans?.bans().length === 1);
    const steve = sim.world.join("Steve");
    sim.world.join("Alex");
    await sim.until(() => sidecar.of("joined").length === 1);
    expect(steve.online).toBe(false);
    expect(steve.removal?.reason).toBe("Banned\nbecause 100%§rgui.accept spam");
    expect(sidecar.of("joined").map(({ row }) => row.player.name)).toEqual(["Alex"]);
    expect(sidecar.of("left")).toEqual([]);
    expect(faults(lines())).toEqual([]);
    sim.world.command("bridge:unban steve");
    await sim.tick(1);
    sim.world.join("Steve");
    await sim.until(() => sidecar.of("joined").length === 2);
    expect(lines()).toEqual(expect.arrayContaining(["Bans Steve", "Lifts Steve"]));
  });

  it.each([
    ["does not ask", { quirks: { script: { joins: "unasked" as const } } }, 0],
    ["does not offer it", { omit: ["AdminBeforeEvents.asyncPlayerJoin"] }, 1],
  ])("[BAN-6] kick a player as they spawn when the game %s", async (_, options, notices) => {
    const { sim, sidecar, lines } = await begin(options);
    sim.world.command("bridge:ban Steve");
    await sim.tick(2);
    const steve = sim.world.join("Steve");
    await sim.tick(10);
    expect(steve.online).toBe(false);
    expect(steve.removal?.reason).toBe("Banned");
    await sim.tick(110);
    expect(sidecar.facts.map(({ is }) => is).filter(is => is !== "snapshot")).toEqual([]);
    expect(lines().filter(line => line.includes("kicked only after they have joined"))).toHaveLength(notices);
    expect(faults(lines())).toEqual([]);
  });

  it.each([undefined, 8, 2])(
    "accept names without quotes when a command may have %s parameters",
    async most => {
      const quirks = most === undefined ? {} : { script: { commandParameters: most } };
      const { sim, sidecar, lines } = await begin({ quirks });
      const [old, steve] = [sim.world.join("Old"), sim.world.join("Old Steve")];
      await sim.until(() => sidecar.of("joined").length === 2);
      sim.world.command(`bridge:ban old steve${most === 2 ? "" : " for his own good"}`);
      await sim.until(() => !steve.online);
      expect(old.online).toBe(true);
      sim.world.command("bridge:unban OLD STEVE");
      sim.world.command("bridge:ban @a");
      sim.world.command("bridge:ban New Player");
      await sim.tick(3);
      expect(lines()).toEqual(
        expect.arrayContaining([
          ...["Bans Old Steve", "Lifts Old Steve", "§cCannot ban @a"],
          '§cNobody is "New Player", "New": /bridge:ban "New Player"',
        ]),
      );
      expect(faults(lines())).toEqual([]);
    },
  );
});
