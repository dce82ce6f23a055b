import { describe, expect, it } from "@jest/globals";
import type { ChatSocket } from "../helpers/chat-socket.ts";
import { ManualClock } from "../helpers/clock.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { LateRates } from "../helpers/late-rates.ts";
import { eventually } from "../helpers/runner.ts";
import { serving } from "../helpers/serving.ts";

const side = serving();

const lines = ({ received }: ChatSocket): string[] =>
  received.filter(({ type }) => type === "CHAT").map(({ content }) => content);
const refused = ({ received }: ChatSocket, why: string): number =>
  received.filter(({ type, content }) => type === "EXCEPTION" && content === why).length;

describe("lines whose rates are counted elsewhere, so that the answers come later than the lines", () => {
  let rates: LateRates;
  let speaker: ChatSocket;
  let other: ChatSocket;
  async function start(api = "", mode: LateRates["mode"] = "held"): Promise<void> {
    const clock = new ManualClock();
    rates = new LateRates(clock);
    await side.api(api, undefined, { clock, rates });
    side.onEnd(() => rates.letAllGo());
    [speaker, other] = [await side.socket(), await side.socket()];
    rates.mode = mode;
  }

  it("have their place, or are refused, before a PING behind them is answered", async () => {
    await start("chat: {web: linked}");
    speaker.say("a");
    const told = speaker.settled();
    await rates.holds(1);
    expect(await other.settled()).toEqual([]);
    rates.letAllGo();
    expect(await told).toEqual([{ type: "EXCEPTION", content: "not allowed" }]);
  });

  it("do not hold up the lines of other sockets", async () => {
    await start();
    speaker.say("later");
    await rates.holds(1);
    rates.mode = "soon";
    other.say("sooner");
    await eventually(() => expect(lines(speaker)).toEqual(["sooner"]));
    rates.letAllGo();
    await eventually(() => expect(lines(other)).toEqual(["later"]));
  });

  it("end their socket when the rates are broken, and no other one", async () => {
    await start("", "broken");
    speaker.say("hello");
    expect(await speaker.closed).toBe(1006);
    rates.mode = "soon";
    expect(await other.settled()).toEqual([]);
  });
});

describe("lines for a storage that is slow", () => {
  const MOST_LINES = 1_000;
  let letGo: () => void;
  let speaker: ChatSocket;
  async function start(limits = ""): Promise<void> {
    const clock = new ManualClock();
    const feedLog = memoryFeedLog(clock);
    const gate = new Promise<void>(resolve => {
      letGo = resolve;
    });
    const tell: typeof feedLog.tell = entries => gate.then(() => feedLog.tell(entries));
    await side.limits(limits, undefined, { clock, feedLog: { ...feedLog, tell } });
    speaker = await side.socket();
  }

  it("are refused where 1,000 wait, and taken again once those have gone on", async () => {
    await start(
      "messages-burst: 2000, messages-per-minute-per-address: 10000, chat-lines-burst: 2000, chat-lines-per-second: 1000",
    );
    const other = await side.socket();
    for (let i = 0; i <= MOST_LINES; i++) speaker.say(`line ${i}`);
    await eventually(() => expect(refused(speaker, "server unavailable")).toBe(1));
    letGo();
    await eventually(() => expect(lines(other)).toHaveLength(MOST_LINES));
    speaker.say("one more");
    await eventually(() => expect(lines(other)).toHaveLength(MOST_LINES + 1));
  });
});
