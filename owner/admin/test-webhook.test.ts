import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { Webhook as Verifier } from "standardwebhooks";
import { STORED_EVENTS } from "../../client/types.ts";
import { ManualClock } from "../../test/helpers/clock.ts";
import { answers, type Receiver, startReceiver } from "../../test/helpers/receiver.ts";
import { type Attempt, testWebhook } from "./test-webhook.ts";

const SECRET = `whsec_${Buffer.alloc(24, "key").toString("base64")}`;

let receiver: Receiver;
let clock: ManualClock;
let attempts: Attempt[];
let waits: number[];
beforeEach(async () => {
  receiver = await startReceiver();
  // The verifier of the specification asks the machine for the time.
  clock = new ManualClock(Date.now());
  [attempts, waits] = [[], []];
});
afterEach(() => receiver.stop());

function attempt(more: object = {}) {
  const own = { url: receiver.url, events: [...STORED_EVENTS], secret: SECRET, allowPrivate: true };
  const report = (each: Attempt): void => void attempts.push(each);
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms);
    clock.advance(ms);
  };
  return testWebhook({ ...own, format: "standard", ...more }, { clock, report, wait });
}

describe("trying a webhook", () => {
  it("sends one of each event, signed as the sidecar signs them, each with another id", async () => {
    expect(await attempt()).toEqual({ sent: 6, accepted: 6 });
    const events = receiver.received.map(({ body, headers }) =>
      new Verifier(SECRET).verify(body, Object(headers)),
    );
    expect(events).toMatchObject([
      { type: "server", data: { state: "online" } },
      { type: "join", data: { player: { name: "WebhookTest" } } },
      { type: "chat", data: { from: "game", content: "§§<WebhookTest> §§this is a test of the webhook" } },
      { type: "chat", data: { from: "web", content: "this is a test of the webhook" } },
      { type: "death", data: { player: { name: "WebhookTest" } } },
      { type: "leave" },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(6);
    expect(attempts[0]).toEqual({ event: "server", outcome: "accepted", reason: "status 204", ms: 0 });
  });

  it("sends them to Discord as they will appear, and only those that the webhook subscribes to", async () => {
    await attempt({ format: "discord", secret: undefined, events: ["join", "death"] });
    expect(receiver.contents()).toEqual(["WebhookTest joined the game", "WebhookTest died"]);
    expect(receiver.received[0]?.path).toBe("/path-of-hook?wait=true");
  });

  it("reports the response to a rejected event, and how long it took, on one line, clipped, without secrets", async () => {
    const text = `{"message": "no\n${SECRET} nor path-of-hook",${" ".repeat(9)}"x": "${"y".repeat(999)}"}`;
    receiver.answer = (response, request) => {
      clock.advance(120);
      answers(401, {}, text)(response, request);
    };
    expect(await attempt({ events: ["join", "leave"] })).toEqual({ sent: 2, accepted: 0 });
    expect(attempts[0]).toEqual({
      event: "join",
      outcome: "rejected",
      reason: "status 401: the receiver has another secret, or the address is wrong",
      ms: 120,
      answer: expect.stringMatching(/^\{"message": "no \*\*\* nor \*\*\*", "x": "y{100,}\.\.\.$/),
    });
  });

  it("waits as long as Discord asks, and retries that event", async () => {
    let count = 0;
    receiver.answer = (response, request) =>
      answers(count++ === 1 ? 429 : 200, {}, '{"retry_after": 1.5}')(response, request);
    expect(await attempt({ format: "discord", secret: undefined, events: ["join", "leave"] })).toEqual({
      sent: 2,
      accepted: 2,
    });
    expect(waits).toEqual([1500]);
    expect(attempts.map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
      "join accepted",
      "leave asked to wait",
      "leave accepted",
    ]);
  });

  it.each([
    ["for ever", 1.5, [1500, 1500, 1500]],
    ["for an hour", 3600, []],
  ])("gives up an event if Discord asks to wait %s", async (_how, seconds, expected) => {
    receiver.answer = answers(429, {}, JSON.stringify({ retry_after: seconds }));
    const events = { format: "discord", secret: undefined, events: ["join"] };
    expect(await attempt(events)).toEqual({ sent: 1, accepted: 0 });
    expect(waits).toEqual(expected);
    expect(attempts.at(-1)).toMatchObject({ outcome: "rejected", reason: "status 429" });
  });

  it("stops at the first event without an answer", async () => {
    receiver.answer = response => void response.socket?.resetAndDestroy();
    expect(await attempt()).toEqual({ sent: 1, accepted: 0 });
    expect(attempts).toEqual([{ event: "server", outcome: "no answer", reason: "ECONNRESET", ms: 0 }]);
  });
});
