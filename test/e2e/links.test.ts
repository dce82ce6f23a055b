import { afterEach, describe, expect, it } from "@jest/globals";
import { freePort } from "../../cli/free-port.ts";
import { LINKS, TestBridge } from "../helpers/bridge.ts";
import { Browser, formOf } from "../helpers/browser.ts";
import { serving } from "../helpers/serving.ts";
import { MODERATOR_KEY, moderators } from "../helpers/sidecar.ts";
import { signingIn, sitesOf } from "../helpers/sign-in.ts";

const LOBBY = "token-of-the-lobby-0123456789-abcdefgh";

describe.each(LINKS)("over %s", over => {
  const sites = signingIn(serving());
  let bridge: TestBridge;
  afterEach(() => bridge.stop());

  it("an announcement is shown to every player", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { over, env: moderators() });
    const headers = { "X-Service-Api-Key": MODERATOR_KEY };
    const { status } = await bridge.askGame("/announce", { headers, body: { content: "restart %s soon" } });
    expect(status).toBe(200);
    for (const { chat } of bridge.world.players)
      expect(chat.map(line => line.replace("%§r", "%"))).toEqual([expect.stringMatching(/restart %s soon$/)]);
  });

  it("a visitor signs in at a site as the player who accepts in the game", async () => {
    const publicPort = await freePort();
    const issuer = `http://127.0.0.1:${publicPort}`;
    const yaml = JSON.stringify({ "sign-in": { enabled: true, issuer, clients: sitesOf() } });
    bridge = await TestBridge.start(["Steve"], { over, yaml, publicPort });
    sites.startedAt(issuer);
    const { authRequest, browser } = await sites.visit();
    const asked = await bridge.during(browser.call(`${browser.at.pathname}/player`, { username: "Steve" }));
    expect(asked.status).toBe(202);
    const steve = bridge.player("Steve");
    expect((await formOf(bridge, steve)).body).toContain("Example Forum");
    steve.answer(0);
    await bridge.until(async () => (await sites.state(browser)).player);
    const { location } = await sites.goOn(browser);
    const claims = (await sites.back(authRequest, location)).claims();
    expect(claims).toMatchObject({ name: "Steve", sub: await sites.sub(browser) });
  });

  it("chat works within 5 s after the game has hung for a minute and a half", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { over });
    const { tickMs } = bridge;
    [bridge.frozen, bridge.tickMs] = [true, 1_000];
    await bridge.tick(90);
    [bridge.frozen, bridge.tickMs] = [false, tickMs];
    const socket = await bridge.socket();
    await bridge.say("Steve", "from the game");
    await bridge.until(() => socket.received.some(({ content }) => content?.includes("from the game")), 100);
    socket.say("from the website");
    const { chat } = bridge.player("Alex");
    await bridge.until(() => chat.some(line => line.includes("from the website")), 100);
  });

  it("two game servers of one sidecar have their own players, chat and link requests", async () => {
    const yaml = JSON.stringify({
      "modules.api.chat.relay": true,
      servers: [{ name: "lobby", token: LOBBY }],
    });
    bridge = await TestBridge.start(["Steve"], { over, yaml });
    const lobby = await bridge.addGame(LOBBY);
    const alex = lobby.world.join("Alex");
    const names = async (path: string): Promise<string> =>
      ((await bridge.ask(path)).json as { name: string }[]).map(({ name }) => name).join();
    await bridge.until(async () => (await bridge.ask("/servers/lobby/status")).status === 200);
    await bridge.until(async () => (await names("/servers/lobby/players")) === "Alex");
    expect(await names("/players")).toBe("Steve");

    const socket = await bridge.socket();
    socket.say("hello");
    await bridge.until(() => alex.chat.length > 0 && bridge.player("Steve").chat.length > 0);
    await bridge.say("Steve", "who is there?");
    await bridge.until(() => alex.chat.some(line => line.includes("who is there?")));

    const browser = await Browser.open(bridge);
    await browser.linkTo(alex);
    expect(await browser.linked()).toMatchObject({ status: "accepted", playerData: { name: "Alex" } });
    expect(bridge.player("Steve").formsShown).toBe(0);
  });
});
