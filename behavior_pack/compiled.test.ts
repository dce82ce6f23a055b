import { describe, expect, it } from "@jest/globals";
import { PACK_BYTES } from "../scripts/build/packs.mjs";
import { compiledPack, faults, startCompiledPack } from "./testing/compiled.ts";
import { linkOpen } from "./testing/harness.ts";

describe("the compiled pack", () => {
  it("is one module that imports nothing but the game's, each once, within its budget", () => {
    const code = compiledPack();
    const imports = [...code.matchAll(/\bimport\b[^"]*\bfrom ?"([^"]+)"/g)].map(([, name]) => name);
    expect(imports.sort()).toEqual([
      "@minecraft/server",
      "@minecraft/server-admin",
      "@minecraft/server-net",
      "@minecraft/server-ui",
    ]);
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(PACK_BYTES);
    expect(code).not.toMatch(
      /(?<![.\w])(setTimeout|setInterval|TextEncoder|structuredClone|queueMicrotask|fetch)\(/,
    );
  });

  it("has unminified names and lines, so that errors on the console can be located", () => {
    const code = compiledPack();
    for (const name of ["createActionQueue", "createPack"]) expect(code).toContain(`function ${name}(`);
    expect(code.split("\n").length).toBeGreaterThan(100);
  });

  it("connects, passes the secret unchanged and never prints it", async () => {
    const { sim, tokens, lines, join } = await startCompiledPack();
    await join("Steve");
    await sim.tick(10);
    expect([...tokens]).toEqual(["very-secret"]);
    expect(lines().filter(line => line.includes("connected to the sidecar"))).toHaveLength(1);
    expect(lines().join()).not.toContain("very-secret");
    expect(faults(lines())).toEqual([]);
  });

  it("relays public chat with the display name, and no private messages", async () => {
    const { sim, sidecar } = await startCompiledPack();
    const steve = sim.world.join("Steve");
    const alex = sim.world.join("Alex");
    steve.chatNamePrefix = "§c[Op] ";
    steve.chatMessagePrefix = "> ";
    await sim.until(() => sidecar.of("joined").length === 2 || sidecar.rows().length === 2);
    steve.say("secret", { targets: [alex] });
    steve.say("hi", { targets: [] });
    await sim.until(() => sidecar.of("said").length > 0);
    const player = { id: steve.id, persistentId: steve.persistentId, name: "Steve" };
    expect(sidecar.of("said")).toEqual([{ is: "said", player, name: "§c[Op] Steve", text: "> hi" }]);
  });

  it("prevents the game from translating parts of a chat message", async () => {
    const { sim, sidecar } = await startCompiledPack();
    const steve = sim.world.join("Steve");
    const texts = {
      "100 % of 50%": "100 % of 50%",
      "50%off": "50%§roff",
      "§7[Web]§r %gui.accept": "§7[Web]§r %§rgui.accept",
      "§e§l%gui.accept %GUI.x %%gui.decline": "§e§l%§lgui.accept %§lGUI.x %%§lgui.decline",
      "§%gui.accept %1 %ключ": "§%§rgui.accept %1 %§rключ",
    };
    const ids = Object.keys(texts).map(text => sidecar.act({ do: "chat", text }));
    await sim.until(() => ids.every(id => sidecar.outcome(id) !== undefined));
    expect(steve.chat).toEqual(Object.values(texts));
  });

  it("prevents the game from translating parts of a reply or form", async () => {
    const { sim, sidecar, join } = await startCompiledPack();
    const steve = await join("Steve");
    steve.operator = true;
    sidecar.act(linkOpen("r1", "Steve", 9000, "%gui.ok"));
    await sim.until(() => steve.form !== undefined);
    expect(steve.form?.body).toBe("Browser %§rgui.ok?");
    steve.closeForm();
    sidecar.refused = { lines: 1, from: "%gui.decline" };
    steve.say("hi");
    // The sidecar reports it in an answer, which may take some ticks.
    await sim.until(() => {
      steve.command("/bridge:status");
      return steve.chat.at(-1)?.includes("1 refused, most from %§rgui.decline") === true;
    });
  });

  it.each([
    ["without a second worldLoad", false],
    ["with a second worldLoad", true],
  ])("[SESSION-1] continues after /reload with the online players, %s", async (_how, worldLoad) => {
    const { sim, sidecar, join } = await startCompiledPack();
    const steve = await join("Steve");
    await sim.reload({ worldLoad });
    // A new run numbers its facts from 1.
    sidecar.received = 0;
    await sim.tick();
    steve.say("hi");
    await sim.until(() => sidecar.of("said").length === 1);
    await sim.until(() => sidecar.hellos.length === 2 && sidecar.rows().length === 1);
    expect(sidecar.hellos[0]?.run).not.toBe(sidecar.hellos[1]?.run);
  });
});

describe("a game that lacks a member", () => {
  const settings = ["@minecraft/server-net.http", "@minecraft/server-net.HttpRequest"];
  const admin = ["@minecraft/server-admin.variables", "@minecraft/server-admin.secrets"];

  it.each([...settings, ...admin])("logs what to do without %s, and does not connect", async omit => {
    const { sim, lines } = await startCompiledPack({ omit: [omit] });
    sim.world.join("Steve");
    await sim.tick(300);
    expect(
      lines().filter(line => line.includes("cannot connect:") || line.includes("cannot connect,")),
    ).toHaveLength(1);
    expect(faults(lines())).toEqual([]);
  });

  it.each([
    ["WorldAfterEvents.chatSend", "chatSend"],
    ["WorldAfterEvents.worldLoad", "worldLoad"],
    ["WorldAfterEvents.playerSpawn", "playerSpawn"],
    ["WorldAfterEvents.playerLeave", "playerLeave"],
    ["WorldAfterEvents.entityDie", "entityDie"],
    ["SystemBeforeEvents.shutdown", "shutdown"],
    ["System.run", "system.run:"],
    ["System.runInterval", "system.runInterval"],
    ["System.currentTick", "system.currentTick"],
    ["World.getAllPlayers", "getAllPlayers"],
    ["World.sendMessage", "sendMessage"],
    ["World.getDynamicProperty", "getDynamicProperty"],
    ["World.setDynamicProperty", "setDynamicProperty"],
    ["Player.persistentId", "persistentId"],
    ["HttpClient.cancelAll", "cancelAll"],
    ["@minecraft/server-ui.ActionFormData", "ActionFormData"],
    ["UIManager.closeAllForms", "closeAllForms"],
    ["@minecraft/server-admin.dedicatedServer", "dedicatedServer"],
    ["DedicatedServerUtils.allowList", "allowList"],
    ["AllowList.contains", "contains"],
    ["AllowList.entries", "entries"],
    ["AllowList.remove", "remove"],
  ])("logs the missing %s once and still connects", async (omit, name) => {
    const { sim, sidecar, lines } = await startCompiledPack({ omit: [omit] });
    sidecar.refreshMs = 200;
    const steve = sim.world.join("Steve");
    await sim.until(() => sidecar.rows().length === 1);
    steve.say("hi");
    steve.die();
    const acts = [
      sidecar.act({ do: "chat", text: "hello" }),
      sidecar.act({ do: "allowlist-add", name: "Alex" }),
      sidecar.act({ do: "allowlist-read" }),
      sidecar.act(linkOpen("r", "Steve", 500)),
    ];
    await sim.until(() => acts.every(id => sidecar.outcome(id) !== undefined));
    await sim.tick(20);
    expect(lines().filter(line => line.includes("does not offer"))).toHaveLength(1);
    expect(lines().filter(line => line.includes("does not offer"))[0]).toContain(name);
    expect(faults(lines())).toEqual([]);
  });

  it.each(["Player.chatDisplayName", "Player.chatMessagePrefix"])("relays chat without %s", async omit => {
    const { sim, sidecar, join } = await startCompiledPack({ omit: [omit] });
    const steve = await join("Steve");
    steve.say("hi");
    await sim.until(() => sidecar.of("said").length === 1);
    expect(sidecar.of("said")[0]).toMatchObject({ name: "Steve", text: "hi" });
  });
});

describe("a bad network", () => {
  it("logs an address that the game rejects, with what to do", async () => {
    const { sim, lines } = await startCompiledPack({ net: { allowedUris: ["http://elsewhere/"] } });
    await sim.tick(300);
    expect(lines().filter(line => line.includes("allowed_uris"))).toHaveLength(1);
  });
});
