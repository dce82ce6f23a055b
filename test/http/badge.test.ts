import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createBadge } from "../../sidecar/http/badge.ts";
import { checkedFetch } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let side: TestSidecar;
afterEach(() => side?.stop());

async function start(yaml = ""): Promise<FakePack> {
  side = await startTestSidecar({ yaml });
  return new FakePack(side.bridge);
}
async function online(pack: FakePack, ...players: string[]): Promise<void> {
  if (pack.session === "") await pack.connect();
  await pack.snapshot(...players);
}
const ask = (query = "", init: RequestInit = {}): Promise<Response> =>
  checkedFetch(`${side.base}/badge.svg${query}`, init);
/** What is read to those who do not see it, and what is seen. */
async function read(query = ""): Promise<string[]> {
  const svg = await (await ask(query)).text();
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
    const pack = await start(yaml);
    if (players) await online(pack, ...players);
    expect(await read()).toEqual([`Game server: ${state}`, "Game server", state]);
  });

  it("has the owner's title on it, or the words that are asked for", async () => {
    await start(`modules: {web: {title: 'Oak & "Stone" </text><script>'}}`);
    const title = "Oak &amp; &quot;Stone&quot; &lt;/text&gt;&lt;script&gt;";
    expect(await read()).toEqual([`${title}: offline`, title, "offline"]);
    expect((await read("?label=%3Cb%3E%20%26amp;&x=1"))[1]).toBe("&lt;b&gt; &amp;amp;");
    expect((await read(`?label=${encodeURIComponent(" 木と石 🌳 ")}`))[1]).toBe("木と石 🌳");
    expect((await read("?label=now%20playing&v=2"))[1]).toBe("now playing");
  });

  it("takes 40 characters, however many bytes those are, and refuses more", async () => {
    await start();
    const trees = "🌳".repeat(40);
    expect((await read(`?label=${encodeURIComponent(trees)}`))[1]).toBe(trees);
    expect((await ask(`?label=${encodeURIComponent(`${trees}.`)}`)).status).toBe(400);
  });

  it.each(["label=", "label=%20", "label=a&label=b", "label=a%00b", "label=a%0Ab", "label=%EF%BF%BF"])(
    "refuses ?%s",
    async query => {
      await start();
      const answer = await ask(`?${query}`);
      expect([answer.status, await answer.json()]).toEqual([400, { error: "invalid_query" }]);
    },
  );

  it("may be shown by any page, loads nothing and runs nothing", async () => {
    await start();
    const { headers, status } = await ask();
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    const svg = await (await ask()).text();
    expect(svg).not.toMatch(
      /<script|<style|<image|<use|href|url\((?!#)|@|on\w+=|https?:(?!\/\/www\.w3\.org)/,
    );
    expect(Buffer.byteLength(svg)).toBeLessThan(1_024);
  });

  it("may be kept as long as the status, and is known again until something changes", async () => {
    const pack = await start("modules: {api: {metrics-refresh-interval: 7s}}");
    await online(pack, "Steve");
    const first = await ask();
    expect(first.headers.get("cache-control")).toBe("public, max-age=7");
    const known = { headers: { "If-None-Match": first.headers.get("etag") ?? "" } };
    await online(pack, "Steve");
    expect((await ask("", known)).status).toBe(304);
    const head = await ask("", { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(`${(await (await ask()).arrayBuffer()).byteLength}`);
    await online(pack, "Steve", "Alex");
    expect((await ask("", known)).status).toBe(200);
    side.clock.advance(60_000);
    expect((await read())[2]).toBe("offline");
  });

  it("is there where the console is turned off: it is for other sites", async () => {
    await start("modules: {web: {enabled: false}}");
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
