import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { Webhook as Verifier } from "standardwebhooks";
import { TestBridge } from "../helpers/bridge.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ownProcess } from "../helpers/own-process.ts";
import { answers, type Receiver, startReceiver } from "../helpers/receiver.ts";
import { eventually } from "../helpers/runner.ts";

// Own connections: asks the bridge listener, too.

const SECRET = `whsec_${Buffer.alloc(32, "key").toString("base64")}`;
const ROUNDS = 4;
const LINES = 12;

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

const idsOf = (): string[] => receiver.received.map(({ headers }) => String(headers["webhook-id"]));

/** One socket says lines and another hears them, until the sidecar is killed in the middle; returns what was heard. */
async function heardBeforeKill(round: number): Promise<string[]> {
  const [speaker, listener] = [
    await ChatSocket.open(own.urls.public),
    await ChatSocket.open(own.urls.public),
  ];
  for (let line = 0; line < LINES; line++) speaker.say(`${round}-${line}`);
  for (let line = 0; line < LINES / 2; line++) await listener.next();
  await own.sidecar.kill();
  await listener.closed;
  return listener.received.flatMap(({ type, ...rest }) =>
    type === "CHAT" && "content" in rest ? [rest.content] : [],
  );
}

describe("a webhook of a sidecar that is killed again and again", () => {
  it("is no reason to stop late, though it never answers", async () => {
    receiver.answer = () => undefined;
    const speaker = await ChatSocket.open(own.urls.public);
    speaker.say("hello");
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const { code, ms } = await own.sidecar.terminate();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(4_000);
    receiver.answer = answers(200);
    await own.sidecar.start();
    await eventually(() => expect(receiver.contents()).toEqual(["hello", "hello"]));
  });

  it("is shown by /readyz of the bridge listener once it is gone, and by no public path", async () => {
    receiver.answer = answers(410);
    const speaker = await ChatSocket.open(own.urls.public);
    speaker.say("hello");
    const reason = "status 410: the receiver wants no more events, and the webhook is switched off";
    const gone = { hook: "0", origin: new URL(receiver.url).origin, state: "gone", reason };
    const ready = async (url: string) => (await fetch(`${url}/readyz`)).json();
    await eventually(async () => expect(await ready(own.urls.bridge)).toHaveProperty("webhooks", [gone]));
    const { webhooks, ...rest } = Object(await ready(own.urls.bridge));
    expect(webhooks).toHaveLength(1);
    expect(await ready(own.urls.public)).toEqual(rest);
  });

  describe("at length", () => {
    it("gets every line that anybody has heard, in order, and each under one id", async () => {
      let requests = 0;
      // Some are not taken, and some are taken by a receiver whose answer nobody hears.
      receiver.answer = response => {
        requests++;
        if (requests % 17 === 0) answers(503)(response, { path: "", headers: {}, body: "" });
        else if (requests % 11 === 0) response.socket?.resetAndDestroy();
        else response.writeHead(200).end();
      };
      const heard: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        heard.push(...(await heardBeforeKill(round)));
        await own.sidecar.start();
      }
      expect(heard.length).toBeGreaterThanOrEqual((ROUNDS * LINES) / 2);

      await eventually(() => expect(receiver.contents()).toEqual(expect.arrayContaining(heard)));
      const firsts = new Map(
        idsOf()
          .map((id, i) => [id, i] as const)
          .reverse(),
      );
      const inOrder = [...firsts].sort(([, a], [, b]) => a - b);
      const contents = inOrder.map(([, index]) => receiver.contents()[index]);
      expect(contents.filter(content => heard.includes(content ?? ""))).toEqual(heard);
      expect(new Set(contents).size).toBe(contents.length);
      const numbers = inOrder.map(([id]) => id.split("-").map(Number));
      expect(numbers).toEqual([...numbers].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
      for (const { body, headers } of receiver.received) new Verifier(SECRET).verify(body, Object(headers));
      expect(own.lines.join()).not.toContain("path-of-hook");
    });
  });
});

describe("a webhook beside a game", () => {
  let bridge: TestBridge | undefined;
  afterEach(() => bridge?.stop());

  it("gets what the players do, and that the game server went", async () => {
    const webhooks = [{ url: receiver.url, secret: SECRET, "allow-private": true }];
    bridge = await TestBridge.start(["Steve"], { yaml: JSON.stringify({ webhooks }) });
    const [steve, alex] = [bridge.player("Steve"), bridge.join("Alex")];
    const events = (): unknown[] => receiver.received.map(({ body }) => JSON.parse(body));
    const until = (length: number): Promise<void> =>
      bridge?.until(() => events().length >= length) ?? Promise.reject();
    await until(3);
    steve.say("§ahello");
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
