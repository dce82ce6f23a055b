import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import * as oidc from "openid-client";
import type { Page } from "playwright-core";
import { ACCEPT, DECLINE } from "../../test/helpers/browser.ts";
import { askForOnline, sees, violations } from "../testing/page.ts";
import { signInsOfSuite } from "../testing/signing-in.ts";
import { inBrowser } from "../testing/stage.ts";

// Own connections: plays a site on another domain, and a browser that navigates between sites.

/** A site on another domain than the service, which asks who its visitors are. */
class ExampleForum {
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

  static async open(): Promise<ExampleForum> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, "localhost", resolve));
    return new ExampleForum(server);
  }

  #config = (): Promise<oidc.Configuration> =>
    oidc.discovery(new URL(this.issuer), "forum", undefined, oidc.None(), {
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
  let site: ExampleForum;
  let page: Page;

  async function open(): Promise<void> {
    site = await ExampleForum.open();
    const client = { id: "forum", name: "Example Forum", "redirect-uris": [`${site.origin}/in`] };
    site.issuer = await side.open([client]);
    page = await visitor();
  }
  afterEach(() => site.stop());

  const { answerForm } = side;

  it("leads from the site to the game and back, and recognises the browser the next time", async () => {
    await open();
    await page.goto(site.origin);
    await sees(page, "Sign in to Example Forum");
    const { host } = new URL(site.origin);
    expect(await page.getByRole("heading", { level: 2 }).textContent()).toBe(
      `Sign in to Example Forum ${host}`,
    );
    await sees(page, "It gets your player name and id, and nothing else.");
    await sees(page, "Signing in also links this browser to your player.");
    expect(await page.title()).toBe("Sign in to Example Forum – Oak & Stone");
    expect(await violations(page, "sign-in")).toEqual([]);
    await askForOnline(page, "Steve");
    await sees(page, "left to answer");
    await page.reload();
    await sees(page, "left to answer");
    await sees(page, "A request is waiting for Steve in the game.");
    expect(await violations(page, "sign-in-waiting")).toEqual([]);
    const code = await page.locator("code").textContent();
    expect(code).toMatch(/^[0-9a-f]{8}$/);
    expect(await answerForm(DECLINE)).toContain(`browser ${code}`);
    await sees(page, "The player declined the request.");
    expect(await violations(page, "sign-in-declined")).toEqual([]);
    await askForOnline(page, "Steve");
    await answerForm(ACCEPT);
    await sees(page, "Hello Steve");
    await page.goto(site.origin);
    await page.getByRole("button", { name: "Use a different player" }).waitFor();
    expect(await violations(page, "sign-in-offered")).toEqual([]);
    await page.getByRole("button", { name: "Continue as Steve" }).click();
    await sees(page, "Hello Steve");
    await page.goto(`${site.origin}?prompt=none`);
    await sees(page, "Hello Steve");
  });

  it("ignores a click right after it appeared, and can be undone in the web console", async () => {
    await open();
    await page.goto(site.origin);
    await askForOnline(page, "Steve");
    await answerForm(ACCEPT);
    await sees(page, "Hello Steve");
    await page.goto(site.origin);
    const offer = page.getByRole("button", { name: "Continue as Steve" });
    await offer.and(page.locator("[aria-disabled=false]")).waitFor();
    // A first click closes what covered the page, and the second one reaches the page.
    const pressed = await page.evaluate(`new Promise(resolve => {
      const button = document.querySelector(".offer");
      dispatchEvent(new Event("focus"));
      setTimeout(() => {
        button.click();
        resolve(button.getAttribute("aria-disabled"));
      });
    })`);
    expect(pressed).toBe("true");
    await offer.and(page.locator("[aria-disabled=false]")).click();
    await sees(page, "Hello Steve");
    await page.goto(`${side.stage.bridge.base}/#you`);
    await sees(page, "Connected sites");
    expect(await violations(page, "sites")).toEqual([]);
    await page.getByRole("button", { name: "Disconnect Example Forum" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Connected sites").waitFor({ state: "detached" });
    await sees(page, "Example Forum is disconnected.");
    await page.goto(`${site.origin}?prompt=none`);
    await sees(page, "no: consent_required");
  });

  it("says in another browser that a sign-in was started elsewhere, and has nothing to report", async () => {
    await open();
    await page.goto(site.origin);
    await sees(page, "Sign in to Example Forum");
    const other = await visitor();
    await other.goto(page.url());
    await sees(other, "This sign-in has expired or was started in another browser.");
    expect(await other.locator("code").count()).toBe(0);
    expect(await violations(other, "sign-in-over")).toEqual([]);
  });
});
