import { describe, expect, it } from "@jest/globals";
import { faults, startCompiledPack } from "./testing/compiled.ts";
import { linkOpen } from "./testing/harness.ts";

describe("the commands in the game", () => {
  it("let everybody unlink, and only operators see the status", async () => {
    const { sim, sidecar, lines, join } = await startCompiledPack();
    const steve = await join("Steve");
    steve.command("/bridge:unlink");
    steve.command("/bridge:link");
    steve.command("/bridge:status");
    await sim.until(() => sidecar.of("unlinked-by-player").length === 1);
    expect(steve.chat).toEqual(["Ending", "§cNothing waits", expect.stringContaining("Unknown command")]);
    steve.operator = true;
    steve.command("/bridge:status");
    sim.world.command("bridge:status");
    sim.world.command("bridge:link");
    await sim.tick(2);
    expect(steve.chat.at(-1)).toMatch(/^http:\S+ - 0\.1\.0 0\.1\.0 2\n\d+ s, \d facts, 0 actions, 0 links$/);
    expect(lines().some(line => /^http:\S+ - 0\.1\.0/.test(line))).toBe(true);
    expect(lines()).toContain("§cPlayers only");
    expect(faults(lines())).toEqual([]);
  });

  it("let only operators and the console set who may chat from the website, with the game's argument checks", async () => {
    const { sim, sidecar, lines, join } = await startCompiledPack();
    const steve = await join("Steve");
    for (const line of ["webchat off", "mute 0123abcd", "unmute 0123abcd"]) steve.command(`/bridge:${line}`);
    await sim.tick(3);
    expect(steve.chat).toEqual(Array(3).fill(expect.stringContaining("Unknown command")));
    steve.operator = true;
    for (const line of ["webchat loud", "webchat read-only", 'mute "--------"', "mute me", "mute"])
      steve.command(`/bridge:${line}`);
    sim.world.command("bridge:webchat");
    await sim.until(() => sidecar.of("webchat").length === 2);
    expect(steve.chat.slice(3)).toEqual([
      expect.stringContaining("Syntax error"),
      "§cExpected /bridge:mute <label shown in chat, e.g. kxwtmhzr>",
      expect.stringContaining("Syntax error"),
    ]);
    const by = expect.objectContaining({ name: "Steve" });
    expect(sidecar.of("webchat")).toEqual([{ is: "webchat", by, mode: "read-only" }, { is: "webchat" }]);
    expect(sidecar.of("mute")).toEqual([{ is: "mute", by, browser: "--------", isMuted: true }]);
    expect(faults(lines())).toEqual([]);
  });

  it.each(["mute", "webchat", "status"])(
    "lose only the one whose name another pack has taken: %s",
    async name => {
      const { sim, lines, join } = await startCompiledPack({ takenCommands: [`bridge:${name}`] });
      const steve = await join("Steve");
      expect(lines().filter(line => line.includes("/bridge"))).toEqual([
        expect.stringContaining(`there is no /bridge:${name}: the game rejected it: AlreadyRegistered`),
      ]);
      steve.operator = true;
      for (const other of ["status", "link", "mute 0123abcd", "unmute 0123abcd", "webchat off"])
        steve.command(`/bridge:${other}`);
      await sim.tick(5);
      expect(steve.chat.filter(line => line.includes("Unknown command"))).toEqual([
        expect.stringContaining(`Unknown command: bridge:${name}`),
      ]);
    },
  );

  it.each([
    ["StartupEvent.customCommandRegistry"],
    ["@minecraft/server.CustomCommandParamType"],
    ["SystemBeforeEvents.startup"],
    ["@minecraft/server.CommandPermissionLevel"],
    ["CustomCommandRegistry.registerCommand"],
  ])("work without %s, which is logged once", async member => {
    const { sim, sidecar, lines } = await startCompiledPack({ omit: [member] });
    sim.world.join("Steve").command("/bridge:unlink");
    await sim.until(() => sidecar.rows().length === 1 || sidecar.of("joined").length === 1);
    expect(lines().filter(line => line.includes("there are no /bridge commands"))).toHaveLength(1);
    expect(sidecar.of("unlinked-by-player")).toEqual([]);
  });

  it("reply that the bridge is starting in the second after /reload", async () => {
    const { sim, lines } = await startCompiledPack();
    await sim.tick(5);
    await sim.reload();
    sim.world.command("bridge:ban Alex");
    await sim.tick(2);
    expect(lines().at(-1)).toBe("§cThe web bridge is starting. Try again.");
    await sim.tick(20);
    sim.world.command("bridge:ban Alex");
    await sim.tick(2);
    expect(lines().at(-1)).toBe("Banned: Alex.");
  });
});

describe("unusual players", () => {
  it("cause no unhandled rejection if they decline and leave before the hint is sent", async () => {
    const { sim, sidecar, lines, join } = await startCompiledPack();
    const steve = await join("Steve");
    for (const request of ["r1", "r2"]) {
      sidecar.act(linkOpen(request));
      await sim.until(() => steve.form !== undefined);
      if (request === "r2") steve.broken = ["sendMessage"];
      steve.answer(1);
      await sim.tick(3);
    }
    await sim.until(() => sidecar.of("answered").length === 2);
    expect(lines().filter(line => /rejection|unexpected/.test(line))).toEqual([]);
  });

  it("are ignored if another pack simulates them and the game lists them as undefined", async () => {
    const { sim, sidecar, lines } = await startCompiledPack();
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
    expect(faults(lines())).toEqual([]);
  });
});
