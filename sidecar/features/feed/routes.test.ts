import { beforeEach, describe, expect, it } from "@jest/globals";
import { errorBody } from "../../../test/helpers/errors.ts";
import { type EventStream, short } from "../../../test/helpers/event-stream.ts";
import { ALEX, FakePack, row, STEVE, said } from "../../../test/helpers/fake-pack.ts";
import { serving } from "../../../test/helpers/serving.ts";

const side = serving();
const { pack } = side;
beforeEach(async () => {
  await side.start();
  await pack.connect();
});
const heartbeats = ({ comments }: EventStream): number => comments.filter(one => one === "heartbeat").length;

describe("the stream of events", () => {
  it("sends events of the game and the website, each with a unique id", async () => {
    await pack.snapshot("Steve", "Alex");
    const events = await side.stream();
    expect([events.status, events.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(events.headers).toMatchObject({
      "cache-control": expect.stringContaining("no-store"),
      date: expect.any(String),
    });
    expect(events.headers["x-accel-buffering"]).toBe("no");
    await pack.report(said("hello"));
    const socket = await side.socket();
    socket.say("from a page");
    await socket.settled();
    await pack.report({ is: "died", player: STEVE, killer: ALEX }, { is: "died", player: ALEX });
    await pack.report({ is: "joined", row: row("Eve") }, { is: "left", id: STEVE.id });
    const got = await events.next(6);
    const player = (name: string) => ({ name, uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const at = side.clock.now();
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

  it("starts from now for a reader without an id, and sends the current position", async () => {
    await pack.report(said("a"));
    const first = await side.stream();
    await first.until(({ lastEventId }) => lastEventId !== "");
    await pack.report(said("b"));
    expect(short(await first.next(1))).toEqual(["b"]);
  });

  it.each(["nonsense", "%C3%28", "1-1%0A%0A", "%0D%0Aevent:%20evil%0D%0Adata:%20{}"])(
    "reports a gap for the id %s, which it does not know, and continues with its own ids",
    async id => {
      await pack.report(said("a"), said("b"));
      const events = await side.stream(`?since=${id}`);
      const [gap, ...recent] = await events.next(3);
      expect(gap).toEqual({ event: "gap", id: expect.any(String), data: {} });
      expect(short(recent)).toEqual(["a", "b"]);
      expect(events.text).not.toContain("evil");
      const again = await side.stream(`?since=${gap?.id}`);
      expect(short(await again.next(2))).toEqual(["a", "b"]);
    },
  );

  it("sends a heartbeat at each interval, and every 5 s on request", async () => {
    const [usual, often] = [await side.stream(), await side.stream("?heartbeat=often")];
    await Promise.all([usual, often].map(one => one.until(({ comments }) => comments.length > 0)));
    expect([usual.comments, often.comments]).toEqual([
      ["heartbeat every 20000 ms"],
      ["heartbeat every 5000 ms"],
    ]);
    for (let i = 0; i < 4; i++) side.clock.advance(5_000);
    await often.until(() => heartbeats(often) === 4);
    await usual.until(() => heartbeats(usual) > 0);
    expect(heartbeats(usual)).toBe(1);
  });

  it("sends only the requested event types, and still advances the reader's position", async () => {
    const joins = await side.stream("?types=join,leave");
    await joins.until(({ lastEventId }) => lastEventId !== "");
    const before = joins.lastEventId;
    await pack.snapshot("Steve");
    await pack.report(said("a"));
    expect(short(await joins.next(1))).toEqual(["+Steve"]);
    side.clock.advance(20_000);
    await joins.until(() => heartbeats(joins) > 0);
    expect(joins.lastEventId).not.toBe(before);
    const again = await side.stream("?types=chat", { "Last-Event-ID": joins.lastEventId });
    await pack.report(said("b"));
    expect(short(await again.next(1))).toEqual(["b"]);
    side.clock.advance(20_000);
    await joins.until(() => heartbeats(joins) > 1);
    // There was no report of the game.
    expect(short(joins.events)).toEqual(["+Steve", "-Steve"]);
  });

  it("accepts lastEventId of polyfills: it overrides since, and the header overrides it", async () => {
    await pack.snapshot("Steve");
    await pack.report(said("a"), said("b"), said("c"));
    const recent = (await side.ask("/events?format=json&types=chat")).json as {
      id: string;
      content: string;
    }[];
    const [a = "", b = ""] = recent.map(({ id }) => id);
    for (const [query, header, expected] of [
      [`lastEventId=${b}&since=0`, "", ["c"]],
      [`lastEventId=&since=${a}&_=1`, "", ["b", "c"]],
      ["lastEventId=0", b, ["c"]],
      [`Last-Event-ID=${b}`, "", ["c"]],
    ] as const) {
      const again = await side.stream(`?types=chat&${query}`, { "Last-Event-ID": header });
      expect(short(await again.next(expected.length))).toEqual(expected);
    }
  });

  // As curl, `URLSearchParams`, axios and PHP write a list.
  it.each([
    ...["types=chat,join", "types=chat&types=join", "types=join&types=chat,join"],
    ...["types[]=chat&types[]=join", "types%5B0%5D=chat&types%5B1%5D=join"],
  ])("takes a list as ?%s, as a stream and as JSON", async query => {
    const both = await side.stream(`?${query}`);
    await both.until(({ comments }) => comments.length > 0);
    await pack.snapshot("Steve");
    await pack.report(said("a"), { is: "died", player: STEVE }, said("b"));
    expect(short(await both.next(3))).toEqual(["+Steve", "a", "b"]);
    const { json } = await side.ask(`/events?format=json&${query}`);
    expect((json as { event: string }[]).map(({ event }) => event)).toEqual(["join", "chat", "chat"]);
  });

  it("rejects an invalid query with invalid_query", async () => {
    const queries =
      "types= types=chat, types=gap types=Chat types=chat&types= types=chat&types=gap types=%00 format=xml format= " +
      "since=1-1&since=1-2 limit=0 limit=501 limit=ten limit= limit=1e2 heartbeat= heartbeat=5 heartbeat=often&heartbeat=often " +
      "search=x Types=chat since=1-1&x= lastEventId=1-1&lastEventId=1-1 format=json&name=a";
    for (const query of queries.split(" ")) {
      const answer = await side.said(`/events?${query}`);
      expect([query, ...answer]).toEqual([query, 400, errorBody("invalid_query")]);
    }
  });

  it("sends the current status first, then every change", async () => {
    await pack.snapshot("Steve");
    const figures = await side.stream("?types=status,players");
    const id = undefined;
    expect(await figures.next(2)).toEqual([
      { event: "status", id, data: (await side.ask("/status")).json },
      { event: "players", id, data: (await side.ask("/players")).json },
    ]);
    await pack.snapshot("Steve");
    await pack.snapshot("Steve", "Alex");
    expect(await figures.next(2)).toMatchObject([
      { event: "status", data: { onlinePlayerCount: 2 } },
      { event: "players", data: [{ name: "Steve" }, { name: "Alex" }] },
    ]);
  });

  it("sends the status again when the game is back, even if it is unchanged", async () => {
    await side.pack.snapshot("Steve");
    const figures = await side.stream("?types=players,server");
    await figures.next(1);
    const next = new FakePack(() => side.bridge);
    await next.connect("another run");
    await next.snapshot("Steve");
    const received = (await figures.next(3)).map(({ event, data }) =>
      event === "server" ? (data as { state: string }).state : event,
    );
    expect(received.sort()).toEqual(["away", "online", "players"]);
  });

  it("ends when the service stops", async () => {
    const events = await side.stream();
    await Promise.all([side.shut(), events.ended()]);
    expect(events.text).toMatch(/\n\n$/);
  });

  it("is rejected beyond the total limit and the limit of one address", async () => {
    await side.limits("event-clients: 2");
    const [first] = [await side.stream(), await side.stream()];
    const third = await side.stream();
    await third.ended();
    expect([third.status, third.text, third.headers["retry-after"]]).toEqual([
      503,
      expect.stringMatching(/^{"error":"too_many_connections",/),
      expect.stringMatching(/^\d+$/),
    ]);
    first?.close();
    let again = await side.stream();
    while (again.status === 503) again = await side.stream();
    expect(again.status).toBe(200);
  });
});

type Events = Record<string, unknown>[];
const json = async (query = "", headers: Record<string, string> = {}): Promise<Events> =>
  (await side.ask(`/events${query}`, { headers })).json as Events;
const texts = (events: Events): unknown[] =>
  events.map(({ event, content }) => (event === "chat" ? `${content}`.replace("§§<Steve> §§", "") : event));

describe("recent events as JSON", () => {
  it("is a list of flat objects, oldest first", async () => {
    await pack.report(said("a"));
    expect(await json("?format=json")).toEqual([
      {
        id: expect.any(String),
        event: "chat",
        at: side.clock.now(),
        from: "game",
        content: "§§<Steve> §§a",
        player: { name: "Steve", uuid: expect.any(String) },
      },
    ]);
    expect(await json("", { Accept: "application/json" })).toHaveLength(1);
  });

  it("returns the newest without since, and the next ones with since", async () => {
    await pack.report(...[..."abcdef"].map(text => said(text)));
    expect(texts(await json("?format=json&limit=2"))).toEqual(["e", "f"]);
    const all = await json("?format=json&since=0&limit=3");
    expect(texts(all)).toEqual(["a", "b", "c"]);
    expect(texts(await json(`?format=json&limit=2&since=${all[2]?.id}`))).toEqual(["d", "e"]);
    expect(texts(await json("?format=json&limit=2&since=other"))).toEqual(["gap", "a", "b"]);
  });

  it("has no chat while web chat is off, and none from that time later", async () => {
    await pack.snapshot("Steve");
    await pack.report(said("before"), { is: "webchat", mode: "off" }, said("meanwhile"));
    expect(texts(await json("?format=json"))).toEqual(["server", "join"]);
    await pack.report({ is: "webchat", mode: "everybody" }, said("after"));
    expect(texts(await json("?format=json&types=chat"))).toEqual(["before", "after"]);
  });

  it("is the same when repeated, despite requests for other lists", async () => {
    await pack.report(...Array.from({ length: 12 }, (_, i) => said(`${i}`)));
    const lists = async (): Promise<unknown[]> => {
      const all = [];
      for (let limit = 1; limit <= 12; limit++) all.push(texts(await json(`?format=json&limit=${limit}`)));
      return all;
    };
    const first = await lists();
    expect([first[0], first[11]]).toEqual([["11"], Array.from({ length: 12 }, (_, i) => `${i}`)]);
    expect(await lists()).toEqual(first);
  });

  it("is compressed once per change for clients that accept gzip, if it is long", async () => {
    await pack.report(...Array.from({ length: 20 }, (_, i) => said(`${i} ${"x".repeat(100)}`)));
    const list = (encoding: string) =>
      side.ask("/events?format=json", { headers: { "Accept-Encoding": encoding } });
    const [packed, plain] = [await list("gzip"), await list("identity")];
    expect([packed, plain].map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null]);
    expect(packed.json).toEqual(plain.json);
    await pack.report(said("new"));
    expect((await list("gzip")).json).toHaveLength(21);
  });
});
