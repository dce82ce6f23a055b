import { once } from "node:events";
import { afterEach, describe, expect, it } from "@jest/globals";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ManualClock } from "../helpers/clock.ts";
import { LateRates } from "../helpers/late-rates.ts";
import { eventually } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// The rates of chat are counted elsewhere, and the answers come later than the lines.

let side: TestSidecar;
let rates: LateRates;
const sockets: ChatSocket[] = [];
afterEach(async () => {
  rates.letAllGo();
  for (const socket of sockets.splice(0)) socket.ws.terminate();
  await side.stop();
});

async function start(api = ""): Promise<void> {
  const clock = new ManualClock();
  rates = new LateRates(clock);
  side = await startTestSidecar({ clock, rates, yaml: `modules: {api: {${api}}}` });
}

async function open(): Promise<ChatSocket> {
  const socket = await ChatSocket.open(side.base);
  sockets.push(socket);
  return socket;
}

const lines = ({ received }: ChatSocket): string[] =>
  received.filter(({ type }) => type === "CHAT").map(({ content }) => content);
const refused = ({ received }: ChatSocket): number =>
  received.filter(({ type, content }) => type === "EXCEPTION" && content === "rate limited").length;

describe("lines whose answers wait", () => {
  it("are relayed in the order in which their socket sent them", async () => {
    await start();
    const [speaker, other] = [await open(), await open()];
    rates.mode = "held";
    for (const line of ["a", "b", "c"]) speaker.say(line);
    await rates.holds(3);
    rates.letGo(1);
    rates.mode = "at once";
    speaker.say("d");
    const isRead = once(speaker.ws, "pong");
    speaker.ws.ping();
    await isRead;
    expect(lines(other)).toEqual([]);
    rates.letAllGo();
    speaker.say("e");
    await eventually(() => expect(lines(other)).toEqual(["a", "b", "c", "d", "e"]));
  });

  it("have their place, or are refused, before a PING behind them is answered", async () => {
    await start("chat: {web: linked}");
    const [speaker, other] = [await open(), await open()];
    rates.mode = "held";
    speaker.say("a");
    const told = speaker.settled();
    await rates.holds(1);
    expect(await other.settled()).toEqual([]);
    rates.letAllGo();
    expect(await told).toEqual([{ type: "EXCEPTION", content: "not allowed" }]);
  });

  it("do not hold up the lines of other sockets", async () => {
    await start();
    const [speaker, other] = [await open(), await open()];
    rates.mode = "held";
    speaker.say("later");
    await rates.holds(1);
    rates.mode = "soon";
    other.say("sooner");
    await eventually(() => expect(lines(speaker)).toEqual(["sooner"]));
    rates.letAllGo();
    await eventually(() => expect(lines(other)).toEqual(["later"]));
  });

  it("are relayed though their socket was closed meanwhile", async () => {
    await start();
    const [speaker, other] = [await open(), await open()];
    rates.mode = "held";
    speaker.say("my last words");
    await rates.holds(1);
    await speaker.close();
    rates.letAllGo();
    await eventually(() => expect(lines(other)).toEqual(["my last words"]));
  });

  it("are refused over the rate of an address, and over that of everybody", async () => {
    await start("limits: {messages-per-minute-per-address: 5, chat-lines-burst: 3}");
    const [speaker, other] = [await open(), await open()];
    for (let i = 0; i < 7; i++) speaker.say(`${i}`);
    await eventually(() => expect(refused(speaker)).toBe(4));
    expect(lines(other)).toEqual(["0", "1", "2"]);
    side.clock.advance(5_000);
    expect(side.log.lines).toContainEqual(
      expect.objectContaining({
        fields: { address: "127.0.0.1", refused: 4, limits: { everybody: 2, address: 2 } },
      }),
    );
  });

  it("take nothing from everybody when they may not be sent", async () => {
    await start("chat: {web: linked}, limits: {chat-lines-burst: 1}");
    const speaker = await open();
    for (let i = 0; i < 3; i++) {
      speaker.say(`${i}`);
      expect((await speaker.next()).content).toBe("not allowed");
    }
  });

  it("end their socket when the rates are broken, and no other one", async () => {
    await start();
    const [speaker, other] = [await open(), await open()];
    rates.mode = "broken";
    speaker.say("hello");
    expect(await speaker.closed).toBe(1006);
    rates.mode = "soon";
    expect(await other.settled()).toEqual([]);
  });
});
