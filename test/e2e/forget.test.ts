import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

/** What the web is told of Steve, without the health. */
async function figures(): Promise<object | undefined> {
  const { json } = await bridge.ask("/players");
  const row = (json as Record<string, unknown>[]).find(({ name }) => name === "Steve");
  return row && { deaths: row.deaths, playerKills: row.playerKills, playtimeSeconds: row.playtimeSeconds };
}
const deaths = async (count: number): Promise<boolean> =>
  JSON.stringify(await figures()).includes(`"deaths":${count}`);

describe("/bridge:forget", () => {
  it("asks in the player's language, and the web has figures again from the next visit only, after /reload too", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { yaml: "modules.api.metrics-refresh-interval: 1s" });
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    steve.locale = "de_DE";
    const browser = await Browser.open(bridge);
    await browser.linkTo(steve);
    alex.die({ by: steve });
    steve.die();
    await bridge.until(() => deaths(1));
    steve.respawn();
    alex.respawn();

    steve.command("/bridge:forget");
    await bridge.until(() => steve.form);
    expect(steve.form).toMatchObject({
      title: "Soll alles über dich vergessen werden?",
      buttons: ["Vergessen", "Behalten"],
    });
    steve.answer(1);
    await bridge.tick(40);
    expect(await figures()).toMatchObject({ deaths: 1, playerKills: 1 });

    steve.command("/bridge:forget");
    await bridge.until(() => steve.form);
    steve.answer(0);
    const nothing = { deaths: 0, playerKills: 0, playtimeSeconds: 0 };
    await bridge.until(() => deaths(0));
    expect(steve.chat.at(-1)).toMatch(/^Alles über dich ist vergessen/);
    for (const then of [() => bridge.tick(1), () => bridge.running.reload()]) {
      await then();
      alex.die({ by: steve });
      steve.die();
      await bridge.tick(60);
      expect(await figures()).toEqual(nothing);
      alex.respawn();
      steve.respawn();
    }
    expect(await browser.status()).toBe("accepted");

    steve.leave();
    await bridge.until(async () => (await figures()) === undefined);
    bridge.join("Steve");
    await bridge.until(async () => (await figures()) !== undefined);
    bridge.player("Steve").die();
    await bridge.until(() => deaths(1));
    await bridge.tick(60);
    const counted = (await figures()) as { playtimeSeconds: number };
    expect(counted).toMatchObject({ deaths: 1, playerKills: 0 });
    expect(counted.playtimeSeconds).toBeGreaterThan(2);
    expect(counted.playtimeSeconds).toBeLessThan(10);
  });
});
