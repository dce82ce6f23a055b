import { beforeEach, describe, expect, it } from "@jest/globals";
import * as oidc from "openid-client";
import { errorBody } from "../helpers/errors.ts";
import { row } from "../helpers/fake-pack.ts";
import { serving } from "../helpers/serving.ts";
import { BACK, redirectParams, SECRET, signingIn, sitesOf } from "../helpers/sign-in.ts";

// Own connections: a browser that navigates between sites, and the library of a site.

const side = serving();
const sites = signingIn(side);
beforeEach(() => sites.start());

const ENDED = [401, expect.stringContaining('error="invalid_token"')];

describe("a sign-in", () => {
  it("gives a site the player, with a standard library", async () => {
    const { authRequest, browser } = await sites.visit();
    expect(await sites.state(browser)).toEqual({
      site: { id: "example-forum", name: "Example Forum", host: "forum.example" },
      ...{ status: "begun", player: null, asked: null, leftMs: null },
      ...{ alike: false, withName: true, silent: false },
    });
    await sites.inGame(browser);
    const { player } = await sites.state(browser);
    expect(player).toMatchObject({ name: "Steve" });
    const { location = "" } = await sites.goOn(browser);
    expect(location).toMatch(/^https:\/\/forum\.example\/signed-in\?code=[\w-]+&state=[\w-]+&iss=/);
    const tokens = await sites.back(authRequest, location);
    expect(tokens.claims()).toMatchObject({
      ...{ iss: sites.issuer(), aud: "example-forum", sub: player.uuid, nonce: authRequest.nonce },
      ...{
        name: "Steve",
        preferred_username: "Steve",
        nickname: "steve",
        auth_time: side.clock.now() / 1_000,
      },
    });
    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.expires_in).toBe(3_600);
    expect(await oidc.fetchUserInfo(await sites.site(), tokens.access_token, player.uuid)).toEqual({
      ...{ sub: player.uuid, name: "Steve", preferred_username: "Steve", nickname: "steve" },
    });
    const linked = await browser.call("/linked-player");
    expect(linked.json).toMatchObject({ status: "accepted", playerData: { uuid: player.uuid } });
  });

  it("of a site without a secret gives only the id if it requests no more", async () => {
    const { tokens } = await sites.whole(undefined, { scope: "openid" }, "map");
    const claims = tokens.claims();
    expect(claims).toMatchObject({ aud: "map", auth_time: expect.any(Number) });
    expect(claims).not.toHaveProperty("name");
    const about = await oidc.fetchUserInfo(await sites.site("map"), tokens.access_token, claims?.sub ?? "");
    expect(about).toEqual({ sub: claims?.sub });
  });

  it("offers the linked player, who confirms by pressing the button", async () => {
    const { browser } = await sites.whole();
    const authRequest = await sites.ask({}, "map");
    await browser.go(authRequest.url.href);
    expect((await sites.state(browser)).player).toMatchObject({ name: "Steve" });
    const { location } = await sites.goOn(browser);
    expect((await sites.back(authRequest, location, "map")).claims()?.sub).toBe(await sites.sub(browser));
    const list = await browser.call("/session/sites");
    expect(list.json).toMatchObject([
      { id: "example-forum", name: "Example Forum" },
      { id: "map", name: "Map" },
    ]);
  });

  it("continues when the service restarts between any two steps", async () => {
    const browser = sites.browser();
    const authRequest = await sites.ask();
    const again = (): Promise<void> => sites.restart(sitesOf());
    await browser.go(authRequest.url.href);
    await again();
    await browser.call("/initialize");
    await sites.inGame(browser);
    await again();
    const { location } = await sites.goOn(browser);
    await again();
    const tokens = await sites.back(authRequest, location);
    await again();
    expect(tokens.claims()).toMatchObject({ sub: await sites.sub(browser), name: "Steve" });
    expect((await sites.userinfo(tokens.access_token))[0]).toBe(200);
    await expect(sites.back(authRequest, location)).rejects.toMatchObject({ error: "invalid_grant" });
    expect(await sites.userinfo(tokens.access_token)).toEqual(ENDED);
  });

  it("can be tried again after a decline, and is access_denied after a cancel", async () => {
    const { authRequest, browser } = await sites.visit();
    await sites.inGame(browser, false);
    expect(await sites.state(browser)).toMatchObject({
      ...{ status: "declined", reason: "declined", player: null },
    });
    const again = browser.call(`${browser.at.pathname}/player`, { username: "Steve" });
    await side.pack.carryOut("offline");
    expect((await again).json).toEqual(errorBody("player_offline"));
    const { json } = await browser.call(`${browser.at.pathname}/cancel`, {});
    const { location } = await browser.go(json.location, "own");
    expect(redirectParams(location)).toMatchObject({
      ...{ error: "access_denied", error_description: "the player cancelled, or is not allowed to sign in" },
      ...{ state: authRequest.state, iss: sites.issuer() },
    });
    await expect(sites.back(authRequest, location)).rejects.toMatchObject({ error: "access_denied" });
  });
});

describe("an app on the player's machine", () => {
  const APP = ["http://127.0.0.1/in", "http://[::1]:7000/in", "com.example.app:/in"];
  beforeEach(() => sites.restart([{ id: "map", name: "Map", "redirect-uris": APP }]));

  it.each(["http://127.0.0.1:53123/in", "http://[::1]:9/in", "com.example.app:/in"])(
    "gets a code at %s, and a token for it",
    async redirect_uri => {
      const { location = "", authRequest } = await sites.whole(undefined, { redirect_uri }, "map");
      expect(location.startsWith(`${redirect_uri}?code=`)).toBe(true);
      expect(authRequest.url.searchParams.get("redirect_uri")).toBe(redirect_uri);
    },
  );

  it.each([
    ["http://127.0.0.1:53123/in", "127.0.0.1:53123"],
    ["com.example.app:/in", "com.example.app"],
  ])("at %s is shown on the sign-in page as %s", async (redirect_uri, host) => {
    const { browser } = await sites.visit({ redirect_uri }, "map");
    expect((await sites.state(browser)).site).toEqual({ id: "map", name: "Map", host });
  });

  it.each([
    ["http://127.0.0.1:53123", 200],
    ["http://localhost:53123", 400],
    ["https://127.0.0.1", 400],
  ])("can request its token from a page of %s: %s", async (origin, status) => {
    const redirect_uri = "http://127.0.0.1:53123/in";
    const { authRequest, browser } = await sites.visit({ redirect_uri }, "map");
    await sites.inGame(browser);
    const { code = "" } = redirectParams((await sites.goOn(browser)).location);
    const form = { grant_type: "authorization_code", client_id: "map", redirect_uri, code };
    const body = new URLSearchParams({ ...form, code_verifier: authRequest.verifier });
    const headers = { Origin: origin };
    const answer = await fetch(`${sites.issuer()}/sign-in/token`, { method: "POST", headers, body });
    const mayRead = answer.headers.get("access-control-allow-origin");
    expect([answer.status, mayRead]).toEqual([status, status === 200 ? origin : null]);
  });

  it.each([
    "http://localhost:53123/in",
    "http://127.0.0.1:53123/other",
    "http://127.0.0.1:80@evil.example/in",
    "https://127.0.0.1:53123/in",
    "com.example.app:/other",
  ])("gets none at %s, which is not listed", async redirect_uri => {
    const { url } = await sites.ask({ redirect_uri }, "map");
    const answer = await fetch(url, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });

  it("has no origin whose pages could request a token", async () => {
    const { token_endpoint = "" } = (await sites.site("map")).serverMetadata();
    const headers = { Origin: "null", "Access-Control-Request-Method": "POST" };
    const body = new URLSearchParams({ client_id: "map", grant_type: "authorization_code" });
    for (const request of [{ method: "OPTIONS" }, { method: "POST", body }]) {
      const answer = await fetch(token_endpoint, { ...request, headers });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("a code", () => {
  const exchange = async (
    code: string,
    change: Record<string, string>,
    id: "example-forum" | "map" = "example-forum",
  ) => {
    const secret = id === "example-forum" ? { client_secret: "the-secret-of-the-forum" } : {};
    const form = { grant_type: "authorization_code", redirect_uri: BACK, client_id: id, code, ...secret };
    const answer = await fetch(`${sites.issuer()}/sign-in/token`, {
      method: "POST",
      body: new URLSearchParams({ ...form, ...change }),
    });
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };

  /** An unused code. */
  async function fresh() {
    const { authRequest, browser } = await sites.visit();
    await sites.inGame(browser);
    const { location } = await sites.goOn(browser);
    return {
      browser,
      authRequest,
      location,
      code: redirectParams(location).code ?? "",
      code_verifier: authRequest.verifier,
    };
  }

  it("is used once; a second use revokes its tokens", async () => {
    const { authRequest, location, code, code_verifier } = await fresh();
    const tokens = await sites.back(authRequest, location);
    expect((await sites.userinfo(tokens.access_token))[0]).toBe(200);
    expect(await exchange(code, { code_verifier })).toEqual([400, "invalid_grant"]);
    expect(await sites.userinfo(tokens.access_token)).toEqual(ENDED);
  });

  it("that is rejected is logged with its site and the reason, and without a secret", async () => {
    const { code, code_verifier } = await fresh();
    const url = `${sites.issuer()}/sign-in/token`;
    const basic = (user: string, password: string) =>
      fetch(url, {
        method: "POST",
        headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          redirect_uri: BACK,
          code,
          code_verifier,
        }),
      });
    await exchange(code, { code_verifier, client_secret: "a wrong secret" });
    await basic("example-form", SECRET);
    await basic(SECRET, "example-forum");
    await exchange(code, { code_verifier: oidc.randomPKCECodeVerifier() });
    const lines = side.log
      .of("warn")
      .filter(({ message }) => message === "Rejected a token request of a site");
    expect(lines.map(({ fields }) => fields)).toEqual([
      { client: "example-forum", error: "invalid_client", why: "invalid secret provided" },
      { client: "example-form", error: "invalid_client", why: "client not found" },
      { client: undefined, error: "invalid_client", why: "client not found" },
      { client: "example-forum", error: "invalid_grant", why: "code_verifier does not match code_challenge" },
    ]);
    for (const secret of [SECRET, "a wrong secret", code, code_verifier])
      expect(side.log.text).not.toContain(secret);
  });

  it("of two concurrent uses succeeds once, and that result is revoked", async () => {
    const { code, code_verifier } = await fresh();
    const both = await Promise.all([1, 2].map(() => exchange(code, { code_verifier })));
    expect(both.filter(([status]) => status === 200).length).toBeLessThanOrEqual(1);
    expect(both.filter(([, error]) => error === "invalid_grant").length).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ["with another verifier", { code_verifier: oidc.randomPKCECodeVerifier() }],
    ["without a verifier", {}],
    ["for a redirect URI that differs in a character", { redirect_uri: `${BACK}/`, own: "yes" }],
    ["without a redirect URI", { redirect_uri: "", own: "yes" }],
  ])("is worth nothing %s", async (_, change: Record<string, string>) => {
    const { code, code_verifier } = await fresh();
    const { own, ...rest } = change;
    const [status, error] = await exchange(code, { ...(own && { code_verifier }), ...rest });
    expect(status).toBe(400);
    expect(error).toMatch(/^invalid_(grant|request)$/);
  });

  it("is worth nothing to another site, without the secret, and after a minute", async () => {
    const { code, code_verifier } = await fresh();
    expect(await exchange(code, { code_verifier }, "map")).toEqual([400, "invalid_grant"]);
    expect(await exchange(code, { code_verifier, client_secret: "other" })).toEqual([401, "invalid_client"]);
    expect(await exchange(code, { code_verifier, client_secret: "" })).toEqual([401, "invalid_client"]);
    expect(await exchange("x".repeat(10_000), { code_verifier })).toEqual([400, "invalid_grant"]);
    side.clock.advance(60_000);
    expect(await exchange(code, { code_verifier })).toEqual([400, "invalid_grant"]);
  });
});

describe("an issued token", () => {
  it("ends when the browser removes the link, and when the player removes theirs in the game", async () => {
    const { browser, tokens } = await sites.whole();
    expect((await sites.userinfo(tokens.access_token))[0]).toBe(200);
    await browser.call("/unlink-player", {});
    expect(await sites.userinfo(tokens.access_token)).toEqual(ENDED);
    const again = (await sites.whole(browser)).tokens;
    expect(await sites.userinfo(tokens.access_token)).toEqual(ENDED);
    expect((await sites.userinfo(again.access_token))[0]).toBe(200);
    await side.pack.report({ is: "unlinked-by-player", player: row("Steve").player });
    expect(await sites.userinfo(again.access_token)).toEqual(ENDED);
  });
});
