import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { LINKS, TestBridge } from "../helpers/bridge.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { eventually } from "../helpers/eventually.ts";
import { answers, type Receiver, startReceiver } from "../helpers/receiver.ts";
import { ownProcess } from "../helpers/sidecar-process.ts";

// Own connections: calls the bridge listener, too.

const SECRET = `whsec_${Buffer.alloc(32, "key").toString("base64")}`;

const own = ownProcess();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  const webhooks = [{ url: receiver.url, secret: SECRET, "allow-private": true, events: ["chat"] }];
  await own.start({}, folder => writeFileSync(join(folder, "config.yml"), JSON.stringify({ webhooks })));
});
afterEach(async () => {
  await own.end();
  await receiver.stop();
});

describe("a failing webhook", () => {
  it("is reported by /readyz of the bridge listener once it is disabled, and by no public path", async () => {
    receiver.answer = answers(410);
    const speaker = await ChatSocket.open(own.urls.public);
    speaker.say("hello");
    const reason = "status 410: the receiver accepts no more events, so the webhook is disabled";
    const gone = { hook: "0", origin: new URL(receiver.url).origin, state: "gone", reason };
    const ready = async (url: string) => (await fetch(`${url}/readyz`)).json();
    await eventually(async () => expect(await ready(own.urls.bridge)).toHaveProperty("webhooks", [gone]));
    const { webhooks, ...rest } = Object(await ready(own.urls.bridge));
    expect(webhooks).toHaveLength(1);
    expect(await ready(own.urls.public)).toEqual(rest);
  });
});

describe.each(LINKS)("over %s, a webhook beside a game", over => {
  let bridge: TestBridge | undefined;
  afterEach(() => bridge?.stop());

  it("gets the actions of players, and that the game server went offline", async () => {
    const webhooks = [{ url: receiver.url, secret: SECRET, "allow-private": true }];
    bridge = await TestBridge.start(["Steve"], { over, yaml: JSON.stringify({ webhooks }) });
    const [steve, alex] = [bridge.player("Steve"), bridge.join("Alex")];
    const events = (): unknown[] => receiver.received.map(({ body }) => JSON.parse(body));
    const until = (length: number): Promise<void> =>
      bridge?.until(() => events().length >= length) ?? Promise.reject();
    await until(3);
    await bridge.say("Steve", "§ahello");
    await until(4);
    steve.die({ by: alex });
    await until(5);
    alex.leave();
    await until(6);
    const named = (name: string): object => ({ name, uuid: expect.any(String) });
    const event = (type: string, data: object): object => ({
      type,
      timestamp: expect.stringMatching(/^2026-01-01T00:0\d:\d\d\.\d{3}Z$/),
      data: { at: expect.any(Number), ...data },
    });
    expect(events()).toEqual([
      event("server", { state: "online" }),
      event("join", { player: named("Steve") }),
      event("join", { player: named("Alex") }),
      event("chat", { from: "game", content: "§§<Steve> §#55ff55hello", player: named("Steve") }),
      event("death", { player: named("Steve"), killer: named("Alex") }),
      event("leave", { player: named("Alex") }),
    ]);
  });
});
