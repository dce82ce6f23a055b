import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createBadge } from "../../sidecar/http/badge.ts";
import { serving } from "../helpers/serving.ts";

const side = serving();
const ask = (query = "", headers = {}, method = "GET") => side.ask(`/badge.svg${query}`, { headers, method });
/** What is read to those who do not see it, and what is seen. */
async function read(query = ""): Promise<string[]> {
  const { text: svg } = await ask(query);
  const named = /^<svg [^>]*aria-label="([^"]*)"><title>([^<]*)<\/title>/.exec(svg) ?? [];
  expect(named[1]).toBe(named[2]);
  return [named[1] ?? "", ...[...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? "")];
}

describe("the badge", () => {
  it.each([
    [undefined, "", "offline"],
    [[], "", "0 online"],
    [["Steve"], "", "1 online"],
    [["Steve", "Alex"], "server: {info: {max-players: 20}}", "2/20 online"],
  ])("tells of %j", async (players, yaml, state) => {
    await side.start(yaml, players);
    expect(await read()).toEqual([`Game server: ${state}`, "Game server", state]);
  });

  it("has the owner's title on it, or the words that are asked for: 40 characters, however many bytes those are", async () => {
    await side.start(`modules: {web: {title: 'Oak & "Stone" </text><script>'}}`);
    const title = "Oak &amp; &quot;Stone&quot; &lt;/text&gt;&lt;script&gt;";
    expect(await read()).toEqual([`${title}: offline`, title, "offline"]);
    const trees = "🌳".repeat(40);
    for (const [query, label] of [
      ["%3Cb%3E%20%26amp;&x=1", "&lt;b&gt; &amp;amp;"],
      [encodeURIComponent(" 木と石 🌳 "), "木と石 🌳"],
      ["now%20playing&v=2", "now playing"],
      [encodeURIComponent(trees), trees],
    ])
      expect((await read(`?label=${query}`))[1]).toBe(label);
    expect((await ask(`?label=${encodeURIComponent(`${trees}.`)}`)).status).toBe(400);
  });

  it.each(["label=", "label=%20", "label=a&label=b", "label=a%00b", "label=a%0Ab", "label=%EF%BF%BF"])(
    "refuses ?%s",
    async query => {
      await side.start();
      expect(await ask(`?${query}`)).toMatchObject({ status: 400, json: { error: "invalid_query" } });
    },
  );

  it("may be shown by any page, loads nothing and runs nothing", async () => {
    await side.start();
    const { headers, status, text: svg } = await ask();
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(svg).not.toMatch(
      /<script|<style|<image|<use|href|url\((?!#)|@|on\w+=|https?:(?!\/\/www\.w3\.org)/,
    );
    expect(Buffer.byteLength(svg)).toBeLessThan(1_024);
  });

  it("may be kept as long as the status, and is known again until something changes", async () => {
    await side.api("metrics-refresh-interval: 7s", ["Steve"]);
    const first = await ask();
    expect(first.headers.get("cache-control")).toBe("public, max-age=7");
    const known = { "If-None-Match": first.headers.get("etag") ?? "" };
    await side.online("Steve");
    expect((await ask("", known)).status).toBe(304);
    const head = await ask("", {}, "HEAD");
    expect(head.headers.get("content-length")).toBe(`${Buffer.byteLength((await ask()).text)}`);
    await side.online("Steve", "Alex");
    expect((await ask("", known)).status).toBe(200);
    side.clock.advance(60_000);
    expect((await read())[2]).toBe("offline");
  });

  it("is there where the console is turned off: it is for other sites", async () => {
    await side.start("modules: {web: {enabled: false}}");
    expect((await read())[2]).toBe("offline");
  });
});

describe("what a badge is made of", () => {
  const badges = () => createBadge({ title: "Oak", maxPlayers: 0, holdMs: 5_000 });

  it("is made once for each state and label", () => {
    const badgeOf = badges();
    const [plain, other] = [badgeOf(3, undefined), badgeOf(3, "other")];
    expect([badgeOf(3, undefined), badgeOf(3, "other")]).toEqual([plain, other]);
    expect(badgeOf(3, undefined)).toBe(plain);
    expect(badgeOf(4, undefined)).not.toBe(plain);
  });

  it("is markup of the same shape whatever the label, and as wide as its parts", () => {
    const shape = (label: string) =>
      `${badges()(1, label).body}`.replace(/(?<=aria-label=")[^"<]*|(?<=>)[^<]+/g, "").replace(/[\d.]+/g, "");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), label => {
        expect(shape(label)).toBe(shape("label"));
        const svg = `${badges()(1, label).body}`;
        const [width = 0, left = 0, right = 0] = [/width="(\d+)"/, /M0 0h(\d+)/, /M(?!0 )\d+ 0h(\d+)/].map(
          one => Number(one.exec(svg)?.[1]),
        );
        expect(left + right).toBe(width);
      }),
    );
  });
});
