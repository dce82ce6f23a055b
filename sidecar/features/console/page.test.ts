import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { serving } from "../../../test/helpers/serving.ts";
import { createPage } from "./page.ts";

const PREVIEW = "assets/preview.png";
const ICONS = ["assets/icon.0a1b2c3d.svg", "assets/icon.png"] as const;
const webFiles = [
  {
    path: "index.html",
    content: Buffer.from(
      `<!doctype html><head>\n<title>Game server</title>\n<link rel="icon" type="image/svg+xml" href="${ICONS[0]}">\n</head><body>`,
    ),
  },
  ...[PREVIEW, ...ICONS, "favicon.ico"].map(path => ({ path, content: Buffer.from(path) })),
];
const HOSTILE = `</title><script>alert(1)</script>"'><img onerror=x> $& $1 &amp;`;

const side = serving();
const start = (yaml = "", players?: string[]): Promise<void> => side.start({ webFiles, yaml }, players);
const ask = (path = "", headers: Record<string, string> = {}, method = "GET") =>
  side.ask(`/${path}`, { headers, method });
const page = async (headers = {}): Promise<string> => (await ask("", headers)).text;

const DECODED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const decoded = (text = ""): string => text.replace(/&([^;]+);/g, (_, name) => DECODED[name] ?? "?");

/** What link previews read: the title, and the contents of tags by name. */
function read(html: string): Record<string, string> {
  const tags = [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)];
  const links = [...html.matchAll(/<link rel="([^"]+)"[^>]* href="([^"]*)">/g)];
  return {
    title: decoded(/<title>([^<]*)<\/title>/.exec(html)?.[1]),
    ...Object.fromEntries([...tags, ...links].map(([, name, value]) => [name, decoded(value)])),
  };
}

describe("the page of the console, as it is served", () => {
  it("has the owner's title, and says that no game server is online", async () => {
    await start('modules: {web: {title: "Oak & Stone"}}');
    expect(read(await page())).toEqual({
      title: "Oak & Stone: offline",
      description: "The game server is offline.",
      "theme-color": "#38682f",
      "og:type": "website",
      "og:title": "Oak & Stone: offline",
      "og:description": "The game server is offline.",
      "og:image": `${side.base}/${PREVIEW}`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": "A bridge over a river",
      "twitter:card": "summary_large_image",
      icon: ICONS[0],
      "apple-touch-icon": ICONS[1],
      manifest: "manifest.webmanifest",
    });
  });

  it.each([
    [[], "", "0 players online", "0 players are online."],
    [["Steve"], "", "1 player online", "1 player is online."],
    [["Steve", "Alex"], "", "2 players online", "2 players are online."],
    [["Steve"], "max-players: 20", "1 of 20 players online", "1 of 20 players is online."],
    [
      ["Steve", "Alex"],
      'max-players: 20, address: "play.example.com"',
      "2 of 20 players online",
      "2 of 20 players are online. Join with play.example.com",
    ],
  ])("describes %j online with {%s}", async (players, info, title, description) => {
    await start(`server: {info: {${info}}}`, players);
    const tags = read(await page());
    expect([tags.title, tags["og:title"]]).toEqual(Array(2).fill(`Game server: ${title}`));
    expect([tags.description, tags["og:description"]]).toEqual(Array(2).fill(description));
  });

  it("changes when a player joins and when the server goes offline, and responds 304 until then", async () => {
    await start("", ["Steve"]);
    const first = await ask();
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const known = { "If-None-Match": first.headers.get("etag") ?? "" };
    side.clock.advance(5_000);
    await side.online("Steve");
    const same = await ask("", known);
    const policy = "content-security-policy";
    expect([same.status, same.headers.get(policy)]).toEqual([304, first.headers.get(policy)]);
    await side.online("Steve", "Alex");
    expect((await ask("", known)).status).toBe(200);
    expect(read(await page()).title).toBe("Game server: 2 players online");
    side.clock.advance(60_000);
    expect(read(await page()).title).toBe("Game server: offline");
  });

  it("is well-formed for any title", async () => {
    await start(JSON.stringify({ "modules.web.title": HOSTILE }));
    const html = await page();
    expect(read(html)).toMatchObject({ title: `${HOSTILE}: offline`, "og:title": `${HOSTILE}: offline` });
    expect(html).not.toMatch(/<(script|img)/);
  });

  it("may run the scripts inside the built page, and none in a setting", async () => {
    const code = "first();\nsecond()";
    const html = `<head>\n<script>${code}</script>\n<title>x</title>\n</head><body>`;
    await side.start({
      webFiles: [{ path: "index.html", content: Buffer.from(html) }],
      yaml: JSON.stringify({ "modules.web.title": HOSTILE }),
    });
    const hash = createHash("sha256").update(code).digest("base64");
    const { headers } = await ask();
    expect(headers.get("content-security-policy")).toContain(`; script-src 'self' 'sha256-${hash}'; `);
  });

  it("names its picture by the public address of a trusted proxy, with its path", async () => {
    const proxied = {
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "play.example:8443",
      "X-Forwarded-Prefix": "/bridge",
    };
    await start("modules: {api: {trust-proxy: loopback}}");
    expect(read(await page(proxied))).toMatchObject({
      "og:image": `https://play.example:8443/bridge/${PREVIEW}`,
      icon: ICONS[0],
    });
    for (const odd of ['/"><script>', "//evil.example", "/a b", "bridge"])
      expect(read(await page({ ...proxied, "X-Forwarded-Prefix": odd }))["og:image"]).toBe(
        `https://play.example:8443/${PREVIEW}`,
      );
    await start();
    expect(read(await page(proxied))["og:image"]).toBe(`${side.base}/${PREVIEW}`);
  });

  it("names its picture relative to the page if the host name is invalid", async () => {
    await side.start({ webFiles, env: { WEB_BRIDGE_MODULES_API_HOST: "0.0.0.0" } });
    const html = await side.wire('GET / HTTP/1.1\r\nHost: x"><script>\r\nConnection: close\r\n\r\n').ended();
    expect(html).not.toContain("<script");
    expect(read(html)["og:image"]).toBe(PREVIEW);
  });
});

describe("a customised page", () => {
  it("has their colour, their logo as its icon, and their own manifest", async () => {
    const folder = mkdtempSync(join(tmpdir(), "page-"));
    const logo = join(folder, "logo.svg");
    const drawn = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    writeFileSync(logo, drawn);
    await start(
      `modules: {web: {title: '"Oak" </script>', accent: "#8A2be2", logo: ${JSON.stringify(logo)}}}`,
    );
    rmSync(folder, { recursive: true });
    const tags = read(await page());
    expect(tags).toMatchObject({ "theme-color": "#8A2be2" });
    expect(tags.icon).toMatch(/^assets\/logo\.[0-9a-f]{8}\.svg$/);
    // Home screens do not support SVG, and would show the product's icon instead of the owner's.
    expect(tags).not.toHaveProperty("apple-touch-icon");
    const manifest = await ask("manifest.webmanifest");
    expect(manifest.headers.get("content-type")).toBe("application/manifest+json; charset=utf-8");
    expect(manifest.json).toEqual({
      name: '"Oak" </script>',
      start_url: ".",
      scope: ".",
      display: "standalone",
      background_color: "#f1eee6",
      theme_color: "#8A2be2",
      icons: [{ src: tags.icon, type: "image/svg+xml", sizes: "any" }],
    });
    const favicon = await ask("favicon.ico");
    expect([favicon.headers.get("content-type"), favicon.text]).toEqual(["image/svg+xml", drawn]);
    expect(favicon.headers.get("content-security-policy")).toContain("sandbox");
  });

  it("is missing with all its files when the web console is turned off", async () => {
    await start("modules: {web: {enabled: false}}");
    for (const path of ["", "manifest.webmanifest", "favicon.ico", PREVIEW])
      expect((await ask(path)).status).toBe(404);
  });
});

describe("the HTML of a page", () => {
  const nothing = { accent: "", joinAddress: "", logo: undefined, icon: undefined };
  const owner = { ...nothing, title: "Oak", maxPlayers: 20 };
  const pages = (title = "Oak") => createPage("<title>x</title>", { ...owner, title }, () => ({}));
  const one = "https://one.example/";

  it("is cached for the first addresses only: clients can make up more", () => {
    const pageOf = pages();
    const first = pageOf(3, one);
    const many = () => Array.from({ length: 20 }, (_, i) => pageOf(3, `https://${i}.example/`));
    const [before, after] = [many(), many()];
    expect(before.map((page, i) => page === after[i])).toEqual(Array.from({ length: 20 }, (_, i) => i < 15));
    expect(after).toEqual(before);
    expect(pageOf(3, one)).toBe(first);
  });

  it("has the same tags for any title", () => {
    const tags = (title: string) =>
      `${pages(title)(1, one).body}`.replace(/(?<=<title>|content=")[^<>"]*/g, "");
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 64 }), title => {
        expect(tags(title)).toBe(tags("Oak"));
      }),
    );
  });

  it("has the game server in its address, and preloads the data of that one", async () => {
    const ahead = (path: string): string =>
      `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${path}">`;
    const html = `<head><title>Game server</title></head>${["console.json", "status", "players"].map(ahead).join("")}`;
    await side.start({
      webFiles: [{ path: "index.html", content: Buffer.from(html) }],
      yaml: 'servers: [{name: lobby, title: "The <lobby>", token: token-of-the-lobby-0123, info: {max-players: 7}}]',
    });
    const of = async (query: string): Promise<unknown> => {
      const { text } = await ask(query);
      const paths = [...text.matchAll(/as="fetch"[^>]* href="([^"]*)"/g)].map(([, path]) => path);
      return [read(text).title, ...paths];
    };
    const first = ["Game server: offline", "console.json", "status", "players"];
    const lobby = ["status", "players"].map(path => `servers/lobby/${path}`);
    expect(await of("?server=lobby")).toEqual([
      "The <lobby> – Game server: offline",
      "console.json",
      ...lobby,
    ]);
    for (const query of ["", "?server=main", "?server=nether", "?server=", "?server=..%2f"])
      expect([query, await of(query)]).toEqual([query, first]);
  });
});
