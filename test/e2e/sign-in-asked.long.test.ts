import { beforeEach, describe, expect, it } from "@jest/globals";
import { errorBody } from "../helpers/errors.ts";
import { serving } from "../helpers/serving.ts";
import { BACK, redirectParams, signingIn } from "../helpers/sign-in.ts";

const side = serving();
const sites = signingIn(side);
beforeEach(() => sites.start());

describe("a request to sign in", () => {
  it.each([
    ["no PKCE", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    ["another response type", { response_type: "id_token token" }, "unsupported_response_type"],
    ["a request object", { request: "x" }, "request_not_supported"],
    ["none beside another prompt", { prompt: "none login" }, "invalid_request"],
    ["a form as the answer", { response_mode: "form_post" }, "unsupported_response_mode"],
  ])("with %s redirects back with an error", async (_, params: Record<string, string>, code) => {
    const authRequest = await sites.ask(params);
    const { location = "" } = await sites.browser().go(authRequest.url.href);
    const url = new URL(location);
    const said = new URLSearchParams(url.hash === "" ? url.search : url.hash.slice(1));
    expect(Object.fromEntries(said)).toMatchObject({
      error: code,
      state: authRequest.state,
      iss: sites.issuer(),
    });
    expect(url.origin + url.pathname).toBe(BACK);
  });

  it.each([
    ["another site's redirect URI", { redirect_uri: "https://map.example/in" }],
    ["a redirect URI that differs in a character", { redirect_uri: `${BACK}/` }],
    ["one with the host for a user", { redirect_uri: "https://forum.example@evil.example/signed-in" }],
    ["one that is a script", { redirect_uri: "javascript:alert(1)" }],
    ["one that splits a header", { redirect_uri: "https://evil.example/\r\nSet-Cookie: a=b" }],
    ["none", { redirect_uri: "" }],
    ["an unknown site", { client_id: "evil" }],
  ])(
    "with %s ends on a page of the service, without a redirect",
    async (_, params: Record<string, string>) => {
      const authRequest = await sites.ask(params);
      const page = await sites.browser().go(authRequest.url.href);
      expect(page.location).toBeUndefined();
      expect(page.status).toBe(400);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(page.headers.get("set-cookie")).toBeNull();
      expect(page.text).toContain("This sign-in can't continue");
    },
  );

  it("cannot set parameters that only the service may set", async () => {
    const { url } = await sites.ask({ x_silent: "yes", x_subject: "11111111-1111-5111-8111-111111111111" });
    const { browser } = await sites.whole();
    await browser.go(url.href);
    expect(await sites.state(browser)).toMatchObject({ silent: false, player: { name: "Steve" } });
  });
});

describe("a request without user interface", () => {
  const silently = async (browser: ReturnType<typeof sites.browser>, params = {}, id?: "map") => {
    const authRequest = await sites.ask({ prompt: "none", ...params }, id);
    await browser.go(authRequest.url.href);
    const { json } = await browser.call(`${browser.at.pathname}/silent`, {});
    const { location } = await browser.go(json.location, "own");
    return { authRequest, location, said: redirectParams(location) };
  };

  it("gets its answer from the page, by the browser's own session", async () => {
    const browser = sites.browser();
    expect((await silently(browser)).said).toMatchObject({ error: "login_required" });
    await browser.call("/initialize");
    expect((await silently(browser)).said).toMatchObject({ error: "login_required" });
    await sites.whole(browser);
    expect((await silently(browser, {}, "map")).said).toMatchObject({ error: "consent_required" });
    const { authRequest, location } = await silently(browser);
    expect((await sites.back(authRequest, location)).claims()?.sub).toBe(await sites.sub(browser));
    side.clock.advance(60_000);
    expect((await silently(browser, { max_age: "59" })).said).toMatchObject({ error: "login_required" });
    expect((await silently(browser, { max_age: "60" })).said).toHaveProperty("code");
    await browser.call("/unlink-player", {});
    expect((await silently(browser)).said).toMatchObject({ error: "login_required" });
  });

  it("gets login_required immediately in a frame", async () => {
    const { browser } = await sites.whole();
    const authRequest = await sites.ask({ prompt: "none" });
    const { location } = await browser.go(authRequest.url.href, "own", {
      headers: { "Sec-Fetch-Dest": "iframe" },
    });
    expect(redirectParams(location)).toMatchObject({ error: "login_required", state: authRequest.state });
  });
});

describe("a request for a new confirmation by the player", () => {
  it.each([
    ["prompt=login", { prompt: "login" }],
    ["an age that is over", { max_age: "30" }],
  ])("with %s asks in the game, and changes only when the player accepted", async (_, params) => {
    const { browser, tokens } = await sites.whole();
    side.clock.advance(60_000);
    await side.pack.snapshot("Steve", "Alex");
    const authRequest = await sites.ask(params);
    await browser.go(authRequest.url.href);
    const uuid = await sites.sub(browser);
    expect((await sites.state(browser)).player).toBeNull();
    const soon = await browser.call(`${browser.at.pathname}/go-on`, { uuid });
    expect(soon.json).toEqual(errorBody("not_linked"));
    await sites.inGame(browser);
    expect((await sites.userinfo(tokens.access_token))[0]).toBe(200);
    const { location } = await sites.goOn(browser);
    const { maxAge: __, ...same } = authRequest;
    const again = await sites.back({ ...same, maxAge: undefined }, location);
    expect(again.claims()?.auth_time).toBe(side.clock.now() / 1_000);
    expect((await sites.userinfo(tokens.access_token))[0]).toBe(200);
  });
});
