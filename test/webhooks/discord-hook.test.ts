import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { answers, type Receiver, startReceiver } from "../helpers/receiver.ts";
import { eventually } from "../helpers/runner.ts";
import { chat, Hooks } from "./hooks.ts";

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

const arrived = (...contents: string[]): Promise<void> =>
  eventually(() =>
    expect(receiver.contents()).toEqual(contents.map(line => line.replaceAll("[Web]", "\\[Web\\]"))),
  );

describe("a webhook of Discord", () => {
  it("gets the lines of one second in one message", async () => {
    await hooks.say("a", "b");
    await hooks.advance(400);
    await hooks.say("c");
    await hooks.advance(599);
    await arrived();
    await hooks.advance(1);
    await arrived("[Web] a\n[Web] b\n[Web] c");
    await hooks.say("d");
    await hooks.advance(1000);
    await arrived("[Web] a\n[Web] b\n[Web] c", "[Web] d");
    expect(receiver.received[0]?.path).toBe("/path-of-hook?wait=true");
  });

  it("is left alone for as long as it asks, and has then all that waited in one message", async () => {
    receiver.answer = answers(429, { "Retry-After": "7" }, '{"retry_after": 6.5}');
    await hooks.say("a");
    await hooks.advance(1000);
    await hooks.resting(1);
    receiver.answer = answers(200);
    for (const content of ["b", "c"]) {
      await hooks.advance(3000);
      await hooks.say(content);
    }
    await hooks.advance(999);
    await arrived("[Web] a");
    await hooks.advance(1);
    await arrived("[Web] a", "[Web] a\n[Web] b\n[Web] c");
    // Asking for patience is no fault.
    expect(hooks.log.lines).toEqual([]);
  });

  it("has all that waits of the game in as few messages as hold it, until nothing waits", async () => {
    receiver.answer = answers(429, { "Retry-After": "7" });
    for (const content of ["a", "b", "c", "d", "e"]) {
      const event = { ...chat(content.repeat(800), hooks.clock.now()), from: "game" } as const;
      await hooks.append({ event });
      await hooks.advance(1000);
    }
    await hooks.resting(1);
    receiver.answer = answers(200);
    await hooks.advance(7000);
    await eventually(() => expect(receiver.received).toHaveLength(4));
    expect(receiver.contents().map(content => content.split("\n").length)).toEqual([1, 2, 2, 1]);
    await hooks.say("f");
    await hooks.advance(500);
    await hooks.say("g");
    await hooks.advance(500);
    await eventually(() => expect(receiver.contents().at(-1)).toBe("\\[Web\\] f\n\\[Web\\] g"));
  });

  it("has what the game says in the next message, however much the web has said meanwhile, also after a restart", async () => {
    const steve = { event: "join", at: hooks.clock.now(), player: { name: "Steve", uuid: "u" } } as const;
    receiver.answer = answers(429, { "Retry-After": "60" });
    await hooks.say("a");
    await hooks.advance(1000);
    await hooks.resting(1);
    for (let i = 0; i < 120; i++) await hooks.say("*".repeat(256));
    await hooks.append({ event: steve });
    await hooks.stop(1000);
    receiver.answer = answers(200);
    receiver.received.length = 0;
    await hooks.start({ url: receiver.url, format: "discord", secret: undefined });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const lines = receiver.contents()[0]?.split("\n");
    expect(lines).toHaveLength(6);
    expect(lines?.slice(4)).toEqual(["Steve joined the game", "and 117 lines more from the web"]);
    await hooks.say("b");
    await hooks.advance(1000);
    await eventually(() => expect(receiver.contents().slice(1)).toEqual(["\\[Web\\] b"]));
  });

  it("has all that waits from before a restart together", async () => {
    await hooks.stop(1000);
    for (const content of ["a", "b", "c"]) {
      await hooks.say(content);
      await hooks.advance(5000);
    }
    await hooks.start({ url: receiver.url, format: "discord", secret: undefined });
    await arrived("[Web] a\n[Web] b\n[Web] c");
  });

  it("gets a line on, though the clock was set back", async () => {
    await hooks.say("a");
    hooks.clock.setBack(3_600_000);
    await hooks.advance(1000);
    await arrived("[Web] a");
  });
});
