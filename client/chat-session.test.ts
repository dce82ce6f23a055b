import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../test/helpers/bridge.ts";
import { ACCEPT, formOf } from "../test/helpers/browser.ts";
import { type Chat, type ChatOptions, createChat, link } from "./index.ts";
import { Page } from "./testing/surroundings.ts";
import { Visitor } from "./testing/visitor.ts";

let bridge: TestBridge;
let visitor: Visitor;
let chat: Chat;
let states: string[];
let page: Page;
beforeEach(async () => {
  bridge = await TestBridge.start(["Steve"]);
  visitor = new Visitor(bridge.base, bridge.clock);
  page = new Page();
  states = [];
});
afterEach(async () => {
  chat.close();
  await bridge.stop();
});

function open(more: Partial<ChatOptions> = {}): void {
  chat = createChat({
    base: bridge.base,
    connect: visitor.connect,
    timers: visitor.timers,
    surroundings: page,
    random: () => 0,
    onLine: () => undefined,
    onState: ({ is }) => states.push(is),
    ...more,
  });
}
const inSession = (): void => open({ session: visitor.client.initialize });
const isOpen = (): boolean => chat.state.is === "open";
async function linked(): Promise<void> {
  const linking = link(visitor.client, "Steve", { timers: visitor.timers });
  const steve = bridge.player("Steve");
  await formOf(bridge, steve);
  steve.answer(ACCEPT);
  await bridge.during(linking);
}
/** The message as Steve reads it in the game. */
async function contentOf(text: string): Promise<string | undefined> {
  expect(await bridge.during(chat.send(text))).toEqual({ is: "read" });
  await bridge.until(() => bridge.player("Steve").chat.at(-1)?.includes(text));
  return bridge.player("Steve").chat.at(-1);
}

describe("a chat that waits for its session", () => {
  it("sends as the player as soon as the browser is linked, on its first visit", async () => {
    inSession();
    await bridge.until(isOpen);
    expect(visitor.cookie).not.toBe("");
    await linked();
    expect(await contentOf("hello")).toContain("<Steve> hello");
    expect(states).toEqual(["connecting", "open"]);
  });

  it("requests the session before each connection, and retries no sooner than the service allows", async () => {
    await bridge.stopSidecar();
    inSession();
    await bridge.until(() => visitor.times("GET /initialize") > 2);
    expect(visitor.sockets).toHaveLength(0);
    await bridge.startSidecar();
    await bridge.until(isOpen);
    const calls = visitor.times("GET /initialize");
    visitor.sockets[0]?.terminate();
    await bridge.until(() => visitor.sockets.length === 2 && isOpen());
    expect(visitor.times("GET /initialize")).toBe(calls + 1);
    chat.close();
    open({ session: async () => ({ ok: false, status: 429, code: "rate_limited", retryAfter: 7 }) });
    await bridge.until(() => chat.state.is === "waiting");
    expect(chat.state).toEqual({ is: "waiting", retryAt: bridge.clock.now() + 7_000 });
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["throws", (): Promise<never> => JSON.parse("broken")],
  ])("tries again if the request that it waits for %s", async (_how, broken) => {
    let isBroken = true;
    open({ session: ask => (isBroken ? broken() : visitor.client.initialize(ask)) });
    await bridge.until(() => chat.state.is === "waiting");
    isBroken = false;
    await bridge.until(isOpen);
  });

  it("opens no connection after it was closed, and cleans up", async () => {
    let isCalled = false;
    visitor.onAsk = () => {
      isCalled = true;
    };
    inSession();
    await bridge.until(() => isCalled);
    chat.close();
    const again = createChat({
      base: bridge.base,
      connect: visitor.connect,
      timers: visitor.timers,
      session: visitor.client.initialize,
      onLine: () => undefined,
    });
    await bridge.until(() => again.state.is === "open");
    expect([visitor.sockets.length, visitor.times("GET /initialize"), page.listeners]).toEqual([1, 1, 0]);
    again.close();
    await bridge.until(() => visitor.left.sockets === 0);
    expect([visitor.left, states]).toEqual([{ timers: 0, sockets: 0 }, ["connecting", "closed"]]);
  });
});

describe("a chat that reconnects", () => {
  it("does not wait for the next attempt, and does nothing once it is closed", async () => {
    await bridge.stopSidecar();
    open();
    await bridge.until(() => chat.state.is === "waiting");
    await bridge.startSidecar();
    chat.reconnect();
    expect(chat.state.is).toBe("connecting");
    await bridge.until(isOpen);
    chat.close();
    chat.reconnect();
    await bridge.until(() => visitor.left.sockets === 0);
    expect([chat.state.is, visitor.left, page.listeners]).toEqual(["closed", { timers: 0, sockets: 0 }, 0]);
  });
});
