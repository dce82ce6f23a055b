import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { Webhook as Verifier } from "standardwebhooks";
import type { FeedEvent } from "../../../client/types.ts";
import { eventually } from "../../../test/helpers/eventually.ts";
import { answers, type Receiver, startReceiver } from "../../../test/helpers/receiver.ts";
import { HOOKS } from "./records.ts";
import { chat, Hooks, SECRET } from "./testing/hooks.ts";

let receiver: Receiver;
let other: Receiver;
let hooks: Hooks;
beforeEach(async () => {
  [receiver, other] = [await startReceiver(), await startReceiver()];
  hooks = new Hooks();
});
afterEach(async () => {
  await hooks.stop(1000);
  await Promise.all([receiver.stop(), other.stop()]);
});

const arrived = (at: Receiver, ...contents: string[]): Promise<void> =>
  eventually(() => expect(at.contents()).toEqual(contents));

describe("a webhook", () => {
  it("gets every event from its start on, in order, each signed", async () => {
    await hooks.sayInGame("before");
    await hooks.start({ url: receiver.url });
    await hooks.sayInGame("a", "b");
    await hooks.sayInGame("c");
    await arrived(receiver, "a", "b", "c");
    const { entries } = await hooks.feed.newest(3);
    for (const [i, { body, headers }] of receiver.received.entries()) {
      const now = { "webhook-timestamp": `${hooks.clock.now() / 1000}`, "webhook-id": entries[i]?.id };
      expect(headers).toMatchObject(now);
      expect(new Verifier(SECRET).verify(body, Object(headers))).toMatchObject({ type: "chat" });
    }
  });

  it("gets only the events it subscribes to", async () => {
    await hooks.start({ url: receiver.url, events: ["server"] });
    const state = (to: "online" | "away"): FeedEvent => ({ event: "server", at: 1, state: to });
    await hooks.append({ event: state("online") }, { event: chat("a") });
    await hooks.append({ event: chat("b") }, { event: chat("c") }, { event: state("away") });
    await arrived(receiver, "online", "away");
    await hooks.append({ event: chat("b") });
    expect(await hooks.figure("webhook_waiting")).toEqual([0]);
  });

  it("continues where it was after a restart", async () => {
    await hooks.start({ url: receiver.url });
    await hooks.say("a");
    await arrived(receiver, "a");
    await hooks.stop();
    await hooks.say("b");
    await hooks.start({ url: receiver.url });
    await hooks.say("c");
    await arrived(receiver, "a", "b", "c");
  });

  it("is forgotten when it is no longer configured", async () => {
    await hooks.start({ url: receiver.url });
    await hooks.stop();
    await hooks.start({ url: other.url });
    await hooks.stop();
    await hooks.say("a");
    await hooks.start({ url: receiver.url });
    await hooks.say("b");
    await arrived(receiver, "b");
    const stored: string[] = [];
    for await (const slice of hooks.records.all(HOOKS)) stored.push(...slice.map(([key]) => key));
    expect(stored.join()).toMatch(/^[0-9a-f]{64}$/);
  });

  it("starts even if an earlier one cannot be forgotten", async () => {
    await hooks.start({ url: other.url });
    await hooks.stop();
    hooks.store.keepOnly = () => Promise.reject(new Error("disk full"));
    await hooks.start({ url: receiver.url });
    await hooks.say("a");
    await arrived(receiver, "a");
    expect(hooks.log.of("error")[0]?.message).toBe("Could not remove a webhook that is no longer configured");
  });

  it("works without storage, and logs that", async () => {
    hooks.store.set = () => Promise.reject(new Error("disk full"));
    await hooks.start({ url: receiver.url });
    await hooks.say("a", "b");
    await arrived(receiver, "a", "b");
    expect(hooks.log.of("error")[0]?.message).toBe("Could not save a webhook's position");
  });

  it("continues when the feed cannot be read for a while", async () => {
    const { read } = hooks.feed;
    await hooks.start({ url: receiver.url });
    hooks.feed.read = () => Promise.reject(new Error("no connection"));
    await hooks.say("a");
    await eventually(() => expect(hooks.log.of("error")).toHaveLength(1));
    await new Promise(setImmediate);
    hooks.feed.read = read;
    hooks.clock.advance(1000);
    await arrived(receiver, "a");
  });
});

describe("a webhook that rejects an event", () => {
  it.each([[300], [302], [400], [401], [404], [429], [500]])(
    "gets it again after %s, before what came later",
    async status => {
      receiver.answer = answers(status, { Location: other.url });
      await hooks.start({ url: receiver.url });
      await hooks.say("a", "b");
      await arrived(receiver, "a");
      await hooks.resting(1);
      receiver.answer = answers(200);
      await hooks.advance(999);
      await arrived(receiver, "a");
      await hooks.advance(1);
      await arrived(receiver, "a", "a", "b");
      const [first, second] = receiver.received.map(({ headers }) => headers["webhook-id"]);
      expect(first).toBe(second);
      expect(other.connections).toBe(0);
    },
  );

  it("delays no other webhook, however slowly it responds", async () => {
    receiver.answer = () => undefined;
    await hooks.start({ url: receiver.url }, { url: other.url });
    await hooks.say("a", "b", "c");
    await arrived(other, "a", "b", "c");
    expect(receiver.contents()).toEqual(["a"]);
    await eventually(async () => expect(await hooks.figure("webhook_waiting")).toEqual([3, 0]));
  });

  it("is logged once a minute, without its path or a text, and when it works again", async () => {
    receiver.answer = answers(500, {}, "a text");
    await hooks.start({ url: receiver.url });
    await hooks.say("hello");
    for (let tries = 1; tries <= 5; tries++) {
      await hooks.resting(tries);
      await hooks.advance(32_000);
    }
    await hooks.resting(6);
    expect(hooks.log.of("warn").length).toBeLessThanOrEqual(4);
    expect(hooks.log.of("warn")[0]).toEqual({
      level: "warn",
      fields: { hook: "0", origin: new URL(receiver.url).origin, status: 500 },
      message: "Webhook failing: its events are queued",
    });
    receiver.answer = answers(200);
    await hooks.advance(64_000);
    await eventually(() => expect(hooks.log.of("info")[0]?.message).toBe("Webhook accepts events again"));
    expect(hooks.log.text).not.toMatch(/path-of-hook|hello|a text/);
    expect(hooks.outcomes).toEqual(["failed", "failed", "failed", "failed", "failed", "failed", "taken"]);
  });

  it("loses the oldest events when there are too many, which is logged", async () => {
    hooks = new Hooks(3);
    receiver.answer = answers(500);
    await hooks.start({ url: receiver.url });
    await hooks.sayInGame("a", "b", "c", "d", "e");
    await arrived(receiver, "c");
    receiver.answer = answers(200);
    await hooks.resting(1);
    await hooks.advance(1000);
    await arrived(receiver, "c", "c", "d", "e");
    expect(hooks.log.of("warn").map(({ message }) => message)).toEqual([
      "Webhook queue full: its oldest events were dropped",
      "Webhook failing: its events are queued",
    ]);
  });

  it("is disabled after a day, and tried again at the next start", async () => {
    const DAY = 86_400_000;
    receiver.answer = answers(404);
    await hooks.start({ url: receiver.url });
    await hooks.say("a");
    await hooks.resting(1);
    await hooks.advance(3_600_000);
    await hooks.resting(2);
    expect(await hooks.figure("webhook_failing_seconds")).toEqual([3600]);
    await hooks.stop();
    // A restart does not reset the day.
    await hooks.start({ url: receiver.url });
    await hooks.resting(3);
    expect(await hooks.figure("webhook_off")).toEqual([0]);
    await hooks.advance(DAY - 3_600_000);
    await eventually(async () => expect(await hooks.figure("webhook_off")).toEqual([1]));
    const message = "Webhook failed for a day: disabled until the next start";
    expect(hooks.log.of("error").map(line => line.message)).toEqual([message]);
    const tries = receiver.received.length;
    await hooks.say("b");
    await hooks.advance(DAY);
    expect(receiver.received).toHaveLength(tries);
    await hooks.stop();
    receiver.received.length = 0;
    receiver.answer = answers(200);
    await hooks.start({ url: receiver.url });
    await arrived(receiver, "a", "b");
    expect([await hooks.figure("webhook_off"), await hooks.figure("webhook_failing_seconds")]).toEqual([
      [0],
      [0],
    ]);
  });
});

describe("a webhook whose events are too old to be sent", () => {
  it("is disabled after a day of failures, even if nothing is waiting", async () => {
    const DAY = 86_400_000;
    hooks = new Hooks(10_000, DAY);
    receiver.answer = answers(404);
    await hooks.start({ url: receiver.url });
    await hooks.say("a");
    await hooks.resting(1);
    await hooks.advance(DAY - 10_000);
    await hooks.resting(2);
    await hooks.advance(20_000);
    await eventually(async () => expect(await hooks.figure("webhook_off")).toEqual([1]));
    expect(await hooks.figure("webhook_waiting")).toEqual([0]);
    expect(receiver.received).toHaveLength(2);
  });
});

const GONE = "status 410: the receiver accepts no more events, so the webhook is disabled";

describe("a webhook's response", () => {
  it.each([
    [429, { "Retry-After": "7" }, 7_000],
    [503, { "Retry-After": "Thu, 01 Jan 2099 00:00:00 GMT" }, 300_000],
  ])(
    "gets no event for as long as %s requests with %j, at most five minutes",
    async (status, headers, ms) => {
      receiver.answer = answers(status, headers);
      await hooks.start({ url: receiver.url });
      await hooks.say("a");
      await hooks.resting(1);
      receiver.answer = answers(200);
      await hooks.advance(ms - 1);
      await arrived(receiver, "a");
      await hooks.advance(1);
      await arrived(receiver, "a", "a");
    },
  );

  it.each<[number, string, "standard" | "discord", string]>([
    [410, "", "standard", GONE],
    [410, "<html>Gone</html>", "standard", GONE],
    [
      404,
      '{"message": "Unknown Webhook", "code": 10015}',
      "discord",
      "status 404, code 10015: the webhook was deleted in Discord",
    ],
    [
      404,
      '{"message": "Unknown Channel", "code": 10003}',
      "discord",
      "status 404, code 10003: the channel or thread was deleted in Discord",
    ],
    [
      401,
      '{"message": "Invalid Webhook Token", "code": 50027}',
      "discord",
      "status 401, code 50027: the url does not end in the token of this webhook",
    ],
  ])(
    "is switched off permanently by %s %s of %s, also after a restart",
    async (status, body, format, reason) => {
      receiver.answer = answers(status, {}, body);
      const hook = { url: receiver.url, format, ...(format === "discord" && { secret: undefined }) };
      await hooks.start(hook, { url: other.url });
      await hooks.say("a");
      await hooks.advance(1000);
      await eventually(async () => expect(await hooks.figure("webhook_gone")).toEqual([1, 0]));
      expect(await hooks.figure("webhook_off")).toEqual([1, 0]);
      const name = { hook: "0", origin: new URL(receiver.url).origin };
      expect(hooks.states()[0]).toEqual({ ...name, state: "gone", reason });
      expect(hooks.log.lines.map(({ level, fields }) => [level, fields])).toEqual([
        ["error", { ...name, reason }],
      ]);
      await hooks.stop();
      receiver.answer = answers(200);
      await hooks.start(hook, { url: other.url });
      await hooks.say("b");
      await arrived(other, "a", "b");
      await hooks.advance(86_400_000);
      expect(receiver.received).toHaveLength(1);
      expect(await hooks.labels("webhook_failure")).toContainEqual({ ...name, reason });
      expect(hooks.log.of("error")).toHaveLength(2);
      // Out of the list for one start, it is a new one.
      await hooks.stop();
      await hooks.start({ url: other.url });
      await hooks.stop();
      await hooks.start(hook);
      await hooks.say("c");
      await hooks.advance(1000);
      await eventually(() => expect(receiver.received).toHaveLength(2));
    },
  );

  it.each<[number, string, "standard" | "discord"]>([
    [404, "", "standard"],
    [404, '{"code": 10015}', "standard"],
    [404, "<html>cloudflare</html>", "discord"],
    [401, "<html>proxy</html>", "discord"],
    [401, '{"message": "401: Unauthorized", "code": 0}', "discord"],
    [403, '{"message": "internal network error", "code": 40333}', "discord"],
    [410, "<html>gone</html>", "discord"],
  ])("is tried again after %s %s of %s", async (status, body, format) => {
    receiver.answer = answers(status, {}, body);
    await hooks.start({ url: receiver.url, format, ...(format === "discord" && { secret: undefined }) });
    await hooks.say("a");
    await hooks.advance(1000);
    await hooks.resting(1);
    expect(await hooks.figure("webhook_gone")).toEqual([0]);
    receiver.answer = answers(200);
    await hooks.advance(1000);
    await eventually(() => expect(receiver.received).toHaveLength(2));
  });
});
