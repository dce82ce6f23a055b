import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { newSession } from "../helpers/client.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

describe("the bridge", () => {
  it("links, chats and whitelists", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"]);
    const { cookie, userId } = await newSession(bridge.base);
    const asked = await bridge.askGame("/link-player", { cookie, body: { username: "Steve" } });
    expect(asked.status).toBe(202);
    const steve = bridge.player("Steve");
    await bridge.until(() => steve.form);
    expect(steve.form?.body).toContain(`browser ${userId.slice(0, 8)}`);
    expect(steve.form?.buttons).toHaveLength(2);
    steve.answer(0);
    await bridge.until(async () =>
      (await bridge.ask("/linked-player", { cookie })).text.includes("accepted"),
    );

    const socket = await bridge.socket();
    steve.say("§ahi");
    await bridge.until(() => socket.received.length > 1);
    expect(await socket.next()).toEqual({ type: "CHAT", content: "§§<Steve> §#55ff55hi" });
    socket.say("hello");
    await bridge.until(() => steve.chat.some(line => line.includes("hello")));
    expect(steve.chat.at(-1)).toBe("§7[Web]§r <Guest> hello");

    const headers = { "X-Service-Api-Key": bridge.side?.config.modules.api.adminApiKey ?? "" };
    const added = await bridge.askGame("/whitelist", { headers, body: { playerName: "Herobrine" } });
    expect(added.status).toBe(202);
    const list = await bridge.askGame("/whitelist", { headers });
    expect(list.json).toEqual(["Herobrine"]);
  });
});
