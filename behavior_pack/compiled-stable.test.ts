import { describe, expect, it } from "@jest/globals";
import { STABLE_PACK } from "../test/helpers/bridge.ts";
import { ACCEPT_SLOT } from "./linking/chest-form.ts";
import {
  compiledPack,
  faults,
  type StablePack,
  startCompiledPack,
  startStablePack,
} from "./testing/compiled.ts";
import { linkOpen } from "./testing/harness.ts";
import { SidecarBans } from "./testing/sidecar-bans.ts";

/** The kinds of the reported events, without snapshots. */
const kinds = ({ sidecar }: StablePack): string[] =>
  sidecar.facts.map(({ is }) => is).filter(is => is !== "snapshot");

describe("the compiled pack that keeps achievements", () => {
  it("imports only modules that need no experiment, each once", () => {
    const imports = [...compiledPack(STABLE_PACK).matchAll(/\bimport\b[^"]*\bfrom ?"([^"]+)"/g)];
    expect(imports.map(([, name]) => name).sort()).toEqual(["@minecraft/server", "@minecraft/server-ui"]);
  });

  it("connects over the console, where nothing of it is seen, and no secret enters the game", async () => {
    const pack = await startStablePack();
    await pack.until(() => pack.sidecar.hellos.length > 0);
    const steve = await pack.join("Steve");
    await pack.tick(100);
    expect(pack.sidecar.hellos).toEqual([
      expect.objectContaining({
        gameChat: "command",
        world: expect.objectContaining({ name: "Bedrock level" }),
      }),
    ]);
    const player = { id: steve.id, persistentId: steve.persistentId, name: "Steve" };
    expect(pack.sidecar.of("joined").map(({ row }) => row.player)).toEqual([player]);
    expect([...pack.tokens]).toEqual(["very-secret"]);
    expect(pack.lines().join("\n")).not.toContain("very-secret");
    const own = pack.printed().match(/\[web bridge\] .*/g);
    expect(own).toEqual([expect.stringContaining("connected to the sidecar at http://127.0.0.1:")]);
    expect(faults(pack.lines())).toEqual([]);
  });

  it("says on the console what to do where launch is missing, and nothing of members of the other pack", async () => {
    const pack = await startCompiledPack({ pack: STABLE_PACK, isStable: true });
    const steve = pack.sim.world.join("Steve");
    await pack.sim.tick(200);
    expect(pack.lines().length).toBeGreaterThan(2);
    for (const line of pack.lines()) expect(line).toContain('start this game server with "launch"');
    steve.operator = true;
    steve.command("/bridge:status");
    await pack.sim.tick(2);
    expect(steve.chat.at(-1)).toContain("no answer from launch");
  });

  it.each(["buttons", "chest"] as const)("asks players to link, with the form with %s", async linkForm => {
    const pack = await startStablePack();
    pack.sidecar.linkForm = linkForm;
    const steve = await pack.join("Steve");
    pack.sidecar.act(linkOpen("r1", "Steve", 60_000));
    await pack.until(() => steve.form !== undefined);
    expect(steve.form?.buttons).toHaveLength(linkForm === "chest" ? 27 : 2);
    steve.answer(linkForm === "chest" ? ACCEPT_SLOT : 0);
    await pack.until(() => pack.sidecar.of("answered").length > 0);
    expect(pack.sidecar.of("answered")).toEqual([{ is: "answered", request: "r1", accepted: true }]);
  });

  it("shows web chat in the game, and sends what players write with the command to the website", async () => {
    const pack = await startStablePack();
    const [steve, alex] = [await pack.join("Steve"), await pack.join("Alex")];
    pack.sidecar.act({ do: "chat", text: "§7[Web]§r <Guest> hi é 玩家" });
    await pack.until(() => alex.chat.length === 1);
    steve.command("/bridge:say hello to %gui.ok you");
    await pack.until(() => pack.sidecar.of("said").length === 1);
    expect(alex.chat).toEqual(["§7[Web]§r <Guest> hi é 玩家", "<Steve> hello to %§rgui.ok you"]);
    expect(pack.sidecar.of("said")[0]).toMatchObject({ name: "Steve", text: "hello to %gui.ok you" });
    steve.command("/bridge:say");
    await pack.until(() => steve.form !== undefined);
    steve.fill("by form");
    await pack.until(() => pack.sidecar.of("said").length === 2);
    expect(alex.chat.at(-1)).toBe("<Steve> by form");
  });

  it.each([32, 8, 2])("takes a line without quotes where a command may have %s parameters", async most => {
    const pack = await startStablePack({ quirks: { script: { commandParameters: most } } });
    const steve = await pack.join("Steve");
    steve.command(`/bridge:say ${Array.from({ length: most }, (_, i) => i).join(" ")}`);
    await pack.until(() => pack.sidecar.of("said").length === 1);
    expect(pack.sidecar.of("said")[0]?.text.split(" ")).toHaveLength(most);
  });

  it("reads and changes the whitelist, and kicks with a reason", async () => {
    const pack = await startStablePack();
    const steve = await pack.join("Two Words");
    const outcome = async (body: Parameters<typeof pack.sidecar.act>[0]) => {
      const id = pack.sidecar.act(body);
      await pack.until(() => pack.sidecar.outcome(id) !== undefined);
      return pack.sidecar.outcome(id);
    };
    expect(await outcome({ do: "allowlist-add", name: "Zoë B" })).toMatchObject({ status: "done" });
    expect(await outcome({ do: "allowlist-read" })).toMatchObject({ status: "done" });
    expect(pack.sidecar.of("names").map(({ names }) => names)).toEqual([["Zoë B"]]);
    expect(await outcome({ do: "allowlist-remove", name: "Zoë B" })).toMatchObject({ status: "done" });
    expect(await outcome({ do: "allowlist-remove", name: "Zoë B" })).toMatchObject({ status: "absent" });
    expect(await outcome({ do: "allowlist-add", name: '"; stop' })).toMatchObject({
      status: "failed",
      reason: "NameNotTypable",
    });
    const kick = { do: "kick", name: "Two Words", reason: "Spam @a\nstop" } as const;
    expect(await outcome(kick)).toMatchObject({ status: "done" });
    expect(steve.removal?.reason).toMatch(/^Spam .a stop$/);
    expect(kinds(pack)).toContain("left");
    expect(pack.printed()).not.toContain("Zoë B");
  });

  it("[BAN-6] kicks a banned player as they spawn, and reports nothing of them", async () => {
    const pack = await startStablePack();
    pack.sidecar.bans = new SidecarBans();
    await pack.until(() => pack.sidecar.hellos.length > 0);
    pack.sim.world.command('bridge:ban Steve "no good"');
    await pack.tick(5);
    const steve = pack.sim.world.join("Steve");
    await pack.until(() => !steve.online);
    expect(steve.removal?.reason).toContain("no good");
    await pack.tick(120);
    expect(kinds(pack)).toEqual([]);
  });

  it("[SESSION-1] continues after /reload with the online players, and takes a new key", async () => {
    const pack = await startStablePack();
    const steve = await pack.join("Steve");
    const joined = pack.sidecar.of("joined").length;
    await pack.sim.reload();
    pack.sidecar.received = 0;
    await pack.until(() => pack.sidecar.hellos.length === 2);
    steve.command("/bridge:say hi");
    await pack.until(() => pack.sidecar.of("said").length === 1);
    await pack.until(() => pack.sidecar.rows().length === 1);
    expect(pack.sidecar.of("said")[0]?.player?.persistentId).toBe(steve.persistentId);
    expect(pack.sidecar.of("joined")).toHaveLength(joined);
    expect(faults(pack.lines())).toEqual([]);
  });
});
