import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "@jest/globals";
import * as oidc from "openid-client";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { freePort } from "../../lab/scale/free-port.ts";
import { ACCEPT, DECLINE, formOf } from "../helpers/browser.ts";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "./page.ts";
import { inBrowser, openBrowser, Stage } from "./stage.ts";

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
  let browser: Browser;
  let stage: Stage;
  let site: TeaHouse;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await TeaHouse.open();
    const port = await freePort();
    site.issuer = `http://127.0.0.1:${port}`;
    const clients = [{ id: "tea", name: "Tea house", "redirect-uris": [`${site.origin}/in`] }];
    const yaml = JSON.stringify({
      "sign-in": { enabled: true, issuer: site.issuer, clients },
      modules: { web: { title: "Oak & Stone" } },
    });
    stage = await Stage.open(browser, ["Steve"], { yaml, publicPort: port });
    context = await browser.newContext();
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    await stage.close();
    site.stop();
  });

  const asks = async (answer: number): Promise<void> => {
    const steve = stage.bridge.player("Steve");
    const form = await formOf(stage.bridge, steve);
    expect(JSON.stringify(form)).toContain("Tea house");
    steve.answer(answer);
  };
  const type = async (): Promise<void> => {
    await page.getByLabel("Player name").fill("Steve");
    await page.getByRole("button", { name: "Ask" }).click();
  };

  it("leads from the site to the game and back, and knows the browser the next time", async () => {
    await page.goto(site.origin);
    await sees(page, "Sign in at Tea house");
    await sees(page, "It learns your name and your id, and nothing else.");
    expect(await page.title()).toBe("Sign in at Tea house – Oak & Stone");
    expect(await violations(page, "sign-in")).toEqual([]);
    await type();
    await sees(page, "left to answer");
    await page.reload();
    await sees(page, "left to answer");
    expect(await violations(page, "sign-in-waiting")).toEqual([]);
    await asks(DECLINE);
    await sees(page, "The player declined");
    await type();
    await asks(ACCEPT);
    await sees(page, "Hello Steve");
    await page.goto(site.origin);
    expect(await violations(page, "sign-in-offered")).toEqual([]);
    await page.getByRole("button", { name: "Go on as Steve" }).click();
    await sees(page, "Hello Steve");
    await page.goto(`${site.origin}?prompt=none`);
    await sees(page, "Hello Steve");
  });

  it("tells the site of a visitor who goes no further", async () => {
    await page.goto(site.origin);
    await page.getByRole("button", { name: "Cancel" }).click();
    await sees(page, "no: access_denied");
    await page.goto(`${site.origin}?prompt=none`);
    await sees(page, "no: login_required");
  });

  it("is login_required without script, and in a frame of the site", async () => {
    const still = await browser.newContext({ javaScriptEnabled: false });
    const other = await still.newPage();
    await other.goto(`${site.origin}?prompt=none`);
    await eventually(async () => expect(await other.textContent("body")).toBe("no: login_required"));
    await still.close();
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
});
