import { afterEach, describe, expect, it } from "@jest/globals";
import { type Stage, stage } from "./compiled.ts";

describe("the commands in the game", () => {
  let open: Stage | undefined;
  afterEach(async () => {
    await open?.close();
    open = undefined;
  });

  it("everybody may unlink and only operators see the status", async () => {
    open = await stage();
    const { sim, sidecar, lines } = open;
    const steve = sim.world.join("Steve");
    await sim.until(() => sidecar.rows().length === 1 || sidecar.of("joined").length === 1);
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
    expect(lines().filter(line => /fault|error|not simulated/i.test(line))).toEqual([]);
  });

  it("only operators and the console say who may write from the web, with the words that the game offers", async () => {
    open = await stage();
    const { sim, sidecar, lines } = open;
    const steve = sim.world.join("Steve");
    await sim.until(() => sidecar.rows().length === 1 || sidecar.of("joined").length === 1);
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
      "§cExpected 0123abcd, ghjkmnpq, --------",
      expect.stringContaining("Syntax error"),
    ]);
    const by = expect.objectContaining({ name: "Steve" });
    expect(sidecar.of("webchat")).toEqual([{ is: "webchat", by, mode: "read-only" }, { is: "webchat" }]);
    expect(sidecar.of("mute")).toEqual([{ is: "mute", by, browser: "--------", isMuted: true }]);
    expect(lines().filter(line => /fault|error|not simulated/i.test(line))).toEqual([]);
  });

  it.each(["mute", "webchat", "status"])(
    "one of them is missing alone where another pack has its name: %s",
    async name => {
      open = await stage({ takenCommands: [`bridge:${name}`] });
      const { sim, sidecar, lines } = open;
      const steve = sim.world.join("Steve");
      await sim.until(() => sidecar.rows().length === 1 || sidecar.of("joined").length === 1);
      expect(lines().filter(line => line.includes("/bridge"))).toEqual([
        expect.stringContaining(`there is no /bridge:${name}, the game refuses it: AlreadyRegistered`),
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
  ])("the pack does without %s, and says so once", async member => {
    open = await stage({ omit: [member] });
    const { sim, sidecar, lines } = open;
    sim.world.join("Steve").command("/bridge:unlink");
    await sim.until(() => sidecar.rows().length === 1 || sidecar.of("joined").length === 1);
    expect(lines().filter(line => line.includes("there are no /bridge commands"))).toHaveLength(1);
    expect(sidecar.of("unlinked-by-player")).toEqual([]);
  });

  it("say that they did nothing where they are given in the second after /reload", async () => {
    open = await stage();
    const { sim, lines } = open;
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
