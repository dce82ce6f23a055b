import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { answers, type Receiver, startReceiver } from "../helpers/receiver.ts";
import { eventually } from "../helpers/runner.ts";
import { Hooks } from "./hooks.ts";

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

const GONE = "status 410: the receiver wants no more events, and the webhook is switched off";

describe("a webhook", () => {
  it.each([
    [429, { "Retry-After": "7" }, 7_000],
    [503, { "Retry-After": "Thu, 01 Jan 2099 00:00:00 GMT" }, 300_000],
  ])("is left alone for as long as %s asks with %j, at most five minutes", async (status, headers, ms) => {
    receiver.answer = answers(status, headers);
    await hooks.start({ url: receiver.url });
    await hooks.say("a");
    await hooks.resting(1);
    receiver.answer = answers(200);
    await hooks.advance(ms - 1);
    await arrived(receiver, "a");
    await hooks.advance(1);
    await arrived(receiver, "a", "a");
  });

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
