import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../test/helpers/eventually.ts";
import { answers, type Receiver, startReceiver } from "../../../test/helpers/receiver.ts";
import { Hooks } from "./testing/hooks.ts";

let receiver: Receiver;
let hooks: Hooks;
beforeEach(async () => {
  receiver = await startReceiver();
  hooks = new Hooks();
});
afterEach(async () => {
  await hooks.stop(1000);
  await receiver.stop();
});

const arrived = (...contents: string[]): Promise<void> =>
  eventually(() => expect(receiver.contents()).toEqual(contents));

describe("a stop", () => {
  it("lets a running attempt finish, and sends nothing twice", async () => {
    let answer = (): void => undefined;
    receiver.answer = response => {
      answer = () => void response.writeHead(200).end();
    };
    await hooks.start({ url: receiver.url });
    await hooks.say("a", "b");
    await arrived("a");
    const stopped = hooks.stop();
    answer();
    await stopped;
    receiver.answer = answers(200);
    await hooks.start({ url: receiver.url });
    await arrived("a", "b");
  });

  it("aborts it after a second, and sends it again after the next start", async () => {
    receiver.answer = () => undefined;
    await hooks.start({ url: receiver.url });
    await hooks.say("a");
    await arrived("a");
    await hooks.stop(1000);
    receiver.answer = answers(200);
    await hooks.start({ url: receiver.url });
    await arrived("a", "a");
    expect(hooks.log.lines).toEqual([]);
  });

  it("counts a delivery that succeeds at the moment of the abort, and does not send it again", async () => {
    const ATTEMPT_MS = 20_000;
    const { clock } = hooks;
    const after = clock.after.bind(clock);
    let isOver = false;
    // The answer arrives just as the last second of the stop ends.
    clock.after = (ms, callback) => {
      const cancel = after(ms, callback);
      return () => {
        cancel();
        if (ms !== ATTEMPT_MS) return;
        isOver = true;
        clock.advance(1_000);
      };
    };
    let answer = (): void => undefined;
    receiver.answer = response => {
      answer = () => void response.writeHead(200).end();
    };
    await hooks.start({ url: receiver.url });
    await hooks.say("a");
    await arrived("a");
    const stopped = hooks.stop();
    answer();
    await stopped;
    expect([isOver, hooks.outcomes]).toEqual([true, ["taken"]]);
    await hooks.start({ url: receiver.url });
    expect(await hooks.figure("webhook_waiting")).toEqual([0]);
  });
});
