import { beforeEach, describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { SESSION, serving } from "../../../test/helpers/serving.ts";
import { StorageAway, StorageFull } from "../storage/ports.ts";

const SITE = "https://site.example";
const side = serving();
beforeEach(() => side.api(`cors-origins: ["${SITE}"]`));

describe("the router", () => {
  it("returns 404 for unknown paths, and for those of the web console if there is none", async () => {
    const unknown = "/nothing /Status /status/ /bridge/hello /bridge/poll /metrics /%zz //status";
    for (const path of `${unknown} / /index.html /assets/`.split(" "))
      expect([path, ...(await side.said(path))]).toEqual([path, 404, errorBody("not_found")]);
  });

  it.each(["/healthz", "/initialize", "/events?format=json"])(
    "returns %s completely, without an ETag, for any If-None-Match",
    async path => {
      const answer = await side.ask(path, { headers: { "If-None-Match": "*" } });
      expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/./)]);
    },
  );

  it.each([
    ["has no room", new StorageFull("no room")],
    ["is away", new StorageAway("nothing answers there")],
  ])("returns 503 with Retry-After for requests that need a storage that %s", async (_what, fault) => {
    await side.start({ store: { ...createMemoryStore(), change: () => Promise.reject(fault) } });
    const { status, json, headers } = await side.ask("/unlink-player", { method: "POST", headers: SESSION });
    expect([status, json, headers.get("retry-after")]).toEqual([503, errorBody("server_unavailable"), "5"]);
  });

  it("has the version of the contract in the OpenAPI document, and the running version in both documents", async () => {
    const info = { "x-product-version": PRODUCT_VERSION };
    expect((await side.ask("/openapi.json")).json).toMatchObject({
      openapi: "3.1.0",
      info: { ...info, version: "0.1.0-SNAPSHOT" },
    });
    expect((await side.ask("/asyncapi.json")).json).toMatchObject({ asyncapi: "3.0.0", info });
  });

  it("returns 429 with Retry-After to an address over its rate, readable by a page, except for prepared responses", async () => {
    await side.api(`cors-origins: ["${SITE}"], limits: {requests-per-minute: 3}`, []);
    const ask = () => side.ask("/initialize", { headers: { Origin: SITE } });
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(200);
    const { status, json, headers } = await ask();
    expect([status, json, headers.get("retry-after")]).toEqual([429, errorBody("rate_limited"), "20"]);
    expect(headers.get("access-control-allow-origin")).toBe(SITE);
    expect(headers.get("access-control-expose-headers")).toContain("Retry-After");
    for (let i = 0; i < 10; i++) expect((await side.ask("/status")).status).toBe(200);
    side.clock.advance(20_000);
    expect((await ask()).status).toBe(200);
  });
});

describe("the origin gate", () => {
  it.each([
    "https://evil.example",
    "https://site.example.evil.example",
    "http://site.example",
    "https://site.example:444",
    "https://site.example.",
    "https://site.example/",
    "https://user@site.example",
    "null",
    "",
  ])("rejects %j without an effect", async origin => {
    const answer = await side.ask("/initialize", { headers: { Origin: origin } });
    expect([answer.status, answer.json]).toEqual([403, errorBody("origin_not_allowed")]);
    for (const header of ["set-cookie", "access-control-allow-origin"])
      expect(answer.headers.get(header)).toBeNull();
  });

  it.each([
    ["", "/initialize", 200],
    [", which may read errors too", "/linked-player", 401],
  ])("allows a listed origin with credentials%s", async (_what, path, status) => {
    const answer = await side.ask(path, { headers: { Origin: SITE } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe(SITE);
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
    expect(answer.headers.get("vary")).toMatch(/\bOrigin\b/);
  });

  it("lets a page of a listed origin read Allow", async () => {
    const { status, headers } = await side.ask("/status", { method: "POST", headers: { Origin: SITE } });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(headers.get("access-control-expose-headers")?.split(",")).toContain("Allow");
  });

  it("compares a listed origin as the URL standard writes it", async () => {
    for (const Origin of ["https://SITE.example", "HTTPS://site.example:443"]) {
      const answer = await side.ask("/initialize", { headers: { Origin } });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, Origin]);
    }
  });

  it.each(["capacitor://localhost", "tauri://localhost"])("accepts %s if it is listed", async app => {
    const status = async () => side.ask("/healthz", { headers: { Origin: app } });
    expect((await status()).status).toBe(403);
    await side.api(`cors-origins: ["${app}"]`);
    const answer = await status();
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, app]);
  });

  it("answers the preflight of a listed origin and rejects another's", async () => {
    // Of tracing by Sentry, Elastic and Datadog, and of pages that bypass caches.
    const HEADERS =
      "baggage,cache-control,content-type,elastic-apm-traceparent,sentry-trace,x-datadog-trace-id,x-service-api-key";
    const preflight = (origin: string) =>
      side.ask("/whitelist", {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": HEADERS,
        },
      });
    const { status, headers } = await preflight(SITE);
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe(SITE);
    expect(headers.get("access-control-allow-credentials")).toBe("true");
    expect(headers.get("access-control-allow-methods")).toMatch(/POST/);
    expect(headers.get("access-control-allow-headers")?.endsWith(`,${HEADERS}`)).toBe(true);
    expect((await preflight("https://evil.example")).status).toBe(403);
  });
});

describe("incomplete requests", () => {
  it.each(["GARBAGE\r\n\r\n", "GET /status HTTP/9.9\r\n\r\n", "GET /status HTTP/1.1\r\nHost x\r\n\r\n"])(
    "get 400 and a closed connection: %j",
    async text => {
      expect(await side.wire(text).ended()).toMatch(/^HTTP\/1\.1 400 /);
    },
  );
});
