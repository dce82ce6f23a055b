import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { short, Talking } from "./testing/talking.ts";

// Own connections: reads streams, as `client/events.test.ts` does.

const side = new Talking();
beforeEach(() => side.start());
afterEach(() => side.end());

describe("a conversation that is disconnected", () => {
  it("has each message once after a restart of the service, including those sent during it", async () => {
    const talk = await side.begun();
    side.says("before");
    await side.shows(talk, "<Steve> before");
    for (const socket of side.visitor.sockets) socket.terminate();
    side.says("meanwhile");
    await side.bridge.until(() => talk.state.is === "open" && side.visitor.sockets.length === 2);
    side.says("after");
    await side.shows(talk, "<Steve> before", "<Steve> meanwhile", "<Steve> after");
    await side.bridge.stopSidecar();
    await side.bridge.until(() => talk.state.is === "waiting");
    expect(await talk.send("lost")).toEqual({ is: "unsent" });
    await side.bridge.startSidecar();
    await side.bridge.until(() => talk.state.is === "open");
    side.says("again");
    await side.bridge.until(() => short(talk.lines).includes("<Steve> again"));
    expect(short(talk.lines)).toEqual([
      "<Steve> before",
      "<Steve> meanwhile",
      "<Steve> after",
      "<Steve> again",
    ]);
  });

  it("has a message once if the connection was lost after the service read it", async () => {
    const talk = await side.begun();
    const [socket] = side.visitor.sockets;
    if (socket) socket.onmessage = null;
    const sending = talk.send("did you hear?");
    await side.bridge.until(() =>
      side.bridge.player("Steve").chat.some(line => line.includes("did you hear?")),
    );
    socket?.terminate();
    expect(await side.bridge.during(sending)).toEqual({ is: "unconfirmed" });
    await side.shows(talk, "me: did you hear?");
    await side.bridge.tick(100);
    expect(short(talk.lines)).toEqual(["me: did you hear?"]);
  });
});

describe("a conversation with a gap", () => {
  it("has a message once even if it is repeated after the gap", async () => {
    const talk = await side.begun();
    side.says("one");
    await side.shows(talk, "<Steve> one");
    await side.bridge.during(talk.send("two"));
    await side.shows(talk, "<Steve> one", "me: two");
    // Requests the events after an id that the service does not know.
    side.visitor.stream = (url, init) => fetch(url.replace(/since=[^&]*/, "since=1-1"), init);
    side.page.happens("online");
    await side.bridge.until(() => side.gaps === 1);
    side.says("three");
    await side.shows(talk, "<Steve> one", "me: two", "<Steve> three");
  });

  it("removes its own messages that were read and can no longer be delivered", async () => {
    const talk = await side.begun();
    side.visitor.stream = () => Promise.reject(new Error("no network for streams"));
    side.page.happens("online");
    await side.bridge.until(() => talk.state.is === "open");
    await side.bridge.during(talk.send("who heard this?"));
    expect(short(talk.lines)).toEqual(["me: who heard this?"]);
    await side.bridge.stopSidecar();
    // Its feed is another one.
    await side.bridge.startSidecar();
    side.visitor.stream = fetch;
    await side.bridge.until(() => side.gaps === 1);
    await side.shows(talk);
  });
});

describe("a conversation that is closed", () => {
  it("reports nothing more, ends pending calls, and cleans up", async () => {
    const talk = await side.begun();
    const sending = talk.send("one");
    talk.close();
    const count = side.rows.length;
    expect(await sending).toEqual({ is: "unconfirmed" });
    expect(await talk.send("two")).toEqual({ is: "unsent" });
    talk.reconnect();
    talk.retryNow();
    await side.bridge.until(() => side.visitor.left.sockets === 0);
    side.says("is anybody there?");
    await side.bridge.tick(20);
    expect([side.rows.length, talk.state.is, side.visitor.left, side.page.listeners]).toEqual([
      count,
      "closed",
      { timers: 0, sockets: 0 },
      0,
    ]);
  });

  it.each(["GET /initialize", "GET /session/label", "GET /events"])(
    "asks for nothing more while %s is not answered, and leaves the next one alone",
    async path => {
      let isDelayed = false;
      side.visitor.onAsk = call => {
        if (call !== path || isDelayed) return undefined;
        isDelayed = true;
        return new Promise(() => undefined);
      };
      let isClosed = false;
      const late: string[] = [];
      const onLines = (): void => void (isClosed && late.push("told"));
      const [mounted, first] = [side.begin({ onLines }), side.begin({ onLines })];
      mounted.close();
      await side.bridge.until(() => isDelayed);
      first.close();
      isClosed = true;
      const talk = await side.begun();
      await side.bridge.during(talk.send("hello"));
      await side.shows(talk, "me: hello");
      talk.close();
      await side.bridge.until(() => side.visitor.left.sockets === 0);
      expect([late, side.visitor.left, side.page.listeners]).toEqual([[], { timers: 0, sockets: 0 }, 0]);
    },
  );

  it("fails for an address that can have no service, before any call", () => {
    for (const base of ["localhost:8080", "ws://localhost:8080", "file:///x", ""])
      expect(() => side.begin({ base })).toThrow();
    expect([side.visitor.calls, side.visitor.left.timers, side.page.listeners]).toEqual([[], 0, 0]);
  });
});
