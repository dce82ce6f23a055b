import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { ask, newSession } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// Own connections: sends what is no HTTP; whole answers are checked by the other tests there.

const SITE = "https://site.example";
let bridge: TestSidecar;
beforeEach(async () => {
  bridge = await startTestSidecar({ env: { WEB_BRIDGE_MODULES_API_CORS_ORIGINS: SITE } });
});
afterEach(() => bridge.stop());

describe("the router", () => {
  it.each([
    "/nothing",
    "/Status",
    "/status/",
    "/bridge/hello",
    "/bridge/poll",
    "/metrics",
    "/%zz",
    "//status",
  ])("answers 404 to %s", async path => {
    const answer = await ask(bridge.base, path);
    expect([answer.status, answer.json]).toEqual([404, { error: "not_found" }]);
  });

  it("answers 404 to / and to what belongs to the console when there is none", async () => {
    for (const path of ["/", "/index.html", "/assets/"])
      expect((await ask(bridge.base, path)).json).toEqual({ error: "not_found" });
  });

  it.each([
    ["POST", "/status", "GET, HEAD, OPTIONS"],
    ["DELETE", "/players", "GET, HEAD, OPTIONS"],
    ["POST", "/initialize", "GET, HEAD, OPTIONS"],
    ["GET", "/link-player", "POST, OPTIONS"],
    ["PUT", "/unlink-player", "POST, OPTIONS"],
    ["PUT", "/whitelist", "GET, HEAD, POST, DELETE, OPTIONS"],
  ])("answers 405 to %s %s and names the methods it knows", async (method, path, allow) => {
    const answer = await ask(bridge.base, path, { method });
    expect([answer.status, answer.json]).toEqual([405, { error: "method_not_allowed" }]);
    expect(answer.headers.get("allow")).toBe(allow);
  });

  it("answers OPTIONS with the methods of a path", async () => {
    const answer = await ask(bridge.base, "/whitelist", { method: "OPTIONS" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, DELETE, OPTIONS"]);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("answers 426 to /chat without an upgrade", async () => {
    const answer = await ask(bridge.base, "/chat");
    expect([answer.status, answer.json]).toEqual([426, { error: "upgrade_required" }]);
  });

  it.each(["/healthz", "/initialize", "/events?format=json"])(
    "answers %s whole, which has no tag, to any If-None-Match",
    async path => {
      const answer = await ask(bridge.base, path, { headers: { "If-None-Match": "*" } });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toBe("");
    },
  );

  it("serves both descriptions in the version that runs, and names that of the contract beside it", async () => {
    const info = { version: PRODUCT_VERSION };
    expect((await ask(bridge.base, "/openapi.json")).json).toMatchObject({
      openapi: "3.1.0",
      info: { ...info, "x-contract-version": "0.1.0-SNAPSHOT" },
    });
    expect((await ask(bridge.base, "/asyncapi.json")).json).toMatchObject({ asyncapi: "3.0.0", info });
  });

  it("does not say what it is made with, and forbids guessing of types", async () => {
    const { headers } = await ask(bridge.base, "/initialize");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("answers 429 with Retry-After to an address over its rate, except for what is prepared", async () => {
    const small = await startTestSidecar({ yaml: "modules: {api: {limits: {requests-per-minute: 3}}}" });
    for (let i = 0; i < 3; i++) expect((await ask(small.base, "/initialize")).status).toBe(200);
    const over = await ask(small.base, "/initialize");
    expect([over.status, over.json]).toEqual([429, { error: "rate_limited" }]);
    expect(over.headers.get("retry-after")).toBe("20");
    const pack = new FakePack(small.bridge);
    await pack.connect();
    await pack.snapshot();
    for (let i = 0; i < 10; i++) expect((await ask(small.base, "/status")).status).toBe(200);
    small.clock.advance(20_000);
    expect((await ask(small.base, "/initialize")).status).toBe(200);
    await small.stop();
  });
});

describe("the origin gate", () => {
  it.each([
    "https://evil.example",
    "https://site.example.evil.example",
    "http://site.example",
    "https://site.example:444",
    "https://SITE.example",
    "null",
    "",
  ])("refuses %j and does nothing", async origin => {
    const answer = await ask(bridge.base, "/initialize", { headers: { Origin: origin } });
    expect([answer.status, answer.json]).toEqual([403, { error: "origin_not_allowed" }]);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("allows a listed origin with credentials", async () => {
    const answer = await ask(bridge.base, "/initialize", { headers: { Origin: SITE } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(SITE);
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
    expect(answer.headers.get("vary")).toMatch(/\bOrigin\b/);
  });

  it("lets a page of a listed origin read errors too", async () => {
    const answer = await ask(bridge.base, "/linked-player", { headers: { Origin: SITE } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("access-control-allow-origin")).toBe(SITE);
  });

  it("allows the service's own origin", async () => {
    expect((await ask(bridge.base, "/initialize", { headers: { Origin: bridge.base } })).status).toBe(200);
    const https = bridge.base.replace("http:", "https:");
    expect((await ask(bridge.base, "/initialize", { headers: { Origin: https } })).status).toBe(403);
  });

  it("takes its own origin from a trusted proxy and from no other", async () => {
    const headers = {
      Origin: "https://play.example",
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "play.example",
    };
    expect((await ask(bridge.base, "/initialize", { headers })).status).toBe(403);
    const proxied = await startTestSidecar({ env: { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" } });
    expect((await ask(proxied.base, "/initialize", { headers })).status).toBe(200);
    await proxied.stop();
  });

  it("answers the preflight of a listed origin and refuses another's", async () => {
    const preflight = (origin: string) =>
      ask(bridge.base, "/whitelist", {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "content-type,x-service-api-key",
        },
      });
    const { status, headers } = await preflight(SITE);
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe(SITE);
    expect(headers.get("access-control-allow-credentials")).toBe("true");
    expect(headers.get("access-control-allow-methods")).toMatch(/POST/);
    expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-service-api-key");
    expect((await preflight("https://evil.example")).status).toBe(403);
  });
});

describe("requests that are not whole", () => {
  it("are forgotten when the client goes away, and the service lives on", async () => {
    const { cookie } = await newSession(bridge.base);
    const { port } = bridge.sidecar.publicAddress;
    for (const text of [
      "GET /sta",
      `POST /link-player HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"user`,
    ]) {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.end(text);
      socket.resume();
      await once(socket, "close");
    }
    expect((await ask(bridge.base, "/healthz")).status).toBe(200);
  });

  it.each(["GARBAGE\r\n\r\n", "GET /status HTTP/9.9\r\n\r\n", "GET /status HTTP/1.1\r\nHost x\r\n\r\n"])(
    "get 400 and a closed connection: %j",
    async text => {
      const socket = connect(bridge.sidecar.publicAddress.port, "127.0.0.1");
      await once(socket, "connect");
      socket.write(text);
      const [data] = (await once(socket, "data")) as [Buffer];
      expect(data.toString()).toMatch(/^HTTP\/1\.1 400 /);
      socket.destroy();
    },
  );
});
