import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  type Conversation,
  type ConversationOptions,
  createConversation,
  link,
  type Said,
} from "../../client/index.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, formOf } from "../helpers/browser.ts";
import { Page } from "./surroundings.ts";
import { Visitor } from "./visitor.ts";

let bridge: TestBridge;
let visitor: Visitor;
let page: Page;
let open: Conversation[];
/** every row of lines that was told, the newest last */
let rows: (readonly Said[])[];
let gaps: number;
let exceptions: string[];
beforeEach(async () => {
  bridge = await TestBridge.start(["Steve"]);
  visitor = new Visitor(bridge.base, bridge.clock);
  page = new Page();
  open = [];
  rows = [];
  exceptions = [];
  gaps = 0;
});
afterEach(async () => {
  for (const one of open) one.close();
  await bridge.stop();
});

function begin(more: Partial<ConversationOptions> = {}, who = visitor): Conversation {
  const talk = createConversation({
    base: bridge.base,
    client: who.client,
    fetch: who.ask,
    connect: who.connect,
    timers: who.timers,
    random: () => 0,
    surroundings: page,
    onLines: lines => rows.push(lines),
    onGap: () => gaps++,
    onException: why => exceptions.push(why),
    ...more,
  });
  open.push(talk);
  return talk;
}
async function begun(more: Partial<ConversationOptions> = {}, who = visitor): Promise<Conversation> {
  let isLive = false;
  const talk = begin(
    {
      ...more,
      onFeed: ({ is }) => {
        isLive ||= is === "open";
      },
    },
    who,
  );
  await bridge.until(() => isLive && talk.state.is === "open");
  return talk;
}
/** Lines in short: own ones with `me:`, those that nobody has read yet in brackets. */
const short = (lines: readonly Said[]): string[] =>
  lines.map(({ segments, isOwn, isUnderway }) => {
    const text = `${isOwn ? "me: " : ""}${segments.map(one => one.text).join("")}`;
    return isUnderway ? `(${text})` : text;
  });
const shows = (talk: Conversation, ...lines: string[]): Promise<void> =>
  bridge
    .until(() => short(talk.lines).join("\n") === lines.join("\n"))
    .catch(() => expect(short(talk.lines)).toEqual(lines));
const says = (text: string): void => bridge.player("Steve").say(text);

describe("a conversation", () => {
  it("begins with what was said before, and goes on with what is said, all in one row", async () => {
    says("§ahi");
    await bridge.tick(10);
    const other = await bridge.socket();
    other.say("§§from a page");
    await bridge.tick(10);
    const talk = await begun();
    await shows(talk, "<Steve> hi", "from a page");
    says("how are you?");
    await bridge.until(() => talk.lines.length === 3);
    other.say("fine");
    await shows(talk, "<Steve> hi", "from a page", "<Steve> how are you?", "fine");
    expect(rows.at(-1)).toEqual(talk.lines);
    expect(talk.lines[0]).toEqual({
      key: expect.any(String),
      at: expect.any(Number),
      from: "game",
      isOwn: false,
      isUnderway: false,
      player: { name: "Steve", uuid: expect.any(String) },
      segments: [{ text: "<Steve> " }, { text: "hi", colour: "#55ff55" }],
    });
    expect(talk.lines[1]).toMatchObject({ from: "web", label: null, segments: [{ text: "from a page" }] });
  });

  it("has a line that is said here at once, and once, at the place that the feed gives it", async () => {
    const talk = await begun();
    const other = await bridge.socket();
    const sending = talk.send("hello");
    expect(short(talk.lines)).toEqual(["(me: hello)"]);
    const [{ key } = { key: "" }] = talk.lines;
    other.say("good day");
    expect(await bridge.during(sending)).toEqual({ is: "read" });
    await bridge.until(() => talk.lines.length === 2 && talk.lines.every(line => line.label !== undefined));
    expect(short(talk.lines).sort()).toEqual(["good day", "me: hello"]);
    expect(talk.lines.find(line => line.isOwn)).toMatchObject({ key, from: "web" });
    for (const row of rows.slice(1))
      expect(short(row).filter(line => line.includes("hello"))).toHaveLength(1);
    await bridge.until(() => bridge.player("Steve").chat.some(line => line.includes("hello")));
  });

  it("tells lines of one text apart, and knows those of the browser in another page", async () => {
    const talk = await begun();
    const same = await begun({ onLines: () => undefined });
    const other = await bridge.socket();
    const sent = Promise.all([talk.send("again"), talk.send("again"), same.send("again")]);
    other.say("again");
    await bridge.during(sent);
    await bridge.until(() => talk.lines.filter(line => line.label !== undefined).length === 4);
    expect(short(talk.lines).sort()).toEqual(["again", "me: again", "me: again", "me: again"]);
    expect(new Set(talk.lines.map(({ key }) => key)).size).toBe(4);
  });

  it("knows its own lines of before it was opened, whichever comes first, the lines or the session", async () => {
    const before = await begun();
    await bridge.during(before.send("said before"));
    before.close();
    for (const late of ["GET /session/label", "GET /events"]) {
      let go = (): void => undefined;
      let isHeld = false;
      visitor.onAsk = asked => {
        if (asked !== late || isHeld) return undefined;
        isHeld = true;
        return new Promise<void>(resolve => {
          go = resolve;
        });
      };
      const talk = begin();
      await bridge.until(() => isHeld);
      await bridge.tick(20);
      go();
      await shows(talk, "me: said before");
      talk.close();
    }
  });

  it("tells of all that comes at once with one row, and keeps as many lines as it is told to", async () => {
    for (let i = 1; i <= 9; i++) says(`line ${i}`);
    await bridge.tick(10);
    const talk = await begun({ keep: 3 });
    await shows(talk, "<Steve> line 7", "<Steve> line 8", "<Steve> line 9");
    expect(rows.filter(row => row.length > 0)).toHaveLength(1);
    const sent = Promise.all([talk.send("one"), talk.send("two")]);
    expect(short(talk.lines)).toEqual(["<Steve> line 9", "(me: one)", "(me: two)"]);
    await bridge.during(sent);
    says("line 10");
    await shows(talk, "me: one", "me: two", "<Steve> line 10");
  });

  it("speaks as the player once the browser is linked, and takes up another session when it is told", async () => {
    const talk = await begun();
    await bridge.during(talk.send("a guest"));
    await shows(talk, "me: a guest");
    const steve = bridge.player("Steve");
    // The cookies of the browser are cleared, and linking makes a new session.
    visitor.cookie = "";
    const linking = link(visitor.client, "Steve", { timers: visitor.timers });
    await formOf(bridge, steve);
    steve.answer(ACCEPT);
    await bridge.during(linking);
    talk.reconnect();
    await bridge.until(() => talk.state.is === "open");
    expect(await bridge.during(talk.send("it is me"))).toEqual({ is: "read" });
    await shows(talk, "me: a guest", "me: it is me");
    await bridge.until(() => talk.lines[1]?.player?.name === "Steve");
  });

  it("has each line once where the browser keeps no cookie, for two guests with one text", async () => {
    visitor.keepsCookies = false;
    const talk = await begun();
    const other = await bridge.socket();
    other.say("hi");
    await shows(talk, "hi");
    await bridge.during(talk.send("hi"));
    await bridge.until(() => talk.lines.every(line => line.label === null));
    expect(short(talk.lines)).toEqual(["hi", "me: hi"]);
  });
});

describe("a conversation and a line that is refused", () => {
  it("takes away what went nowhere, and tells why", async () => {
    const talk = await begun();
    const refused = talk.send("§a");
    expect(talk.lines).toHaveLength(1);
    expect(await bridge.during(refused)).toEqual({ is: "refused", why: "bad message" });
    expect([talk.lines, exceptions]).toEqual([[], []]);
    const all = Promise.all(Array.from({ length: 25 }, (_, i) => talk.send(`${i}`)));
    const told = await bridge.during(all);
    const read = told.filter(({ is }) => is === "read").length;
    expect(told).toContainEqual({ is: "refused", why: "rate limited" });
    await bridge.until(() => talk.lines.filter(line => line.label).length === read);
    expect(talk.lines).toHaveLength(read);
  });

  it("keeps what the others have got and the game has not, once", async () => {
    const talk = await begun();
    await bridge.stopGame("kill");
    bridge.clock.advance(60_000);
    await bridge.until(() => talk.state.is === "open");
    expect(await bridge.during(talk.send("anybody?"))).toEqual({ is: "refused", why: "server unavailable" });
    await bridge.until(() => talk.lines[0]?.label !== undefined);
    expect([short(talk.lines), exceptions]).toEqual([["me: anybody?"], []]);
  });
});

describe("a conversation that is cut", () => {
  it("has each line once when the service is back, also what was said meanwhile", async () => {
    const talk = await begun();
    says("before");
    await shows(talk, "<Steve> before");
    for (const socket of visitor.sockets) socket.terminate();
    says("meanwhile");
    await bridge.until(() => talk.state.is === "open" && visitor.sockets.length === 2);
    says("after");
    await shows(talk, "<Steve> before", "<Steve> meanwhile", "<Steve> after");
    await bridge.stopSidecar();
    await bridge.until(() => talk.state.is === "waiting");
    expect(await talk.send("lost")).toEqual({ is: "unsent" });
    await bridge.startSidecar();
    await bridge.until(() => talk.state.is === "open");
    says("again");
    await bridge.until(() => short(talk.lines).includes("<Steve> again"));
    expect(short(talk.lines)).toEqual([
      "<Steve> before",
      "<Steve> meanwhile",
      "<Steve> after",
      "<Steve> again",
    ]);
  });

  it("has a line once that was read, though the connection was gone before the answer", async () => {
    const talk = await begun();
    const [socket] = visitor.sockets;
    if (socket) socket.onmessage = null;
    const sending = talk.send("did you hear?");
    await bridge.until(() => bridge.player("Steve").chat.some(line => line.includes("did you hear?")));
    socket?.terminate();
    expect(await bridge.during(sending)).toEqual({ is: "unconfirmed" });
    await shows(talk, "me: did you hear?");
    await bridge.tick(100);
    expect(short(talk.lines)).toEqual(["me: did you hear?"]);
  });
});

describe("a conversation in which something is missing", () => {
  it("has no line twice that comes again after the gap", async () => {
    const talk = await begun();
    says("one");
    await shows(talk, "<Steve> one");
    await bridge.during(talk.send("two"));
    await shows(talk, "<Steve> one", "me: two");
    // The service is asked for what came after an id that is none of its own.
    visitor.stream = (url, init) => fetch(url.replace(/since=[^&]*/, "since=1-1"), init);
    page.happens("online");
    await bridge.until(() => gaps === 1);
    says("three");
    await shows(talk, "<Steve> one", "me: two", "<Steve> three");
  });

  it("takes away its own lines that were read and can no longer come", async () => {
    const talk = await begun();
    visitor.stream = () => Promise.reject(new Error("no network for streams"));
    page.happens("online");
    await bridge.until(() => talk.state.is === "open");
    await bridge.during(talk.send("who heard this?"));
    expect(short(talk.lines)).toEqual(["me: who heard this?"]);
    await bridge.stopSidecar();
    // Its feed is another one.
    await bridge.startSidecar();
    visitor.stream = fetch;
    await bridge.until(() => gaps === 1);
    await shows(talk);
  });
});

describe("a conversation that is closed", () => {
  it("tells nothing any more, ends what is under way, and leaves nothing behind", async () => {
    const talk = await begun();
    const sending = talk.send("one");
    talk.close();
    const told = rows.length;
    expect(await sending).toEqual({ is: "unconfirmed" });
    expect(await talk.send("two")).toEqual({ is: "unsent" });
    talk.reconnect();
    talk.retryNow();
    await bridge.until(() => visitor.left.sockets === 0);
    says("is anybody there?");
    await bridge.tick(20);
    expect([rows.length, talk.state.is, visitor.left, page.listeners]).toEqual([
      told,
      "closed",
      { timers: 0, sockets: 0 },
      0,
    ]);
  });

  it.each(["GET /initialize", "GET /session/label", "GET /events"])(
    "asks for nothing more while %s is not answered, and leaves the next one alone",
    async path => {
      let isHeld = false;
      visitor.onAsk = asked => {
        if (asked !== path || isHeld) return undefined;
        isHeld = true;
        return new Promise(() => undefined);
      };
      let isClosed = false;
      const late: string[] = [];
      const onLines = (): void => void (isClosed && late.push("told"));
      const [mounted, first] = [begin({ onLines }), begin({ onLines })];
      mounted.close();
      await bridge.until(() => isHeld);
      first.close();
      isClosed = true;
      const talk = await begun();
      await bridge.during(talk.send("hello"));
      await shows(talk, "me: hello");
      talk.close();
      await bridge.until(() => visitor.left.sockets === 0);
      expect([late, visitor.left, page.listeners]).toEqual([[], { timers: 0, sockets: 0 }, 0]);
    },
  );

  it("is told where there can be no service, before anything is begun", () => {
    for (const base of ["localhost:8080", "ws://localhost:8080", "file:///x", ""])
      expect(() => begin({ base })).toThrow();
    expect([visitor.asked, visitor.left.timers, page.listeners]).toEqual([[], 0, 0]);
  });
});
