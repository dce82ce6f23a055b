import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { Webhook as Verifier } from "standardwebhooks";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { eventually } from "../helpers/eventually.ts";
import { answers, type Receiver, startReceiver } from "../helpers/receiver.ts";
import { ownProcess } from "../helpers/sidecar-process.ts";

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

/** One socket sends messages and another receives them, until the sidecar is killed; returns the received ones. */
async function receivedBeforeKill(round: number): Promise<string[]> {
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

describe("a webhook of a sidecar that is killed repeatedly", () => {
  it("gets every message that a client has received, in order, and each with one id", async () => {
    let requests = 0;
    // Some deliveries fail, and some succeed without a response that arrives.
    receiver.answer = response => {
      requests++;
      if (requests % 17 === 0) answers(503)(response, { path: "", headers: {}, body: "" });
      else if (requests % 11 === 0) response.socket?.resetAndDestroy();
      else response.writeHead(200).end();
    };
    const received: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      received.push(...(await receivedBeforeKill(round)));
      await own.sidecar.start();
    }
    expect(received.length).toBeGreaterThanOrEqual((ROUNDS * LINES) / 2);

    await eventually(() => expect(receiver.contents()).toEqual(expect.arrayContaining(received)));
    const firsts = new Map(
      idsOf()
        .map((id, i) => [id, i] as const)
        .reverse(),
    );
    const inOrder = [...firsts].sort(([, a], [, b]) => a - b);
    const contents = inOrder.map(([, index]) => receiver.contents()[index]);
    expect(contents.filter(content => received.includes(content ?? ""))).toEqual(received);
    expect(new Set(contents).size).toBe(contents.length);
    const numbers = inOrder.map(([id]) => id.split("-").map(Number));
    expect(numbers).toEqual([...numbers].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
    for (const { body, headers } of receiver.received) new Verifier(SECRET).verify(body, Object(headers));
    expect(own.lines.join()).not.toContain("path-of-hook");
  });
});
