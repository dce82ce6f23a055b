import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readWebFiles } from "../sidecar/features/console/web-files.ts";
import { checkedFetch } from "../test/helpers/client.ts";
import { needs } from "../test/helpers/needs.ts";
import { startTestSidecar, type TestSidecar, testConfig } from "../test/helpers/sidecar.ts";
import { webFiles } from "./testing/stage.ts";
import { contrast, legible } from "./ui/contrast.ts";

const PAGE = [
  { path: "index.html", content: Buffer.from("<!doctype html><title>x</title>") },
  { path: "assets/console.0a1b2c3d.js", content: Buffer.from("export {};".repeat(150)) },
];
const CLIENT = { path: "client.js", content: Buffer.from("export const x = 1;") };
let side: TestSidecar;
afterEach(() => side?.stop());

describe("the routes of the web console", () => {
  it("serve the page at / with a strict content policy; only listed origins may frame it", async () => {
    side = await startTestSidecar({ webFiles: PAGE });
    const { headers, status } = await checkedFetch(`${side.base}/`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("cache-control")).toBe("no-cache");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain(`connect-src 'self' ${side.base.replace("http", "ws")};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    await side.stop();
    const env = { WEB_BRIDGE_MODULES_WEB_FRAME_ORIGINS: "https://www.example.com,http://127.0.0.1:8090" };
    side = await startTestSidecar({ webFiles: PAGE, env });
    const framed = (await checkedFetch(`${side.base}/`)).headers.get("content-security-policy") ?? "";
    expect(framed).toContain("; frame-ancestors https://www.example.com http://127.0.0.1:8090; ");
    expect(framed).not.toContain("frame-ancestors 'none'");
    for (const origin of ["*", "https://*.example.com", "https://example.com/page", "data:", "self"])
      expect(() => testConfig({ env: { WEB_BRIDGE_MODULES_WEB_FRAME_ORIGINS: origin } })).toThrow(
        "modules.web.frame-origins",
      );
  });

  it("serve immutable assets, compressed where the client accepts it, and 304 for cached ones", async () => {
    side = await startTestSidecar({ webFiles: PAGE });
    const url = `${side.base}/${PAGE[1]?.path}`;
    const packed = await checkedFetch(url, { headers: { "Accept-Encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(packed.headers.get("vary")).toContain("Accept-Encoding");
    expect(await packed.text()).toBe(PAGE[1]?.content.toString());
    const plain = await checkedFetch(url, { headers: { "Accept-Encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const known = { "If-None-Match": packed.headers.get("etag") ?? "", "Accept-Encoding": "gzip" };
    expect((await checkedFetch(url, { headers: known })).status).toBe(304);
    expect((await checkedFetch(url, { method: "POST" })).status).toBe(405);
  });

  it("return the title and the limits, and no secret", async () => {
    side = await startTestSidecar({ webFiles: PAGE, env: { WEB_BRIDGE_MODULES_WEB_TITLE: "Oak & Stone" } });
    expect(await (await checkedFetch(`${side.base}/console.json`)).json()).toEqual({
      title: "Oak & Stone",
      refreshMs: 5_000,
      heartbeatMs: 20_000,
      verificationMs: 120_000,
      messageLength: 512,
      messagesPerSecond: 2,
      messagesBurst: 20,
      webChat: "everybody",
      gameChat: null,
      whitelistNames: "java",
      knownPlayers: "key",
      whitelist: true,
      moderation: false,
      moderators: false,
    });
  });

  it.each([
    ["everybody", ["players:read"], 86_400_000],
    ["key", ["players:read"], 86_400_000],
    ["key", ["whitelist:read"], undefined],
    ["off", ["players:read"], undefined],
  ])("return with %s and a key for %j how long visits are stored", async (show, scopes, staysForMs) => {
    const keys = JSON.stringify([{ name: "reader", sha256: "a".repeat(64), scopes }]);
    const yaml = `modules: {api: {admin-keys: ${keys}, known-players: {show: ${show}, stays-for: 1d}}}`;
    side = await startTestSidecar({ webFiles: PAGE, yaml });
    const settings = await (await checkedFetch(`${side.base}/console.json`)).json();
    expect(settings).toMatchObject({ knownPlayers: show });
    expect((settings as { staysForMs?: number }).staysForMs).toBe(staysForMs);
  });

  it("serve the client to pages of listed origins, even when the web console is off", async () => {
    const SITE = "https://site.example";
    const env = { WEB_BRIDGE_MODULES_WEB_ENABLED: "false", WEB_BRIDGE_MODULES_API_CORS_ORIGINS: SITE };
    side = await startTestSidecar({ webFiles: [...PAGE, CLIENT], env });
    const answer = await checkedFetch(`${side.base}/client.js`, { headers: { Origin: SITE } });
    expect([answer.status, await answer.text()]).toEqual([200, "export const x = 1;"]);
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("access-control-allow-origin")).toBe(SITE);
  });

  it("return 404 when the web console is off or was not built", async () => {
    side = await startTestSidecar({ webFiles: PAGE, env: { WEB_BRIDGE_MODULES_WEB_ENABLED: "false" } });
    for (const path of ["/", `/${PAGE[1]?.path}`])
      expect((await checkedFetch(side.base + path)).status).toBe(404);
    await side.stop();
    side = await startTestSidecar();
    expect((await checkedFetch(`${side.base}/`)).status).toBe(404);
    expect(readWebFiles("file:///nowhere/at/all/main.js")).toEqual([]);
  });
});

/** Files with fixed names, which browsers revalidate each time. */
const BY_NAME = [
  ...["index.html", "favicon.ico"],
  ...["icon.png", "preview.png", "docs.js", "docs.css"].map(name => `assets/${name}`),
];

// `npm test` builds first; a single test may run without a build.
needs("npm run build", webFiles.length !== 0).describe("the built web console", () => {
  const isOfSignIn = (path: string): boolean => /^(assets\/)?sign-in\./.test(path);
  const ofConsole = webFiles.filter(({ path }) => path !== "client.js" && !isOfSignIn(path));
  const zipped = (files: typeof webFiles) =>
    files.map(({ path, content }) => ({ path, bytes: gzipSync(content).length }));

  it("has a sign-in page of at most 30 KB", () => {
    const own = zipped(webFiles.filter(({ path }) => isOfSignIn(path)));
    expect(own.map(({ path }) => path.replace(/\.[0-9a-f]{8}/, "")).sort()).toEqual([
      "assets/sign-in.css",
      "assets/sign-in.js",
      "sign-in.html",
    ]);
    expect(own.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(30 * 1024);
  });

  it("has at most 85 KB compressed, and 95 KB with another language than English", () => {
    const sizes = zipped(ofConsole);
    const [others, page] = [true, false].map(isJson =>
      sizes.filter(({ path }) => path.endsWith(".json") === isJson).map(({ bytes }) => bytes),
    );
    const total = (page ?? []).reduce((sum, bytes) => sum + bytes, 0);
    expect(others).toHaveLength(9);
    expect(total).toBeLessThanOrEqual(85 * 1024);
    expect(total + Math.max(...(others ?? []))).toBeLessThanOrEqual(95 * 1024);
  });

  it("loads at most 60 KB before it shows anything", () => {
    const page = webFiles.find(({ path }) => path === "index.html")?.content.toString() ?? "";
    const first = zipped(ofConsole).filter(
      ({ path }) =>
        path === "index.html" ||
        page.includes(`src="${path}"`) ||
        page.includes(`stylesheet" href="${path}"`),
    );
    expect(first).toHaveLength(3);
    expect(first.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(60 * 1024);
  });

  it("includes the client of the package", () => {
    const served = webFiles.find(({ path }) => path === "client.js")?.content;
    expect(served).toEqual(readFileSync(new URL("../dist/client/index.js", import.meta.url)));
  });

  it("has hashed names, one inline script, and no inline style", () => {
    const page = webFiles.find(({ path }) => path === "index.html")?.content.toString() ?? "";
    for (const { path } of ofConsole)
      if (!BY_NAME.includes(path)) expect(path).toMatch(/^assets\/\w+\.[0-9a-f]{8}\.(js|css|json|svg)$/);
    const [before = "", after = "", ...more] = page.split(/<script>.*<\/script>/);
    expect(more).toEqual([]);
    expect(before + after).not.toMatch(
      /<style|style=|<script(?! type="module" src="assets\/)|\{\w+\}|https?:|"\//,
    );
  });
});

describe("the colours of the chat", () => {
  it("are legible on both backgrounds, for every colour of the game", () => {
    const colour = fc.integer({ min: 0, max: 0xffffff }).map(n => `#${n.toString(16).padStart(6, "0")}`);
    for (const background of ["#fbfaf6", "#1b1e19"])
      fc.assert(
        fc.property(colour, one => {
          expect(contrast(legible(one, background), background)).toBeGreaterThanOrEqual(4.5);
        }),
      );
  });

  it("are computed for the backgrounds in the style sheet", () => {
    const style = readFileSync(new URL("./ui/common.css", import.meta.url), "utf8");
    const panels = [...style.matchAll(/--panel: (#\w{6})/g)].map(([, colour]) => colour);
    const source = readFileSync(new URL("./chat/chat-panel.tsx", import.meta.url), "utf8");
    expect([...source.matchAll(/const (?:LIGHT|DARK) = "(#\w{6})"/g)].map(([, colour]) => colour)).toEqual(
      panels,
    );
  });
});
