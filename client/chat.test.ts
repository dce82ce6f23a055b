import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { WebSocket } from "ws";
import { ChatSocket, watched } from "../test/helpers/chat-socket.ts";
import { ManualClock } from "../test/helpers/clock.ts";
import { until } from "../test/helpers/eventually.ts";
import { startTestSidecar, type TestSidecar } from "../test/helpers/sidecar.ts";
import { type Chat, type ChatOptions, type ChatState, createChat, type SocketLike } from "./index.ts";
import { Page } from "./testing/surroundings.ts";

// Own connections: its sockets are watched.

let side: TestSidecar;
let chat: Chat | undefined;
let clock: ManualClock;
let states: ChatState["is"][];
let lines: string[];
let exceptions: string[];
let sockets: WebSocket[];

beforeEach(async () => {
  side = await startTestSidecar();
  clock = new ManualClock();
  states = [];
  lines = [];
  exceptions = [];
  sockets = [];
});
afterEach(async () => {
  chat?.close();
  await side.stop();
});

/** The client on the real sidecar, with its own clock. */
function open(more: Partial<ChatOptions> = {}): Chat {
  chat = createChat({
    url: `${side.base.replace("http", "ws")}/chat`,
    connect: url => {
      const socket = watched(new WebSocket(url));
      sockets.push(socket);
      return socket;
    },
    timers: clock,
    random: () => 0.5,
    onLine: line => lines.push(line),
    onException: why => exceptions.push(why),
    onState: state => states.push(state.is),
    ...more,
  });
  return chat;
}
const isOpen = (): boolean => chat?.state.is === "open";

describe("the chat of the client", () => {
  it("opens, and sends and receives messages", async () => {
    const said = open();
    expect([said.state.is, said.say("too early")]).toEqual(["connecting", false]);
    await until(isOpen);
    const other = await ChatSocket.open(side.base);
    expect(said.say("hello")).toBe(true);
    expect(await other.next()).toEqual({ type: "CHAT", content: "hello" });
    other.say("hi");
    await until(() => lines.length === 1);
    expect(lines).toEqual(["hi"]);
    await other.close();
  });

  it("answers heartbeats and stays open", async () => {
    open({ surroundings: new Page(true) });
    await until(isOpen);
    const sent: string[] = [];
    const [socket] = sockets;
    const send = socket?.send.bind(socket);
    if (socket && send)
      socket.send = (data: string) => {
        sent.push(data);
        send(data);
      };
    for (let i = 1; i <= 5; i++) {
      clock.advance(40_000);
      side.clock.advance(20_000);
      await until(() => sent.length === i);
    }
    expect(JSON.parse(sent[0] ?? "")).toEqual({ type: "PONG", content: "" });
    expect(states).toEqual(["connecting", "open"]);
  });

  it("reconnects when the page was hidden and there was no heartbeat for two and a half intervals", async () => {
    open({ surroundings: new Page(true) });
    await until(isOpen);
    clock.advance(49_999);
    expect(chat?.state.is).toBe("open");
    clock.advance(1);
    expect(chat?.state).toEqual({ is: "waiting", retryAt: clock.now() + 500 });
    clock.advance(500);
    await until(isOpen);
    expect(states).toEqual(["connecting", "open", "waiting", "connecting", "open"]);
    expect(sockets).toHaveLength(2);
    await until(() => sockets[0]?.readyState === WebSocket.CLOSED);
  });

  it("retries with random, growing delays until the service is back", async () => {
    const port = side.sidecar.publicAddress.port;
    open();
    await until(isOpen);
    await side.stop();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      await until(() => chat?.state.is === "waiting");
      const { state } = chat ?? {};
      if (state?.is !== "waiting") throw new Error("does not wait");
      waits.push(state.retryAt - clock.now());
      clock.advance(state.retryAt - clock.now());
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
    await until(() => chat?.state.is === "waiting");
    side = await startTestSidecar({ publicPort: port });
    chat?.retryNow();
    await until(isOpen);
  });

  it("resets the delay after a heartbeat, not after each greeting", async () => {
    open();
    const lose = async (): Promise<number> => {
      await until(isOpen);
      sockets.at(-1)?.terminate();
      await until(() => chat?.state.is === "waiting");
      const { state } = chat ?? {};
      const wait = state?.is === "waiting" ? state.retryAt - clock.now() : Number.NaN;
      clock.advance(wait);
      return wait;
    };
    expect([await lose(), await lose(), await lose()]).toEqual([500, 1000, 2000]);
    await until(isOpen);
    let count = 0;
    sockets.at(-1)?.on("message", () => count++);
    side.clock.advance(20_000);
    await until(() => count > 0);
    expect(await lose()).toBe(500);
  });

  it("ignores anything that is not a message of the service", async () => {
    const socket: SocketLike = {
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send: () => undefined,
      close: () => undefined,
    };
    const said = open({ connect: () => socket });
    for (const data of ["", "nonsense", "null", "[]", '{"type":"CHAT"}', '{"type":"NEWS","content":"x"}'])
      socket.onmessage?.({ data } as never);
    expect([said.state.is, lines]).toEqual(["connecting", []]);
    socket.onmessage?.({ data: '{"type":"CHAT","content":"x"}' } as never);
    expect(lines).toEqual(["x"]);
  });

  it("sends nothing on a closing connection, and reports that", async () => {
    const written: string[] = [];
    const socket = {
      ...{ onopen: null, onmessage: null, onclose: null, onerror: null },
      readyState: WebSocket.OPEN as number,
      send: (data: string) => void written.push(data),
      close: () => undefined,
    };
    const said = open({ connect: () => socket });
    const hear = (type: string): void => {
      const { onmessage } = socket as SocketLike;
      onmessage?.({ data: JSON.stringify({ type, content: "" }) } as never);
    };
    hear("VERIFICATION");
    socket.readyState = WebSocket.CLOSING;
    hear("PING");
    const sending = said.send("hello");
    expect([said.state.is, said.say("hello"), written]).toEqual(["open", false, []]);
    (socket as SocketLike).onclose?.({} as never);
    expect(await sending).toEqual({ is: "unsent" });
  });
});
