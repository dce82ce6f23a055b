import { beforeEach, describe, expect, it } from "@jest/globals";
import { errors } from "oidc-provider";
import { errorBody } from "../../../test/helpers/errors.ts";
import { createMemorySignIn } from "../../../test/helpers/memory-store.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { signingIn } from "../../../test/helpers/sign-in.ts";
import { StorageAway } from "../../kernel/storage/ports.ts";
import { createAdapters } from "./provider/adapter.ts";

// Own connections: a browser that goes from site to site.

const side = serving();
const sites = signingIn(side);
beforeEach(() => sites.start());

const fromMap = (path: string, origin: string, init: RequestInit = {}) =>
  fetch(`${sites.issuer()}${path}`, { ...init, headers: { Origin: origin, ...init.headers } });

describe("the provider of sign-ins", () => {
  it("works below the path of the issuer, behind a proxy that strips it", async () => {
    await sites.start({}, "/bridge");
    const answer = await fetch(`${side.base}/.well-known/openid-configuration`, {
      headers: { "X-Forwarded-Host": "evil.example", Host: "localhost" },
    });
    expect(await answer.json()).toMatchObject({
      issuer: `${side.base}/bridge`,
      authorization_endpoint: `${side.base}/bridge/sign-in/authorize`,
      jwks_uri: `${side.base}/bridge/sign-in/keys`,
    });
    const query = new URLSearchParams({
      ...{ client_id: "map", redirect_uri: "https://map.example/in", response_type: "code", scope: "openid" },
      ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" },
    });
    const begun = await fetch(`${side.base}/sign-in/authorize?${query}`, { redirect: "manual" });
    const [, uid] = /\/bridge\/sign-in\/ask\/([\w-]+)$/.exec(begun.headers.get("location") ?? "") ?? [];
    expect(begun.headers.getSetCookie().map(line => /path=([^;]+)/.exec(line)?.[1])).toEqual(
      expect.arrayContaining([`/bridge/sign-in/ask/${uid}`, `/bridge/sign-in/authorize/${uid}`]),
    );
  });

  it.each([
    ["/.well-known/openid-configuration", "GET, HEAD, OPTIONS"],
    ["/sign-in/keys", "GET, HEAD, OPTIONS"],
    ["/sign-in/token", "POST, OPTIONS"],
    ["/sign-in/userinfo", "GET, HEAD, POST, OPTIONS"],
  ])("lists the methods of %s for OPTIONS", async (path, methods) => {
    const fromMap = { Origin: "https://map.example" };
    for (const headers of [{}, fromMap, { "Access-Control-Request-Method": "GET" }]) {
      const answer = await fetch(`${sites.issuer()}${path}`, { method: "OPTIONS", headers });
      expect([answer.status, answer.headers.get("allow")]).toEqual([204, methods]);
    }
  });

  it("logs rejected requests of sites, and no decisions of players", async () => {
    const changes: Record<string, string>[] = [
      { redirect_uri: "https://map.example/in\u001b[1m" },
      { redirect_uri: "" },
      { client_id: "mop" },
      { code_challenge: "", code_challenge_method: "" },
      { prompt: "none" },
    ];
    for (const change of changes) {
      const { url } = await sites.ask(change, "map");
      await fetch(url, { redirect: "manual", headers: { "Sec-Fetch-Dest": "iframe" } });
    }
    const lines = side.log
      .of("warn")
      .filter(({ message }) => message === "Rejected a sign-in request of a site");
    const redirect = "https://map.example/in";
    expect(lines.map(({ fields }) => fields)).toEqual([
      { client: "map", redirect: `${redirect}?[1m`, error: "invalid_redirect_uri", why: expect.any(String) },
      { client: "map", redirect: undefined, error: "invalid_request", why: expect.any(String) },
      { client: "mop", redirect, error: "invalid_client", why: "client not found" },
      { client: "map", redirect, error: "invalid_request", why: expect.stringContaining("PKCE") },
    ]);
  });

  it("encodes the player's name in the header for a proxy", async () => {
    for (const name of ["Stève\r\nX-Player-Uuid: me", "\ud83d half", "100%"]) {
      await side.pack.snapshot(name);
      const { cookie } = await side.session();
      await side.pack.report({
        is: "answered",
        request: await side.requestLink(cookie, name),
        accepted: true,
      });
      const answer = await fetch(`${side.base}/session/forward`, { headers: { Cookie: cookie } });
      expect([name, answer.status]).toEqual([name, 200]);
      expect(decodeURIComponent(answer.headers.get("x-player-name") ?? "")).toBe(
        name.replace("\ud83d", "\ufffd"),
      );
    }
  });

  it("does not limit the requests of a trusted proxy", async () => {
    await sites.start({ api: { "trust-proxy": "loopback", limits: { "requests-per-minute": 2 } } });
    const { cookie } = await side.session();
    for (let i = 0; i < 6; i++) expect((await side.ask("/session/forward", { cookie })).status).toBe(401);
  });

  it("gets 503 while nothing can be stored, and works again afterwards", async () => {
    const browser = sites.browser();
    const { url } = await sites.ask();
    await browser.go(url.href);
    await browser.call("/initialize");
    const signIn = side.store.signIn(side.clock.now);
    const saved = { ...signIn };
    const away = async (): Promise<never> => {
      throw new StorageAway("away");
    };
    Object.assign(signIn, { get: away, put: away, use: away });
    const form = {
      grant_type: "authorization_code",
      client_id: "map",
      code: "x",
      code_verifier: "y".repeat(43),
    };
    const body = new URLSearchParams({ ...form, redirect_uri: "https://map.example/in" });
    for (const answer of [
      await fetch(url, { redirect: "manual" }),
      await fetch(url, { redirect: "manual", headers: { Accept: "text/html" } }),
      await fromMap("/sign-in/token", "https://map.example", { method: "POST", body }),
      await fromMap("/sign-in/userinfo", "https://map.example", { headers: { Authorization: "Bearer x" } }),
      await fetch(`${sites.issuer()}${browser.at.pathname}`),
    ]) {
      expect([answer.status, await answer.json()]).toEqual([503, errorBody("server_unavailable")]);
      expect(answer.headers.get("retry-after")).not.toBeNull();
      expect(answer.headers.get("location")).toBeNull();
    }
    expect((await browser.call(`${browser.at.pathname}/state`)).status).toBe(503);
    Object.assign(signIn, saved);
    expect(await sites.state(browser)).toMatchObject({ status: "begun" });
  });
});

describe("the page of a sign-in", () => {
  const FORBIDDEN = [403, errorBody("origin_not_allowed")];
  const NONE = [404, errorBody("not_found")];

  it.each([
    ["GET", "state", {}],
    ["GET", "no-script", {}],
    ["POST", "player", { username: "Steve" }],
    ["POST", "go-on", { uuid: "x" }],
    ["POST", "silent", {}],
    ["POST", "cancel", {}],
  ])(
    "is the only page that may send %s %s, and only for a sign-in of its browser",
    async (method, what, body) => {
      const browser = sites.browser();
      await browser.go((await sites.ask()).url.href);
      const ask = async (uid: string, headers: Record<string, string>): Promise<unknown[]> =>
        side.said(`/sign-in/ask/${uid}/${what}`, { method, headers, ...(method === "POST" && { body }) });
      const uid = `${browser.at.pathname.split("/").pop()}`;
      expect(await ask(uid, { Origin: "https://forum.example" })).toEqual(FORBIDDEN);
      expect(await ask(uid, { "Sec-Fetch-Site": "cross-site" })).toEqual(FORBIDDEN);
      expect(await ask("another", { Origin: sites.issuer() })).toEqual(NONE);
      expect(await ask(uid, { Origin: sites.issuer() })).toEqual(NONE);
    },
  );
});

describe("a flood of sign-ins", () => {
  const limited = (limits: object) => sites.start({ api: { "trust-proxy": "loopback", limits } });
  const refused = (address: string, limit: string, times: number) =>
    expect.objectContaining({ fields: { address, refused: times, limits: { [limit]: times } } });

  async function begun(address: string): Promise<Response> {
    const { url } = await sites.ask();
    return fetch(url, { redirect: "manual", headers: { "X-Forwarded-For": address } });
  }

  it("is limited like link requests, by address and in total, and named in the log", async () => {
    await limited({ "link-requests-per-minute-per-address": 2, "link-requests-burst": 3 });
    const from = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"];
    const answers = [];
    for (const address of from) answers.push(await begun(address));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 429, 303, 429]);
    expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual([null, null, "30", null, "1"]);
    side.clock.advance(5_000);
    expect(side.log.lines).toContainEqual(refused("192.0.2.1", "sign-in-address", 1));
    expect(side.log.lines).toContainEqual(refused("192.0.2.3", "sign-in-everybody", 1));
    expect((await begun("192.0.2.3")).status).toBe(303);
  });
});

describe("the code of a sign-in", () => {
  const CODE = { grantId: "grant" };
  let codes: ReturnType<ReturnType<typeof createAdapters>>;
  let grants: typeof codes;
  beforeEach(async () => {
    const adapterOf = createAdapters(
      createMemorySignIn(() => 0),
      [],
      errors,
    );
    [codes, grants] = [adapterOf("AuthorizationCode"), adapterOf("Grant")];
    await codes.upsert("code", CODE, 60);
    await grants.upsert("grant", {}, 60);
  });

  it("a code can be used once, and its token is valid", async () => {
    await codes.consume("code");
    expect(await codes.find("code")).toEqual({ ...CODE, consumed: true });
    expect(await grants.find("grant")).toEqual({});
  });

  it("a code that is used twice at the same time is invalid for both: one of them may be stolen", async () => {
    const both = await Promise.allSettled([codes.consume("code"), codes.consume("code")]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await grants.find("grant")).toBeUndefined();
  });
});
