import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import * as oidc from "openid-client";
import type { BrowserContext, Page } from "playwright-core";
import { ACCEPT } from "../helpers/browser.ts";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "./page.ts";
import { signInsOfSuite } from "./signing-in.ts";
import { inBrowser } from "./stage.ts";

// Own connections: plays a site on another domain, and a browser that goes to and fro.

/** A site on another domain than the service, which asks who its visitors are. */
class TeaHouse {
  readonly #server: Server;
  readonly origin: string;
  issuer = "";
  readonly #asked = new Map<string, { verifier: string; nonce: string }>();

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    server.on("request", (req, res) => {
      const url = new URL(req.url ?? "/", this.origin);
      const answer = url.pathname === "/in" ? this.#greet(url) : this.#send(url.searchParams);
      answer.then(
        ({ to = "", text = "" }) =>
          res.writeHead(to === "" ? 200 : 302, to === "" ? {} : { Location: to }).end(text),
        (error: { error?: string }) => res.end(`no: ${error.error}`),
      );
    });
  }

  static async open(): Promise<TeaHouse> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, "localhost", resolve));
    return new TeaHouse(server);
  }

  #config = (): Promise<oidc.Configuration> =>
    oidc.discovery(new URL(this.issuer), "tea", undefined, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    });

  async #send(more: URLSearchParams): Promise<{ to: string; text?: string }> {
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    this.#asked.set(state, { verifier, nonce });
    const url = oidc.buildAuthorizationUrl(await this.#config(), {
      ...{ redirect_uri: `${this.origin}/in`, scope: "openid profile", state, nonce },
      ...{ code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
      ...Object.fromEntries(more),
    });
    return { to: url.href };
  }

  async #greet(url: URL): Promise<{ to?: string; text: string }> {
    const state = url.searchParams.get("state") ?? "";
    const { verifier = "", nonce = "" } = this.#asked.get(state) ?? {};
    const tokens = await oidc.authorizationCodeGrant(await this.#config(), url, {
      ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
    });
    return { text: `Hello ${tokens.claims()?.name}` };
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

inBrowser.describe("the page of a sign-in", () => {
  const side = signInsOfSuite();
  const { visitor } = side;
  let site: TeaHouse;
  let context: BrowserContext;
  let page: Page;

  async function open(players = ["Steve"], web: object = {}): Promise<void> {
    site = await TeaHouse.open();
    const client = { id: "tea", name: "Tea house", "redirect-uris": [`${site.origin}/in`] };
    site.issuer = await side.open([client], players, web);
    page = await visitor();
    context = page.context();
  }
  afterEach(() => site.stop());

  const { asks } = side;
  const type = (name?: string): Promise<void> => side.type(page, name);

  it("is login_required without script, and in a frame of the site", async () => {
    await open();
    const other = await visitor({ javaScriptEnabled: false });
    await other.goto(`${site.origin}?prompt=none`);
    await eventually(async () => expect(await other.textContent("body")).toBe("no: login_required"));
    await page.goto(`${site.origin}/in`);
    await page.evaluate(`document.body.innerHTML = '<iframe src="/?prompt=none"></iframe>'`);
    await eventually(async () =>
      expect(await page.frameLocator("iframe").locator("body").textContent()).toBe("no: login_required"),
    );
    await page.evaluate(`document.body.innerHTML = '<iframe src="/"></iframe>'`);
    await eventually(async () =>
      expect(page.frames().map(frame => frame.url())).toContainEqual(expect.stringMatching(/^chrome-error:/)),
    );
  });

  it("shows nothing of it to another browser", async () => {
    await open();
    await page.goto(site.origin);
    await sees(page, "Sign in at Tea house");
    const other = await visitor();
    await other.goto(page.url());
    await sees(other, "This sign-in is over, or it was begun in another browser.");
    expect(await violations(other, "sign-in-other")).toEqual([]);
  });

  it("says to accept nothing where the game calls another browser the same", async () => {
    await open();
    await page.goto(site.origin);
    await type();
    await sees(page, "left to answer");
    const session = (await context.cookies()).find(({ name }) => name === "website_user_uuid");
    const alike = `${session?.name}=${session?.value.slice(0, 8)}-0000-4000-8000-000000000000`;
    const other = await side.stage.bridge.ask("/link-player", {
      cookie: alike,
      body: { username: "Steve" },
    });
    expect(other.status).toBe(429);
    await sees(page, /^Do not accept! Another browser/);
    expect(await violations(page, "sign-in-alike")).toEqual([]);
    await page.reload();
    await sees(page, /^Do not accept! Another browser/);
  });

  it("leaves the site in the console, where the player ends it", async () => {
    await open();
    await page.goto(`${side.stage.bridge.base}/#you`);
    await sees(page, "Not linked");
    expect(await page.getByText("Sites that know you").count()).toBe(0);
    await page.goto(site.origin);
    await type();
    await asks(ACCEPT);
    await sees(page, "Hello Steve");
    await page.goto(`${side.stage.bridge.base}/#you`);
    await sees(page, "Sites that know you");
    expect(await violations(page, "sites")).toEqual([]);
    await page.getByRole("button", { name: "End Tea house" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Sites that know you").waitFor({ state: "detached" });
    await sees(page, "Tea house is told nothing more.");
    await page.goto(`${site.origin}?prompt=none`);
    await sees(page, "no: consent_required");
  });
});
