import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { contractOf } from "../../../test/helpers/contract.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { SESSION, serving } from "../../../test/helpers/serving.ts";
import { COMMON_HEADERS } from "./answer.ts";

// Own connections: checks.

const SITE = "https://site.example";
const JSON_BODY = { ...SESSION, "Content-Type": "application/json" };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UPGRADE = { Connection: "Upgrade", Upgrade: "websocket" };
const EVIL = { Origin: "https://evil.example" };

const side = serving();
beforeEach(async () => {
  const read = () => Promise.reject(new Error("planted"));
  await side.start(
    {
      yaml: `modules: {api: {cors-origins: ["${SITE}"], limits: {body-bytes: 1024, requests-per-minute: 3}}}`,
      store: { ...createMemoryStore(), read },
      webFiles: [{ path: "index.html", content: Buffer.from("<p>") }],
    },
    ["Steve"],
  );
});

async function answerTo(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "",
): Promise<IncomingMessage> {
  const sent = request({ port: side.port, host: "127.0.0.1", method, path, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const pathname = path.split("?")[0] ?? "";
  const text = (await answer.setEncoding("utf8").toArray()).join("");
  const header = (name: string): string | null => answer.headers[name.toLowerCase()]?.toString() ?? null;
  contractOf(side.base).answer({ method, path: pathname, status: answer.statusCode ?? 0, header, text });
  return answer;
}

describe("the headers of every response", () => {
  it.each<[string, number, [string, string, Record<string, string>?, string?]]>([
    ["a call", 200, ["GET", "/initialize"]],
    ["a call of a listed origin", 200, ["GET", "/initialize", { Origin: SITE }]],
    ["a prepared answer", 200, ["GET", "/status"]],
    ["a prepared answer by the long way", 200, ["GET", "/status?"]],
    ["a prepared answer to a listed origin", 200, ["GET", "/players", { Origin: SITE }]],
    ["the headers of a prepared answer", 200, ["HEAD", "/players"]],
    ["a prepared answer that is known", 304, ["GET", "/history", { "If-None-Match": "*" }]],
    ["the console", 200, ["GET", "/"]],
    ["its manifest", 200, ["GET", "/manifest.webmanifest"]],
    ["the page of the interface", 200, ["GET", "/docs"]],
    ["the badge", 200, ["GET", "/badge.svg"]],
    ["a badge with a label that is none", 400, ["GET", "/badge.svg?label="]],
    ["the methods of a path", 204, ["OPTIONS", "/whitelist"]],
    [
      "a preflight",
      204,
      ["OPTIONS", "/whitelist", { Origin: SITE, "Access-Control-Request-Method": "POST" }],
    ],
    ["a body that is none", 400, ["POST", "/link-player", JSON_BODY, "{"]],
    [
      "a body that Express rejects",
      400,
      ["POST", "/link-player", { ...JSON_BODY, "Content-Encoding": "br" }, "{}"],
    ],
    ["a body over the limit", 413, ["POST", "/link-player", JSON_BODY, "x".repeat(2_000)]],
    ["a missing session", 401, ["GET", "/linked-player"]],
    ["a wrong key", 401, ["GET", "/whitelist"]],
    ["an origin that is not listed", 403, ["GET", "/status", EVIL]],
    ["an unknown path", 404, ["GET", "/nothing"]],
    ["an unknown method", 405, ["DELETE", "/status"]],
    ["a chat without an upgrade", 426, ["GET", "/chat"]],
    ["a fault of the service", 500, ["GET", "/linked-player", SESSION]],
    ["a refused upgrade", 404, ["GET", "/nothing", UPGRADE]],
    ["a refused upgrade of another origin", 403, ["GET", "/chat", { ...UPGRADE, ...EVIL }]],
    ["a refused upgrade by another method", 405, ["PUT", "/chat", UPGRADE]],
    ["a handshake that is none", 426, ["GET", "/chat", UPGRADE]],
  ])("are on %s: %i", async (_what, status, sent) => {
    const answer = await answerTo(...sent);
    expect(answer.statusCode).toBe(status);
    expectCommon(answer);
  });

  it("are on the 429 responses to an address over its rate, with the time to retry", async () => {
    for (let i = 0; i < 3; i++) await answerTo("GET", "/healthz");
    for (const headers of [{}, UPGRADE]) {
      const answer = await answerTo("GET", "/chat", headers);
      expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([429, "20"]);
      expectCommon(answer);
    }
  });
});

it("show on each counted response how many requests are left, and when all of them are available again", async () => {
  const limitsOf = ({ headers }: IncomingMessage) => [headers.ratelimit, headers["ratelimit-policy"]];
  const policy = '"requests";q=3;w=60';
  for (const left of ["r=2;t=20", "r=1;t=40", "r=0;t=60", "r=0;t=60"])
    expect(limitsOf(await answerTo("GET", "/healthz"))).toEqual([`"requests";${left}`, policy]);
  expect(limitsOf(await answerTo("GET", "/chat", UPGRADE))).toEqual(['"requests";r=0;t=60', policy]);
  expect(limitsOf(await answerTo("GET", "/status"))).toEqual([undefined, undefined]);
  side.clock.advance(20_000);
  const { headers } = await answerTo("GET", "/initialize", { Origin: SITE });
  expect(headers["access-control-expose-headers"]?.split(",")).toEqual(
    expect.arrayContaining(["RateLimit", "RateLimit-Policy", "X-Request-Id"]),
  );
});

describe("the id of a request", () => {
  const idOf = async (sent: string): Promise<unknown> =>
    (await answerTo("GET", "/status", { "X-Request-Id": sent })).headers["x-request-id"];

  it("is that of a trusted proxy if it is valid, otherwise a new one, and is logged with an error", async () => {
    expect(await idOf("from-anybody")).toMatch(UUID);
    await side.start({ yaml: "modules: {api: {trust-proxy: loopback}}" }, ["Steve"]);
    expect(await idOf("trace/1:2=3+4")).toBe("trace/1:2=3+4");
    for (const odd of ["", "two words", "x".repeat(129), "<b>"]) expect(await idOf(odd)).toMatch(UUID);
    await answerTo("GET", "/chat", { "X-Request-Id": "of-an-evil-page", ...EVIL });
    expect(side.log.of("warn").at(-1)).toMatchObject({ fields: { requestId: "of-an-evil-page" } });
  });

  it("is on a stream and a handshake too, with the remaining requests", async () => {
    const stream = new AbortController();
    const { headers } = await fetch(`${side.base}/events`, { signal: stream.signal });
    stream.abort();
    expect(headers.get("x-request-id")).toMatch(UUID);
    expect(headers.get("ratelimit")).toBe('"requests";r=2;t=20');
    const handshake = {
      ...UPGRADE,
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4PEA==",
    };
    const sent = request({
      port: side.port,
      host: "127.0.0.1",
      path: "/chat",
      headers: handshake,
      agent: false,
    });
    const [answer] = (await once(sent.end(), "upgrade")) as [IncomingMessage];
    answer.destroy();
    expect(answer.headers["x-request-id"]).toMatch(UUID);
    expect(answer.headers.ratelimit).toBe('"requests";r=1;t=40');
    expect(answer.headers["ratelimit-policy"]).toBe('"requests";q=3;w=60');
  });
});

/** Only the time of the response. Cached responses have another `Cache-Control`, and compressed ones vary on more. */
function expectCommon({ headers }: IncomingMessage): void {
  expect(Math.abs(Date.now() - Date.parse(headers.date ?? ""))).toBeLessThan(3_600_000);
  expect(headers).not.toHaveProperty("x-powered-by");
  expect(headers["x-request-id"]).toMatch(UUID);
  for (const [name, value] of Object.entries(COMMON_HEADERS)) {
    const isRevalidated = name === "Cache-Control" && headers.etag !== undefined;
    expect([name, headers[name.toLowerCase()]]).toEqual([
      name,
      expect.stringMatching(isRevalidated ? /^(public, max-age=\d+|no-cache)$/ : RegExp(value)),
    ]);
  }
}
