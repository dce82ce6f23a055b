import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask } from "../helpers/client.ts";
import type { EventStream } from "../helpers/event-stream.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { ALEX, Feeding, STEVE, said, short } from "./feeding.ts";

// Own connections: compares a stream with the bodies of other calls.

const side = new Feeding();
const heartbeats = ({ comments }: EventStream): number => comments.filter(one => one === "heartbeat").length;
beforeEach(() => side.start());
afterEach(() => side.end());

describe("the stream of events", () => {
  it("tells what happens in the game and on the web, each with its own id", async () => {
    await side.pack.snapshot("Steve", "Alex");
    const events = await side.stream();
    expect([events.status, events.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(events.headers["cache-control"]).toContain("no-store");
    expect(events.headers["x-accel-buffering"]).toBe("no");
    await side.pack.report(said("hello"));
    const socket = await ChatSocket.open(side.bridge.base);
    side.open.push({ close: () => socket.ws.terminate() });
    socket.say("from a page");
    await socket.settled();
    await side.pack.report({ is: "died", player: STEVE, killer: ALEX }, { is: "died", player: ALEX });
    await side.pack.report({ is: "joined", row: row("Eve") }, { is: "left", id: STEVE.id });
    const got = await events.next(6);
    const player = (name: string) => ({ name, uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const at = side.bridge.clock.now();
    expect(got.map(({ event, data }) => [event, data])).toEqual([
      ["chat", { at, from: "game", content: "§§<Steve> §§hello", player: player("Steve") }],
      ["chat", { at, from: "web", content: "from a page", label: null }],
      ["death", { at, player: player("Steve"), killer: player("Alex") }],
      ["death", { at, player: player("Alex") }],
      ["join", { at, player: player("Eve") }],
      ["leave", { at, player: player("Steve") }],
    ]);
    expect(new Set(got.map(({ id }) => id)).size).toBe(6);
    expect(events.retry).toBe(2000);
  });

  it("begins with now for whoever names no id, and tells the place of now", async () => {
    await side.pack.report(said("a"));
    const first = await side.stream();
    await first.until(({ lastEventId }) => lastEventId !== "");
    await side.pack.report(said("b"));
    expect(short(await first.next(1))).toEqual(["b"]);
  });

  it.each(["nonsense", "9999999999999-1", "1-1", "%F0%9F%98%80", "-", "0-0"])(
    "tells of a gap for the id %s, which is none of its own, and goes on from a place of its own",
    async id => {
      await side.pack.report(said("a"), said("b"));
      const events = await side.stream(`?since=${id}`);
      const [gap, ...kept] = await events.next(3);
      expect(gap).toEqual({ event: "gap", id: expect.any(String), data: {} });
      expect(short(kept)).toEqual(["a", "b"]);
      const again = await side.stream(`?since=${gap?.id}`);
      expect(short(await again.next(2))).toEqual(["a", "b"]);
    },
  );

  it("gives a heartbeat at each interval, and every 5 s to a reader that wants it often", async () => {
    const [usual, often] = [await side.stream(), await side.stream("?heartbeat=often")];
    await Promise.all([usual, often].map(one => one.until(({ comments }) => comments.length > 0)));
    expect([usual.comments, often.comments]).toEqual([
      ["heartbeat every 20000 ms"],
      ["heartbeat every 5000 ms"],
    ]);
    for (let i = 0; i < 4; i++) side.bridge.clock.advance(5_000);
    await often.until(() => heartbeats(often) === 4);
    await usual.until(() => heartbeats(usual) > 0);
    expect(heartbeats(usual)).toBe(1);
    for (const query of ["?heartbeat=", "?heartbeat=5", "?heartbeat=often&heartbeat=often"])
      expect((await ask(side.bridge.base, `/events${query}`)).json).toEqual({ error: "invalid_query" });
  });

  it("gives a reader the events that it has picked, and lets its place not fall behind", async () => {
    const joins = await side.stream("?types=join,leave");
    await joins.until(({ lastEventId }) => lastEventId !== "");
    const before = joins.lastEventId;
    await side.pack.snapshot("Steve");
    await side.pack.report(said("a"));
    expect(short(await joins.next(1))).toEqual(["+Steve"]);
    side.bridge.clock.advance(20_000);
    await joins.until(() => heartbeats(joins) > 0);
    expect(joins.lastEventId).not.toBe(before);
    const again = await side.stream("?types=chat", { "Last-Event-ID": joins.lastEventId });
    await side.pack.report(said("b"));
    expect(short(await again.next(1))).toEqual(["b"]);
    side.bridge.clock.advance(20_000);
    await joins.until(() => heartbeats(joins) > 1);
    // Nothing was heard of the game meanwhile.
    expect(short(joins.events)).toEqual(["+Steve", "-Steve"]);
  });

  it.each(["types=chat,join", "types=chat&types=join", "types=join&types=chat,join"])(
    "takes a list as ?%s, as a stream and as JSON",
    async query => {
      const both = await side.stream(`?${query}`);
      await both.until(({ comments }) => comments.length > 0);
      await side.pack.snapshot("Steve");
      await side.pack.report(said("a"), { is: "died", player: STEVE }, said("b"));
      expect(short(await both.next(3))).toEqual(["+Steve", "a", "b"]);
      const { json } = await ask(side.bridge.base, `/events?format=json&${query}`);
      expect((json as { event: string }[]).map(({ event }) => event)).toEqual(["join", "chat", "chat"]);
    },
  );

  it("is described as taking lists in both forms", async () => {
    const { text } = await ask(side.bridge.base, "/openapi.json");
    const { paths } = JSON.parse(text) as {
      paths: { "/events": { get: { parameters: { name: string; description: string }[] } } };
    };
    const types = paths["/events"].get.parameters.find(({ name }) => name === "types");
    expect(types?.description).toMatch(/with commas between; `types=join&types=leave` is the same/);
  });

  it.each([
    "?types=",
    "?types=chat,",
    "?types=gap",
    "?types=Chat",
    "?types=chat&types=",
    "?types=chat&types=gap",
    "?format=xml",
    "?format=",
    "?since=1-1&since=1-2",
    "?limit=0",
    "?limit=501",
    "?limit=ten",
    "?limit=",
    "?limit=1e2",
    "?types=%00",
  ])("answers invalid_query to %s", async query => {
    const answer = await side.stream(query);
    await answer.ended();
    expect([answer.status, answer.text]).toEqual([400, '{"error":"invalid_query"}']);
  });

  it("tells the present figures first, and then each change of them", async () => {
    await side.pack.snapshot("Steve");
    const figures = await side.stream("?types=status,players");
    const [status, players] = await figures.next(2);
    expect(status).toEqual({
      event: "status",
      id: undefined,
      data: await (await fetch(`${side.bridge.base}/status`)).json(),
    });
    expect(players).toEqual({
      event: "players",
      id: undefined,
      data: await (await fetch(`${side.bridge.base}/players`)).json(),
    });
    await side.pack.snapshot("Steve");
    await side.pack.snapshot("Steve", "Alex");
    const later = await figures.next(2);
    expect(
      later.map(({ event, data }) => [
        event,
        event === "status"
          ? (data as { onlinePlayerCount: number }).onlinePlayerCount
          : (data as unknown[]).length,
      ]),
    ).toEqual([
      ["status", 2],
      ["players", 2],
    ]);
  });

  it("tells the figures of a game that comes back, though nothing has changed", async () => {
    await side.pack.snapshot("Steve");
    const figures = await side.stream("?types=players,server");
    await figures.next(1);
    side.bridge.clock.advance(16_000);
    expect(short(await figures.next(1))).toEqual(["away"]);
    await side.pack.snapshot("Steve");
    expect((await figures.next(2)).map(({ event }) => event).sort()).toEqual(["players", "server"]);
  });

  it("tells them also where somebody has begun to read before they came", async () => {
    await side.pack.snapshot("Steve");
    const figures = await side.stream("?types=players,server");
    await figures.next(1);
    const next = new FakePack(side.bridge.bridge);
    await next.connect("another run");
    await side.stream("?types=players,server");
    await next.snapshot("Steve");
    const told = (await figures.next(3)).map(({ event, data }) =>
      event === "server" ? (data as { state: string }).state : event,
    );
    expect(told.sort()).toEqual(["away", "online", "players"]);
  });

  it("has a page of a listed origin ask for what it missed, and refuses others", async () => {
    await side.bridge.stop();
    await side.start({ yaml: "modules: {api: {cors-origins: [https://page.example]}}" });
    const preflight = await fetch(`${side.bridge.base}/events`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://page.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "last-event-id",
      },
    });
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("last-event-id");
    const allowed = await side.stream("", { Origin: "https://page.example" });
    expect(allowed.headers["access-control-allow-origin"]).toBe("https://page.example");
    const refused = await side.stream("", { Origin: "https://evil.example" });
    expect(refused.status).toBe(403);
  });

  it("answers the headers alone to HEAD", async () => {
    const answer = await fetch(`${side.bridge.base}/events`, { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "text/event-stream",
      "",
    ]);
  });

  it("ends when the service stops", async () => {
    const events = await side.stream();
    await Promise.all([side.bridge.stop(), events.ended()]);
    expect(events.text).toMatch(/\n\n$/);
    await side.start();
  });

  it("is refused past the limits of all and of an address", async () => {
    await side.bridge.stop();
    await side.start({ yaml: "modules: {api: {limits: {event-clients: 2}}}" });
    const [first] = [await side.stream(), await side.stream()];
    const third = await side.stream();
    await third.ended();
    expect([third.status, third.text, third.headers["retry-after"]]).toEqual([
      503,
      '{"error":"too_many_connections"}',
      expect.stringMatching(/^\d+$/),
    ]);
    first?.close();
    let again = await side.stream();
    while (again.status === 503) again = await side.stream();
    expect(again.status).toBe(200);
  });
});
