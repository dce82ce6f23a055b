import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { FeedEvent } from "../../client/types.ts";
import { encodeColours } from "../../sidecar/domain/colours.ts";
import type { FeedEntry } from "../../sidecar/domain/feed.ts";
import { discordFormat } from "../../sidecar/webhooks/discord.ts";

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
const shown = (event: FeedEvent): string => next([event]).content;
/** What Discord shows of a text in which a backslash stands before every mark. */
const unescaped = (content: string): string => content.replace(/\\([^0-9A-Za-z\s])/g, "$1");

describe("the Discord format", () => {
  it("asks Discord to say whether it keeps the message, besides what the address asks", () => {
    expect(format.url).toBe("https://discord.com/api/webhooks/1/x?thread_id=5&wait=true");
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
    [{ event: "server", at, state: "away" }, "The game server is away"],
  ])("words what happened: %#", (event, expected) => expect(shown(event)).toBe(expected));

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
  ])("has players' marks shown as they are: %s", text => {
    const content = shown(fromWeb(text));
    expect(unescaped(content)).toBe(`[Web] ${text}`);
    const bare = content.replace(/\\[^0-9A-Za-z\s]/g, "");
    expect(bare).not.toMatch(/[\\*_~`|<>#[\]():@/.]|^\s*[-+]/);
  });

  it("mentions nobody and unfolds nothing, whatever the text says", () => {
    expect(next([fromWeb("@everyone https://a.example")])).toMatchObject({
      allowed_mentions: { parse: [] },
      flags: 4,
    });
  });

  it("leaves out what is not seen, and keeps each line one line", () => {
    expect(shown(fromWeb("a\u200b\u202e\nb\u2028c\u0007d\ufe0f"))).toBe("\\[Web\\] abcd");
    expect(shown(fromGame("Steve", "a\n[Web] b"))).toBe("\\<Steve\\> a\\[Web\\] b");
  });

  it("puts the lines of one second into one message, in order", () => {
    const events = [fromWeb("a"), fromWeb("b", at + 999), fromWeb("c", at + 1000)];
    expect(next(events)).toMatchObject({ content: "\\[Web\\] a\n\\[Web\\] b", count: 2 });
  });

  it("puts all that waits into one message after one was not taken", () => {
    expect(next([fromWeb("a"), fromWeb("b", at + 60_000)], true).count).toBe(2);
  });

  it("waits until the second of the first line is over, and no longer than that", () => {
    const [first] = entries(fromWeb("a"));
    if (first === undefined) throw new Error("there is no entry");
    expect([0, 400, 1000, 5000, -3_600_000].map(ms => format.waitMs(first, at + ms))).toEqual([
      1000, 600, 0, 0, 1000,
    ]);
  });

  it("holds at most 2000 characters, and a longer line is cut", () => {
    const long = next([fromWeb("*".repeat(1500)), fromWeb("b")]);
    expect([long.content.length, long.count]).toEqual([1999, 1]);
    expect(long.content.replaceAll("\\*", "")).toBe("\\[Web\\] …");
    const many = next(Array.from({ length: 100 }, () => fromWeb("x".repeat(91))));
    expect([many.content.length, many.count]).toEqual([1999, 20]);
  });

  it("is never empty, never too long, and never splits a character", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 1500 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), texts => {
        const { content, count } = next(texts.map(each => fromWeb(each)));
        expect(content).not.toBe("");
        expect(content.length).toBeLessThanOrEqual(2000);
        expect(content.split("\n")).toHaveLength(count);
        expect(content).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});
