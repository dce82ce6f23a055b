import { inspect } from "node:util";
import { beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { AuditEntry } from "../../sidecar/features/moderation/audit.ts";
import { serving } from "../helpers/serving.ts";
import { BACK, redirectParams, SECRET, signingIn } from "../helpers/sign-in.ts";

// Own connections: a browser that navigates between sites, and attackers.

const side = serving();
const sites = signingIn(side);
beforeEach(() => sites.start());

describe("a finished sign-in", () => {
  let audit: AuditEntry[];
  beforeEach(async () => {
    audit = [];
    await sites.start({ audit: { write: async entry => void audit.push(entry) } });
  });
  const outcomes = (): string[] => audit.map(({ outcome }) => outcome);

  it("ends once, however often the page sends the last step, whose response may have been lost", async () => {
    const { browser } = await sites.visit();
    const asking = browser.call(`${browser.at.pathname}/player`, { username: "Steve" });
    await sites.opened();
    expect((await asking).status).toBe(202);
    const cancel = () => browser.call(`${browser.at.pathname}/cancel`, {});
    const first = await cancel();
    expect(first.status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await cancel()).json).toEqual(first.json);
    expect(outcomes()).toEqual(["access_denied"]);
    expect(redirectParams((await browser.go(first.json.location, "own")).location)).toMatchObject({
      error: "access_denied",
    });
  });
});

describe("a sign-in that has continued", () => {
  it("issues one code, and sends no more requests", async () => {
    const { browser } = await sites.whole();
    const authRequest = await sites.ask();
    await browser.go(authRequest.url.href);
    const { pathname } = browser.at;
    const uuid = await sites.sub(browser);
    const end = (path: string, body: object) => browser.call(`${pathname}/${path}`, body);
    const first = await end("go-on", { uuid });
    for (const again of [await end("go-on", { uuid }), await end("cancel", {})])
      expect([again.status, again.json]).toEqual([200, first.json]);
    const { location } = await browser.go(first.json.location, "own");
    expect((await sites.back(authRequest, location)).claims()?.sub).toBe(uuid);
  });
});

describe("a sign-in that its site may no longer start", () => {
  it.each([
    ["the site was taken out", "another", BACK],
    ["its redirect URI was taken out", "example-forum", "https://forum.example/other"],
  ])("cannot continue once %s", async (_, id, uri) => {
    const { browser } = await sites.whole();
    await browser.go((await sites.ask()).url.href);
    const { json } = await browser.call(`${browser.at.pathname}/go-on`, { uuid: await sites.sub(browser) });
    await sites.restart([{ id, name: "Example Forum", "redirect-uris": [uri] }]);
    const page = await browser.go(json.location, "own");
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect((await browser.call(`${browser.at.pathname}/state`)).status).toBe(404);
  });
});

describe("the log", () => {
  it("shows no secret that would allow someone else to sign in", async () => {
    const { browser, authRequest, location, tokens } = await sites.whole();
    const { code = "" } = redirectParams(location);
    await expect(sites.back(authRequest, location)).rejects.toMatchObject({ error: "invalid_grant" });
    const body = new URLSearchParams({ client_id: "example-forum", client_secret: `${SECRET}!`, code });
    await fetch(`${sites.issuer()}/sign-in/token`, { method: "POST", body });
    await fetch(`${authRequest.url.href}&redirect_uri=x`, { headers: { Origin: "https://evil.example" } });
    await browser.go((await sites.ask()).url.href);
    const signIn = side.store.signIn(side.clock.now);
    const saved = { ...signIn };
    Object.assign(signIn, { get: () => Promise.reject(new Error("torn")) });
    expect((await browser.call(`${browser.at.pathname}/state`)).status).toBe(500);
    expect((await browser.go(authRequest.url.href)).status).toBe(500);
    Object.assign(signIn, saved);
    const log = inspect(side.log.lines, { depth: 20 });
    expect(log).toContain("torn");
    const { userId } = (await browser.call("/initialize")).json;
    const { verifier, state, nonce } = authRequest;
    const secrets = [code, tokens.access_token, tokens.id_token, SECRET, verifier, state, nonce, userId];
    // The id of a sign-in is useless without its signature.
    for (const secret of [...secrets, ...browser.signatures]) expect(log).not.toContain(secret);
  });
});

describe("a page elsewhere", () => {
  it("cannot be started by embedded resources of a page, nor blocked by them", async () => {
    await sites.start({ api: { limits: { "link-requests-burst": 5, "link-requests-per-second": 1 } } });
    const [{ url }, silent] = [await sites.ask(), await sites.ask({ prompt: "none" })];
    const load = (kind: string, of: URL, method = "GET") =>
      fetch(of, { method, headers: { "Sec-Fetch-Dest": kind }, redirect: "manual" });
    const kinds = ["image", "script", "empty", "iframe", "object", "style"];
    for (const answer of await Promise.all([
      ...kinds.map(kind => load(kind, url)),
      load("image", silent.url),
      load("iframe", silent.url, "POST"),
    ])) {
      expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    }
    for (let i = 0; i < 6; i++) {
      const answer = await load("iframe", silent.url);
      expect(redirectParams(answer.headers.get("location") ?? "")).toMatchObject({ error: "login_required" });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await load("document", url)).status).toBe(303);
  });

  it.each([
    ["twice in the address", "GET", "&prompt=none&prompt=none", 303],
    ["with another one", "GET", "&prompt=none%20login", 303],
    ["in capitals", "GET", "&PROMPT=none", 403],
    ["with an encoded name", "GET", "&%70rompt=none", 303],
    ["in the value of another one, and requested itself", "GET", "&x=?prompt=none&prompt=login", 403],
    ["in a body, for which the address says another", "POST", "&prompt=none", 403],
  ])("starts nothing in a frame with the parameter prompt %s", async (_, method, more, status) => {
    const put = jest.spyOn(side.store.signIn(side.clock.now), "put");
    const { url } = await sites.ask();
    const body = method === "POST" ? { body: new URLSearchParams(url.search) } : {};
    const answer = await fetch(`${url}${more}`, {
      ...{ method, ...body, redirect: "manual" },
      headers: { "Sec-Fetch-Dest": "iframe" },
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
    const location = answer.headers.get("location");
    expect([answer.status, put.mock.calls]).toEqual([status, []]);
    if (status === 303) expect(redirectParams(location ?? "")).toHaveProperty("error");
  });
});
