import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import * as oidc from "openid-client";
import type { BrowserContext, Page } from "playwright-core";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
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

  it("leads from the site to the game and back, and knows the browser the next time", async () => {
    await open();
    await page.goto(site.origin);
    await sees(page, "Sign in at Tea house");
    await sees(page, "It learns your name and your id, and nothing else.");
    expect(await page.title()).toBe("Sign in at Tea house – Oak & Stone");
    expect(await violations(page, "sign-in")).toEqual([]);
    await type();
    await sees(page, "left to answer");
    await page.reload();
    await sees(page, "left to answer");
    await sees(page, "Steve sees a question in the game now.");
    expect(await violations(page, "sign-in-waiting")).toEqual([]);
    const code = await page.locator("code").textContent();
    expect(code).toMatch(/^[0-9a-f]{8}$/);
    expect(await asks(DECLINE)).toContain(`browser ${code}`);
    await sees(page, "The player declined");
    expect(await violations(page, "sign-in-declined")).toEqual([]);
    await type();
    await asks(ACCEPT);
    await sees(page, "Hello Steve");
    await page.goto(site.origin);
    await page.getByRole("button", { name: "Ask another player" }).waitFor();
    expect(await violations(page, "sign-in-offered")).toEqual([]);
    await page.getByRole("button", { name: "Go on as Steve" }).click();
    await sees(page, "Hello Steve");
    await page.goto(`${site.origin}?prompt=none`);
    await sees(page, "Hello Steve");
  });

  it("goes on with the keyboard alone, and offers who is online and the name that was meant", async () => {
    await open(["Steve", "Alex"]);
    await page.goto(site.origin);
    await page.getByRole("list", { name: "Online now" }).waitFor();
    expect(await page.locator(".offered button").allTextContents()).toEqual(["Alex", "Steve"]);
    await page.getByLabel("Player name").focus();
    await page.keyboard.type("steev");
    await page.keyboard.press("Enter");
    await sees(page, "Nobody called “steev” is online.");
    expect(await violations(page, "sign-in-meant")).toEqual([]);
    await page.getByRole("button", { name: "Did you mean Steve?" }).focus();
    await page.keyboard.press("Enter");
    await sees(page, "left to answer");
    await eventually(async () => expect(await page.evaluate("document.activeElement.id")).toBe("content"));
    await asks(ACCEPT);
    await sees(page, "Hello Steve");
  });

  it("takes no yes from whoever has only just come to look at it", async () => {
    await open();
    await page.goto(site.origin);
    await type();
    await asks(ACCEPT);
    await sees(page, "Hello Steve");
    await page.goto(site.origin);
    const offer = page.getByRole("button", { name: "Go on as Steve" });
    await offer.and(page.locator("[aria-disabled=false]")).waitFor();
    // What was in front of the page is gone by a first click, and the second one is the page's.
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
  });

  describe("at length", () => {
    it("tells the site of a visitor who goes no further", async () => {
      await open();
      await page.goto(site.origin);
      await page.getByRole("button", { name: "Cancel" }).click();
      await sees(page, "no: access_denied");
      await page.goto(`${site.origin}?prompt=none`);
      await sees(page, "no: login_required");
    });

    it("says in the language of the browser why a sign-in of its site cannot go on, also without script", async () => {
      await open();
      const wrong = `${site.origin}?redirect_uri=https://evil.example/`;
      const german = await visitor({ locale: "de-DE" });
      await german.goto(wrong);
      await sees(german, "Diese Anmeldung kann nicht weitergehen.");
      await sees(german, "invalid_redirect_uri");
      expect(await violations(german, "sign-in-fault")).toEqual([]);
      await german.getByRole("combobox").selectOption({ label: "English" });
      await sees(german, "This sign-in cannot go on.");
      await german.goto(`${site.issuer}/sign-in/ask/none`);
      await sees(german, "this sign-in is over");
      const plain = await visitor({ javaScriptEnabled: false });
      await plain.goto(wrong);
      expect(await plain.textContent("noscript")).toContain("This sign-in cannot go on");
    });

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
        expect(page.frames().map(frame => frame.url())).toContainEqual(
          expect.stringMatching(/^chrome-error:/),
        ),
      );
    });

    it("asks another player than the one who is offered", async () => {
      await open(["Steve", "Alex"]);
      await page.goto(site.origin);
      await type();
      await asks(ACCEPT);
      await sees(page, "Hello Steve");
      await page.goto(site.origin);
      await page.getByRole("button", { name: "Ask another player" }).click();
      await sees(page, "the present link ends");
      await eventually(async () => expect(await page.evaluate("document.activeElement.id")).toBe("player"));
      expect(await violations(page, "sign-in-another")).toEqual([]);
      await type("Alex");
      await asks(ACCEPT, "Alex");
      await sees(page, "Hello Alex");
    });

    it("goes on in a tab that was closed meanwhile, and for whoever begins again at the site", async () => {
      await open();
      await page.goto(site.origin);
      await type();
      await sees(page, "left to answer");
      const address = page.url();
      await page.close();
      page = await context.newPage();
      await page.goto(address);
      await sees(page, "left to answer");
      await page.close();
      await asks(ACCEPT);
      page = await context.newPage();
      await page.goto(site.origin);
      await page.getByRole("button", { name: "Go on as Steve" }).click();
      await sees(page, "Hello Steve");
      await page.goto(address);
      await sees(page, "Hello Steve");
      // Back at a sign-in that has come to its end.
      const over = await page.goto(address);
      expect(over?.status()).toBe(404);
    });

    it("goes on after the service was away, and says so meanwhile", async () => {
      await open();
      await page.goto(site.origin);
      await type();
      await sees(page, "left to answer");
      await side.stage.pause();
      await side.stage.bridge.stopSidecar();
      await sees(page, "Check your connection and try again.");
      await side.stage.bridge.startSidecar();
      side.stage.run();
      await asks(ACCEPT);
      await sees(page, "Hello Steve");
    });

    it("says that the game server is away", async () => {
      await open([]);
      await page.goto(site.origin);
      await sees(page, "The game server is away");
      await type();
      await sees(page, /^The game server is away\. Try again in/);
      expect(await violations(page, "sign-in-away")).toEqual([]);
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

    it("speaks the language of a phone, in the owner's colour, where the console is turned off too", async () => {
      await open(["Steve"], { enabled: false, accent: "#8a2be2" });
      const phone = { locale: "de-DE", viewport: { width: 320, height: 640 }, colorScheme: "dark" } as const;
      page = await visitor(phone);
      await page.goto(site.origin);
      await sees(page, "Bei Tea house anmelden");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      const accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent')";
      expect(await page.evaluate(accent)).not.toBe("#8cc07c");
      expect(await violations(page, "sign-in-phone")).toEqual([]);
      await page.getByLabel("Sprache").selectOption({ label: "English" });
      await sees(page, "Sign in at Tea house");
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
});
