import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../test/helpers/eventually.ts";
import { answers, type Receiver, startReceiver } from "../../../test/helpers/receiver.ts";
import { Hooks } from "./testing/hooks.ts";

let receiver: Receiver;
let hooks: Hooks;
beforeEach(async () => {
  receiver = await startReceiver();
  hooks = new Hooks();
  await hooks.start({ url: receiver.url, format: "discord", secret: undefined });
});
afterEach(async () => {
  await hooks.stop(1000);
  await receiver.stop();
});

describe("a Discord webhook", () => {
  it.each(["/api/webhooks/1/abc", "/api/v6/webhooks/1/abc", "/api/v10/webhooks/1/abc"])(
    "is asked at version 10 where its address is %s, by a name in Discord's form",
    async path => {
      await hooks.stop(1000);
      await hooks.start({
        url: new URL(`${path}?thread_id=5`, receiver.url).href,
        format: "discord",
        secret: undefined,
      });
      await hooks.say("a");
      await hooks.advance(1000);
      await eventually(() => expect(receiver.received).toHaveLength(1));
      expect(receiver.received[0]?.path).toBe("/api/v10/webhooks/1/abc?thread_id=5&wait=true");
      expect(receiver.received[0]?.headers["user-agent"]).toMatch(
        /^DiscordBot \(https:\/\/\S+, \d+\.\d+\.\d+\)$/,
      );
    },
  );
});

describe("a message that Discord rejects permanently", () => {
  /** Discord that takes no message with one of these texts in it. */
  const refusing =
    (status: number, ...texts: string[]): Receiver["answer"] =>
    (response, { body }) =>
      answers(texts.some(text => body.includes(text)) ? status : 200)(response, Object(null));

  /** Contents that were taken, once there are this many. */
  async function taken(count: number): Promise<string[]> {
    await eventually(async () => {
      await hooks.advance(1000);
      expect(hooks.outcomes.filter(outcome => outcome === "taken")).toHaveLength(count);
    });
    return receiver.contents().filter((_, i) => hooks.outcomes[i] === "taken");
  }

  const leftOut = async () => [
    await hooks.labels("webhook_left_out"),
    await hooks.figure("webhook_left_out"),
  ];
  const name = () => ({ hook: "0", origin: new URL(receiver.url).origin });

  it.each([400, 413, 422])(
    "of %s continues without the website's messages after three attempts, which is logged once",
    async status => {
      receiver.answer = refusing(status, "bad");
      await hooks.sayInGame("a");
      await hooks.say("bad one", "good");
      await hooks.sayInGame("b");
      expect(await taken(1)).toEqual([
        "a\nb\n2 messages from the website omitted: Discord rejects this one with them",
      ]);
      expect(hooks.outcomes).toEqual(["failed", "failed", "failed", "taken"]);
      const warnings = hooks.log.of("warn").filter(({ message }) => message.includes("left out"));
      expect(warnings).toEqual([
        {
          level: "warn",
          fields: { ...name(), web: 2, game: 0 },
          message: "Webhook rejected some messages: they were left out",
        },
      ]);
      expect(await leftOut()).toEqual([
        [
          { ...name(), from: "web" },
          { ...name(), from: "game" },
        ],
        [2, 0],
      ]);
      await hooks.say("c");
      expect((await taken(2)).at(-1)).toBe("\\[Web\\] c");
      expect(await hooks.figure("webhook_waiting")).toEqual([0]);
    },
  );

  it("loses only the game line that Discord rejects, within a minute", async () => {
    receiver.answer = refusing(400, "bad");
    const begin = hooks.clock.monotonic();
    await hooks.sayInGame("a", "b", "c", "bad", "d", "e", "f");
    const lines = (await taken(4)).flatMap(content => content.split("\n"));
    expect(lines).toEqual([..."abc", "1 message from the game omitted: Discord rejects it", ..."def"]);
    expect(hooks.clock.monotonic() - begin).toBeLessThan(60_000);
    expect((await leftOut())[1]).toEqual([0, 1]);
  });

  it.each([220_001, 50_024, 50_083])(
    "does not bisect the message if code %s is about the channel",
    async code => {
      receiver.answer = answers(400, {}, JSON.stringify({ message: "no", code }));
      await hooks.sayInGame("a", "b");
      await hooks.say("c");
      await hooks.advance(1000);
      for (let failed = 1; failed <= 8; failed++) {
        await hooks.resting(failed);
        await hooks.advance(300_000);
      }
      await hooks.resting(9);
      expect(new Set(receiver.contents())).toEqual(new Set(["a\nb\n\\[Web\\] c"]));
      const { meaning } = Object(hooks.log.of("warn")[0]?.fields);
      if (code === 220_001)
        expect(meaning).toBe(
          "this is a forum channel: add ?thread_id=<id of a post> to the url, or use a text channel",
        );
      expect(await hooks.labels("webhook_failure")).toEqual([
        { ...name(), reason: `status 400, code ${code}: ${meaning}` },
      ]);
    },
  );

  it.each([401, 403, 404, 408, 410, 500])(
    "is not assumed after %s, which is retried for a day",
    async status => {
      receiver.answer = refusing(status, "bad");
      await hooks.say("bad");
      await hooks.advance(1000);
      for (let failed = 1; failed <= 8; failed++) {
        await hooks.resting(failed);
        await hooks.advance(300_000);
      }
      await hooks.resting(9);
      expect(new Set(receiver.contents())).toEqual(new Set(["\\[Web\\] bad"]));
    },
  );
});
