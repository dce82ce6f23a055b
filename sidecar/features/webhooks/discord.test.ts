import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { FeedEvent } from "../../../client/types.ts";
import { encodeColours } from "../chat/rules/colours.ts";
import type { FeedEntry } from "../feed/rules/window.ts";
import { discordFormat } from "./discord.ts";

const at = Date.UTC(2026, 0, 1);
const format = discordFormat("https://discord.com/api/webhooks/1/x?thread_id=5");
const steve = { name: "Steve", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" };
const alex = { ...steve, name: "Al_ex*" };

const entries = (...events: FeedEvent[]): FeedEntry[] => events.map((event, i) => ({ id: `1-${i}`, event }));
const fromWeb = (content: string, time = at, more: Partial<FeedEvent> = {}): FeedEvent =>
  ({ event: "chat", at: time, from: "web", content, ...more }) as FeedEvent;
const fromGame = (name: string, text: string): FeedEvent => ({
  event: "chat",
  at,
  from: "game",
  content: encodeColours([`<${name}> `, text]),
});

const next = (events: FeedEvent[], behind = false) => {
  const { body, count } = format.next(entries(...events), behind, at);
  const message: { content: string; allowed_mentions: unknown; flags: number } = JSON.parse(body);
  return { ...message, count };
};
const contentOf = (event: FeedEvent): string => next([event]).content;
/** The text that Discord shows if every mark is escaped with a backslash. */
const unescaped = (content: string): string => content.replace(/\\([^0-9A-Za-z\s])/g, "$1");

describe("the Discord format", () => {
  it("adds wait=true to the address and keeps its other parameters", () => {
    expect(format.url).toBe("https://discord.com/api/v10/webhooks/1/x?thread_id=5&wait=true");
  });

  it.each<[FeedEvent, string]>([
    [fromGame("Steve", "§chello §lthere"), "\\<Steve\\> hello there"],
    [fromWeb("hello"), "\\[Web\\] hello"],
    [fromWeb("hello", at, { player: steve }), "\\[Web\\: Steve\\] hello"],
    [fromWeb("§#ff0000red §§x"), "\\[Web\\] ff0000red x"],
    [{ event: "join", at, player: alex }, "Al\\_ex\\* joined the game"],
    [{ event: "leave", at, player: steve }, "Steve left the game"],
    [{ event: "death", at, player: steve }, "Steve died"],
    [{ event: "death", at, player: steve, killer: alex }, "Steve was killed by Al\\_ex\\*"],
    [{ event: "server", at, state: "online" }, "The game server is online"],
    [{ event: "server", at, state: "away" }, "The game server is offline"],
    [{ event: "server", at, server: "web", state: "away" }, "\\[web\\] The game server is offline"],
    [{ event: "join", at, server: "sky-1", player: steve }, "\\[sky\\-1\\] Steve joined the game"],
    [{ ...fromWeb("hello"), server: "lobby" }, "\\[lobby\\] \\[Web\\] hello"],
    [{ ...fromGame("Steve", "hi"), server: "lobby" }, "\\[lobby\\] \\<Steve\\> hi"],
  ])("describes each event: %#", (event, expected) => expect(contentOf(event)).toBe(expected));

  it.each([
    "@everyone @here <@1> <@!1> <@&2> <#3>",
    "**bold** _it_ __un__ ~~st~~ ||spoiler|| `code` ```block```",
    "# heading",
    "> quote >>> quotes",
    "- item * item + item 1. item",
    "-# small",
    "[text](https://evil.example) https://evil.example <https://evil.example>",
    "discord.gg/abc discord.com/invite/abc",
    "<:emoji:123> :smile: <t:0:R> </command:1> <id:home>",
    "\\*escaped\\* \\\\",
  ])("shows players' Markdown literally: %s", text => {
    const content = contentOf(fromWeb(text));
    expect(unescaped(content)).toBe(`[Web] ${text}`);
    const bare = content.replace(/\\[^0-9A-Za-z\s]/g, "");
    expect(bare).not.toMatch(/[\\*_~`|<>#[\]():@/.]|^\s*[-+]/);
  });

  it("mentions no one and embeds nothing, for any text", () => {
    expect(next([fromWeb("@everyone https://a.example")])).toMatchObject({
      allowed_mentions: { parse: [] },
      flags: 4,
    });
  });

  it("removes invisible characters, and keeps each message on one line", () => {
    expect(contentOf(fromWeb("a\u200b\u202e\nb\u2028c\u0007d\ufe0f"))).toBe("\\[Web\\] abcd");
    expect(contentOf(fromGame("Steve", "a\n[Web] b"))).toBe("\\<Steve\\> a\\[Web\\] b");
  });

  it("combines the lines of one second into one message, in order", () => {
    const events = [fromWeb("a"), fromWeb("b", at + 999), fromWeb("c", at + 1000)];
    expect(next(events)).toMatchObject({ content: "\\[Web\\] a\n\\[Web\\] b", count: 2 });
  });

  it("combines all waiting lines into one message after a failure", () => {
    expect(next([fromWeb("a"), fromWeb("b", at + 60_000)], true).count).toBe(2);
  });

  it("has at most 2000 characters including the note on omitted lines, and is never empty", () => {
    const event = fc
      .record({ isWeb: fc.boolean(), text: fc.string({ unit: "grapheme", maxLength: 2500 }) })
      .map(({ isWeb, text }) => (isWeb ? fromWeb(text) : fromGame("Steve", text)));
    const bisection = fc.record({
      max: fc.integer({ min: 1, max: 40 }),
      without: fc.constantFrom("web" as const, "all" as const),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 40 }), bisection, (events, { max, without }) => {
        const all = entries(...events).slice(0, without === "all" ? 1 : undefined);
        const { body, count } = format.next(all, true, at, { max, without, left: 40 });
        const { content }: { content: string } = JSON.parse(body);
        expect(count).toBeGreaterThan(0);
        expect(content).not.toBe("");
        expect(content.length).toBeLessThanOrEqual(2000);
      }),
    );
  });

  describe("of lines waiting after a failure", () => {
    const stars = (count: number): FeedEvent[] =>
      Array.from({ length: count }, () => fromWeb("*".repeat(256)));
    const linesOf = ({ content }: { content: string }): string[] =>
      content.split("\n").map(line => (line.includes("\\*") ? "stars" : unescaped(line)));

    it("summarises one line, and none older than a posted one", () => {
      const expected = ["stars", "stars", "stars"];
      const message = next([...stars(4), fromWeb("short")], true);
      expect(linesOf(message)).toEqual([...expected, "and 2 more messages from the website"]);
      expect(linesOf(next(stars(4), true))).toEqual([...expected, "and 1 more message from the website"]);
    });

    it("moves game lines that do not fit to the next message, and omits none", () => {
      const long = (name: string): FeedEvent => fromGame(name, "x".repeat(900));
      let rest = entries(...[long("a"), long("b"), ...stars(3), long("c"), ...stars(300), long("d")]);
      const names: string[] = [];
      let more = 0;
      for (let messages = 0; rest.length > 0 && messages < 9; messages++) {
        const message = format.next(rest, true, at);
        const { content }: { content: string } = JSON.parse(message.body);
        expect(content.length).toBeLessThanOrEqual(2000);
        names.push(...[...content.matchAll(/<(\w)\\>/g)].map(([, name = ""]) => name));
        more += Number(/and (\d+) more messages?/.exec(content)?.[1] ?? 0) + content.split("Web").length - 1;
        rest = rest.slice(message.count);
      }
      expect([names.join(""), more]).toEqual(["abcd", 303]);
    });

    it("is delivered at least once, in order and within the size limit", () => {
      const event = fc
        .record({ isWeb: fc.boolean(), text: fc.string({ unit: "grapheme", maxLength: 2500 }) })
        .map(({ isWeb, text }) => (isWeb ? fromWeb(`w${text}`) : fromGame("Steve", text)));
      fc.assert(
        fc.property(fc.array(event, { minLength: 1, maxLength: 40 }), events => {
          const { content, count } = next(events, true);
          expect(content.length).toBeLessThanOrEqual(2000);
          expect(content).not.toMatch(/\p{Cs}/u);
          const lines = content.split("\n");
          const more = Number(
            /^and (\d+) more messages? from the website$/.exec(lines.at(-1) ?? "")?.[1] ?? 0,
          );
          expect(lines.length - (more > 0 ? 1 : 0) + more).toBe(count);
          const taken = events.slice(0, count);
          const visible = lines.slice(0, more > 0 ? -1 : undefined);
          const inOrder = (all: FeedEvent[]): string[] => all.map(each => next([each]).content);
          const isOfGame = (each: FeedEvent): boolean => each.event === "chat" && each.from === "game";
          const game = visible.filter(line => line.startsWith("\\<"));
          expect(game).toEqual(inOrder(taken.filter(isOfGame)));
          const web = visible.filter(line => line.startsWith("\\[Web"));
          expect(web).toEqual(inOrder(taken.filter(each => !isOfGame(each))).slice(0, web.length));
        }),
      );
    });
  });

  it("waits until the second of its first line is over, and no longer", () => {
    const [first] = entries(fromWeb("a"));
    if (first === undefined) throw new Error("there is no entry");
    expect([0, 400, 1000, 5000, -3_600_000].map(ms => format.waitMs(first, at + ms))).toEqual([
      1000, 600, 0, 0, 1000,
    ]);
  });

  it("has at most 2000 characters, and a longer line is truncated", () => {
    const long = next([fromWeb("*".repeat(1500)), fromWeb("b")]);
    expect([long.content.length, long.count]).toEqual([1999, 1]);
    expect(long.content.replaceAll("\\*", "")).toBe("\\[Web\\] …");
    const many = next(Array.from({ length: 100 }, () => fromWeb("x".repeat(91))));
    expect([many.content.length, many.count]).toEqual([1999, 20]);
  });
});
