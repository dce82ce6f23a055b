import { beforeEach, describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../../../test/helpers/chat-socket.ts";
import type { Answer } from "../../../test/helpers/client.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { SESSION, serving } from "../../../test/helpers/serving.ts";
import { keyOf, keysOf } from "../../../test/helpers/sidecar.ts";

const ANY = { Origin: "https://any.example" };
const LISTED = "https://listed.example";
const KEY = { "X-Service-Api-Key": "key of the reader" };
const UUID = "00000000-0000-4000-8000-00000000000a";

const side = serving();
const start = (publicOrigins: string, show = "everybody") =>
  side.api(
    `public-origins: "${publicOrigins}", cors-origins: ["${LISTED}"], known-players: {show: ${show}}`,
    ["Steve"],
    { env: keysOf(keyOf("reader", ["players:read"])) },
  );
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  side.ask(path, { headers: { ...ANY, ...headers } });
const preflight = (path: string, method: string, headers?: string): Promise<Answer> =>
  side.ask(path, {
    method: "OPTIONS",
    headers: {
      ...{ ...ANY, "Access-Control-Request-Method": method },
      ...(headers !== undefined && { "Access-Control-Request-Headers": headers }),
    },
  });
const corsOf = ({ headers }: Answer) => [
  headers.get("access-control-allow-origin"),
  headers.get("access-control-allow-credentials"),
];
const REFUSED = [403, errorBody("origin_not_allowed"), [null, null]];
const said = (answer: Answer): unknown[] => [answer.status, answer.json, corsOf(answer)];

describe('with public-origins: "*" a page of any origin', () => {
  beforeEach(() => start("*"));

  it.each([
    ...[
      "/status",
      "/status?",
      "/players",
      "/server",
      "/servers",
      "/history?for=1d",
      "/badge.svg",
      "/console.json",
    ],
    ...["/events?format=json", "/known-players", "/servers/main/status", "/servers/main/history", "/healthz"],
  ])("reads %s, without cookies", async path => {
    const answer = await get(path, SESSION);
    expect([answer.status, corsOf(answer)]).toEqual([200, ["*", null]]);
    expect(answer.headers.get("vary")).toContain("Origin");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("reads errors of these paths too", async () => {
    expect(said(await get(`/known-players/${UUID}`))).toEqual([
      404,
      errorBody("unknown_player"),
      ["*", null],
    ]);
    expect((await get("/status", { "If-None-Match": "*" })).status).toBe(304);
  });

  it.each(["/initialize", "/session", "/linked-player", "/whitelist", "/bans", "/sessions/x", "/nothing"])(
    "is refused at %s",
    async path => expect(said(await get(path, SESSION))).toEqual(REFUSED),
  );

  it("is rejected with a key, with another method and at the chat", async () => {
    expect(said(await get("/known-players", KEY))).toEqual(REFUSED);
    expect(said(await side.ask("/status", { method: "POST", headers: ANY }))).toEqual(REFUSED);
    expect((await refusedUpgrade(`${side.base}/chat`, ANY)).status).toBe(403);
  });

  it("passes its preflight for the paths it may read, without a key", async () => {
    const answer = await preflight("/status", "GET", "If-None-Match,traceparent");
    expect([answer.status, corsOf(answer)]).toEqual([204, ["*", null]]);
    expect(answer.headers.get("access-control-allow-headers")).toBe("If-None-Match,traceparent");
    for (const refused of [
      preflight("/known-players", "GET", "x-service-api-key"),
      preflight("/link-player", "POST"),
      preflight("/status", "DELETE"),
    ])
      expect(said(await refused)).toEqual(REFUSED);
  });

  it("has no additional limits if it is listed", async () => {
    const answer = await get("/status", { Origin: LISTED });
    expect(corsOf(answer)).toEqual([LISTED, "true"]);
  });
});

it("known players that need a key are not readable by pages of any origin", async () => {
  await start("*", "key");
  expect(said(await get("/known-players"))).toEqual(REFUSED);
});

it("without public-origins a page of any origin reads nothing", async () => {
  await start("");
  expect(said(await get("/status"))).toEqual(REFUSED);
});
