import { beforeEach, describe, expect, it } from "@jest/globals";
import { errorBody } from "../helpers/errors.ts";
import { serving } from "../helpers/serving.ts";
import { signingIn } from "../helpers/sign-in.ts";

// Own connections: a browser that navigates between sites, and the library of a site.

const side = serving();
const sites = signingIn(side);
beforeEach(() => sites.start());

describe("another browser, and another page", () => {
  it("cannot finish a sign-in of this browser", async () => {
    const [mine, theirs] = [sites.browser(), sites.browser()];
    await mine.go((await sites.ask()).url.href);
    await mine.call("/initialize");
    await theirs.call("/initialize");
    for (const path of ["state", "player", "go-on", "cancel", "silent"]) {
      const body =
        path === "state" ? undefined : { username: "Steve", uuid: "11111111-1111-5111-8111-111111111111" };
      const answer = await theirs.call(`${mine.at.pathname}/${path}`, body);
      expect([answer.status, answer.json]).toEqual([404, errorBody("not_found")]);
    }
    await sites.inGame(mine);
    const { json } = await mine.call(`${mine.at.pathname}/go-on`, { uuid: await sites.sub(mine) });
    const page = await theirs.go(json.location, "own");
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect((await mine.go(json.location, "own")).location).toContain("code=");
    expect((await mine.go(json.location, "own")).location).toBeUndefined();
  });

  it("cannot control it, regardless of listed origins", async () => {
    await sites.start({ api: { "cors-origins": ["https://listed.example"] } });
    const { browser } = await sites.visit();
    for (const Origin of ["https://listed.example", "https://forum.example", "null"]) {
      const answer = await browser.call(`${browser.at.pathname}/player`, { username: "Steve" }, { Origin });
      expect([answer.status, answer.json]).toEqual([403, errorBody("origin_not_allowed")]);
    }
    const from = { "Sec-Fetch-Site": "cross-site" };
    expect((await browser.call(`${browser.at.pathname}/state`, undefined, from)).status).toBe(403);
    expect((await side.pack.report()).body.actions).toEqual([]);
  });
});

describe("what sites ask", () => {
  const request = (path: string, origin: string, init: RequestInit = {}) =>
    fetch(`${sites.issuer()}${path}`, { ...init, headers: { Origin: origin, ...init.headers } });

  it("is described, and advertises nothing that does not exist", async () => {
    const found = await (await request("/.well-known/openid-configuration", "https://any.example")).json();
    const issuer = sites.issuer();
    expect(found).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/sign-in/authorize`,
      token_endpoint: `${issuer}/sign-in/token`,
      userinfo_endpoint: `${issuer}/sign-in/userinfo`,
      jwks_uri: `${issuer}/sign-in/keys`,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code"],
      scopes_supported: ["openid", "profile"],
      claims_supported: expect.arrayContaining(["sub", "name", "preferred_username", "auth_time", "iss"]),
      code_challenge_methods_supported: ["S256"],
      id_token_signing_alg_values_supported: ["RS256"],
      subject_types_supported: ["public"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
      authorization_response_iss_parameter_supported: true,
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
      claim_types_supported: ["normal"],
    });
  });

  it("is readable by pages: keys by those of every origin, data of a site by its own", async () => {
    const cors = (answer: Response) => answer.headers.get("access-control-allow-origin");
    for (const path of ["/.well-known/openid-configuration", "/sign-in/keys"]) {
      const answer = await request(path, "https://any.example");
      expect([answer.status, cors(answer)]).toEqual([200, "https://any.example"]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
    const { keys } = Object(await (await request("/sign-in/keys", "https://any.example")).json());
    expect(Object.keys(keys[0]).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    const { tokens } = await sites.whole(undefined, {}, "map");
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const own = await request("/sign-in/userinfo", "https://map.example", { headers });
    expect([own.status, cors(own)]).toEqual([200, "https://map.example"]);
    const other = await request("/sign-in/userinfo", "https://forum.example", { headers });
    expect([other.status, cors(other)]).toEqual([400, null]);
    const preflight = await request("/sign-in/token", "https://map.example", {
      method: "OPTIONS",
      headers: { "Access-Control-Request-Method": "POST" },
    });
    expect([preflight.status, cors(preflight)]).toEqual([204, "https://map.example"]);
  });

  it.each(["https://evil.example", "null"])("returns data of a site to no page of %s", async origin => {
    for (const path of ["/sign-in/token", "/sign-in/userinfo"])
      for (const method of ["OPTIONS", "POST"]) {
        const { headers } = await request(path, origin, {
          method,
          headers: {
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization",
          },
        });
        expect([...headers.keys()].filter(name => name.startsWith("access-control-"))).toEqual([]);
      }
  });

  it("logs nothing about cookies with another signature", async () => {
    const cookie = (name: string): string => `${name}=x; ${name}.sig=${"y".repeat(27)}`;
    for (const path of ["authorize/x", "ask/x/state"]) {
      const headers = { Cookie: `${cookie("sign_in")}; ${cookie("sign_in_end")}` };
      const answer = await fetch(`${sites.issuer()}/sign-in/${path}`, { headers, redirect: "manual" });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it("exists only there, and not while sign-in is off", async () => {
    for (const path of ["sign-in/request", "sign-in/token/introspection", "session/end", "reg", "device"])
      expect([path, (await request(`/${path}`, sites.issuer())).status]).toEqual([path, 404]);
    await side.start();
    expect((await side.ask("/.well-known/openid-configuration")).status).toBe(404);
    expect((await side.ask("/sign-in/keys")).status).toBe(404);
  });
});
