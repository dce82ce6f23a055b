import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ACCEPT, formOf } from "../test/helpers/browser.ts";
import { link } from "./index.ts";
import { short, Talking } from "./testing/talking.ts";

const side = new Talking();
beforeEach(() => side.start());
afterEach(() => side.end());

describe("a conversation", () => {
  it("begins with earlier messages and continues with new ones, in one list", async () => {
    side.says("§ahi");
    await side.bridge.tick(10);
    const other = await side.bridge.socket();
    other.say("§§from a page");
    await side.bridge.tick(10);
    const talk = await side.begun();
    await side.shows(talk, "<Steve> hi", "from a page");
    side.says("how are you?");
    await side.bridge.until(() => talk.lines.length === 3);
    other.say("fine");
    await side.shows(talk, "<Steve> hi", "from a page", "<Steve> how are you?", "fine");
    expect(side.rows.at(-1)).toEqual(talk.lines);
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

  it("shows a sent message immediately and once, and then at its position in the feed", async () => {
    const talk = await side.begun();
    const other = await side.bridge.socket();
    const sending = talk.send("hello");
    expect(short(talk.lines)).toEqual(["(me: hello)"]);
    const [{ key } = { key: "" }] = talk.lines;
    other.say("good day");
    expect(await side.bridge.during(sending)).toEqual({ is: "read" });
    await side.bridge.until(
      () => talk.lines.length === 2 && talk.lines.every(line => line.label !== undefined),
    );
    expect(short(talk.lines).sort()).toEqual(["good day", "me: hello"]);
    expect(talk.lines.find(line => line.isOwn)).toMatchObject({ key, from: "web" });
    for (const row of side.rows.slice(1))
      expect(short(row).filter(line => line.includes("hello"))).toHaveLength(1);
    await side.bridge.until(() => side.bridge.player("Steve").chat.some(line => line.includes("hello")));
  });

  it("distinguishes messages with the same text, and marks those that the browser sent from another page", async () => {
    const talk = await side.begun();
    const same = await side.begun({ onLines: () => undefined });
    const other = await side.bridge.socket();
    const sent = Promise.all([talk.send("again"), talk.send("again"), same.send("again")]);
    other.say("again");
    await side.bridge.during(sent);
    await side.bridge.until(() => talk.lines.filter(line => line.label !== undefined).length === 4);
    expect(short(talk.lines).sort()).toEqual(["again", "me: again", "me: again", "me: again"]);
    expect(new Set(talk.lines.map(({ key }) => key)).size).toBe(4);
  });

  it("marks its own earlier messages, whether messages or session arrive first", async () => {
    const before = await side.begun();
    await side.bridge.during(before.send("said before"));
    before.close();
    for (const late of ["GET /session/label", "GET /events"]) {
      let go = (): void => undefined;
      let isDelayed = false;
      side.visitor.onAsk = call => {
        if (call !== late || isDelayed) return undefined;
        isDelayed = true;
        return new Promise<void>(resolve => {
          go = resolve;
        });
      };
      const talk = side.begin();
      await side.bridge.until(() => isDelayed);
      await side.bridge.tick(20);
      go();
      await side.shows(talk, "me: said before");
      talk.close();
    }
  });

  it("reports a burst of messages once, and keeps as many messages as its option says", async () => {
    for (let i = 1; i <= 9; i++) side.says(`line ${i}`);
    await side.bridge.tick(10);
    const talk = await side.begun({ keep: 3 });
    await side.shows(talk, "<Steve> line 7", "<Steve> line 8", "<Steve> line 9");
    expect(side.rows.filter(row => row.length > 0)).toHaveLength(1);
    const sent = Promise.all([talk.send("one"), talk.send("two")]);
    expect(short(talk.lines)).toEqual(["<Steve> line 9", "(me: one)", "(me: two)"]);
    await side.bridge.during(sent);
    side.says("line 10");
    await side.shows(talk, "me: one", "me: two", "<Steve> line 10");
    await side.shows(await side.begun({ keep: 0 }), "<Steve> line 10");
  });

  it("sends as the player once the browser is linked, and uses another session on request", async () => {
    const talk = await side.begun();
    await side.bridge.during(talk.send("a guest"));
    await side.shows(talk, "me: a guest");
    const steve = side.bridge.player("Steve");
    // The cookies of the browser are cleared, and linking makes a new session.
    side.visitor.cookie = "";
    const linking = link(side.visitor.client, "Steve", { timers: side.visitor.timers });
    await formOf(side.bridge, steve);
    steve.answer(ACCEPT);
    await side.bridge.during(linking);
    talk.reconnect();
    await side.bridge.until(() => talk.state.is === "open");
    expect(await side.bridge.during(talk.send("it is me"))).toEqual({ is: "read" });
    await side.shows(talk, "me: a guest", "me: it is me");
    await side.bridge.until(() => talk.lines[1]?.player?.name === "Steve");
  });
});

describe("a conversation with a rejected message", () => {
  it("removes messages that were not sent, and reports why", async () => {
    const talk = await side.begun();
    const refused = talk.send("§a");
    expect(talk.lines).toHaveLength(1);
    expect(await side.bridge.during(refused)).toEqual({ is: "refused", why: "bad message" });
    expect([talk.lines, side.exceptions]).toEqual([[], []]);
    const all = Promise.all(Array.from({ length: 25 }, (_, i) => talk.send(`${i}`)));
    const results = await side.bridge.during(all);
    const read = results.filter(({ is }) => is === "read").length;
    expect(results).toContainEqual({ is: "refused", why: "rate limited" });
    await side.bridge.until(() => talk.lines.filter(line => line.label).length === read);
    expect(talk.lines).toHaveLength(read);
  });

  it("keeps a message that reached the browsers but not the game, once", async () => {
    const talk = await side.begun();
    await side.bridge.stopGame("kill");
    side.bridge.clock.advance(60_000);
    await side.bridge.until(() => talk.state.is === "open");
    expect(await side.bridge.during(talk.send("anybody?"))).toEqual({
      is: "refused",
      why: "server unavailable",
    });
    await side.bridge.until(() => talk.lines[0]?.label !== undefined);
    expect([short(talk.lines), side.exceptions]).toEqual([["me: anybody?"], []]);
  });
});
