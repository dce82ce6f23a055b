import { createHash } from "node:crypto";
import { expect } from "@jest/globals";
import * as oidc from "openid-client";
import { freePort } from "../../cli/free-port.ts";
import type { Audit } from "../../sidecar/features/moderation/audit.ts";
import { row } from "./fake-pack.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { serving } from "./serving.ts";

// Own connections: sends cookies by site and path as a browser does, unlike the other clients of the tests.

interface Cookie {
  value: string;
  path: string;
}

export interface Page {
  status: number;
  headers: Headers;
  text: string;
  /** target of a redirect to another origin */
  location: string | undefined;
}

/** The part of a browser that sign-in depends on: cookies by path, which are not sent from other sites. */
export class SignInBrowser {
  readonly #jar = new Map<string, Cookie>();
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** All its cookies, by name. */
  get cookies(): string[] {
    return [...this.#jar.keys()].map(key => key.split("|")[0] ?? "");
  }

  /** The signed cookies of the service. */
  get signatures(): string[] {
    return [...this.#jar].flatMap(([key, { value }]) => (key.includes(".sig|") ? [value] : []));
  }

  async #fetch(url: URL, init: RequestInit, isOwn: boolean): Promise<Response> {
    const sent = [...this.#jar].filter(
      ([, { path }]) =>
        isOwn && (path === "/" || url.pathname === path || url.pathname.startsWith(`${path}/`)),
    );
    const headers = new Headers(init.headers);
    if (sent.length > 0)
      headers.set("Cookie", sent.map(([key, { value }]) => `${key.split("|")[0]}=${value}`).join("; "));
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    return answer;
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(/; */);
    const [name = ""] = pair.split("=");
    const path = attributes.find(each => /^path=/i.test(each))?.slice(5) ?? "/";
    expect(line).toMatch(/; httponly/i);
    expect(line).toMatch(/; samesite=strict/i);
    const isOver = /expires=Thu, 01 Jan 1970/i.test(line);
    if (isOver) this.#jar.delete(`${name}|${path}`);
    else this.#jar.set(`${name}|${path}`, { value: pair.slice(name.length + 1), path });
  }

  /** Opens an address and follows redirects within the service. `from`: the site of the link. */
  async go(address: string, from: "elsewhere" | "own" = "elsewhere", init: RequestInit = {}): Promise<Page> {
    let url = new URL(address);
    let answer = await this.#fetch(url, init, from === "own");
    for (let hops = 0; hops < 5; hops++) {
      const to = answer.headers.get("location");
      if (to === null) break;
      const next = new URL(to, url);
      if (next.origin !== new URL(this.#base).origin)
        return { status: answer.status, headers: answer.headers, text: "", location: next.href };
      url = next;
      answer = await this.#fetch(url, {}, from === "own");
    }
    this.at = url;
    return { status: answer.status, headers: answer.headers, text: await answer.text(), location: undefined };
  }
  at = new URL("about:blank");

  async delete(path: string): Promise<[number, unknown]> {
    const init = { method: "DELETE", headers: { Origin: this.#base } };
    const answer = await this.#fetch(new URL(path, this.#base), init, true);
    return [answer.status, await answer.json()];
  }

  /** Calls an endpoint of the current page, or of the service. */
  async call(path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await this.#fetch(
      new URL(path, this.#base),
      {
        method: body ? "POST" : "GET",
        headers: {
          ...(body && { Origin: this.#base, "Content-Type": "application/json" }),
          "Sec-Fetch-Site": "same-origin",
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      true,
    );
    const text = await answer.text();
    return {
      status: answer.status,
      json: text === "" ? undefined : JSON.parse(text),
      headers: answer.headers,
    };
  }
}

export const SECRET = "the-secret-of-the-forum";
export const BACK = "https://forum.example/signed-in";
const sha256 = createHash("sha256").update(SECRET).digest("hex");

export const sitesOf = (back = BACK) => [
  { id: "example-forum", name: "Example Forum", "redirect-uris": [back], "secret-sha256": sha256 },
  { id: "map", name: "Map", "redirect-uris": ["https://map.example/", "https://map.example/in"] },
];

interface More {
  /** settings of the public service */
  api?: object;
  /** all other settings */
  yaml?: object;
  env?: Record<string, string>;
  audit?: Audit;
}

/** The sign-in of one visitor at one site. */
export interface SignInRequest {
  url: URL;
  verifier: string;
  state: string;
  nonce: string;
  maxAge: number | undefined;
}

/** Sites that use sign-in, with a library for real websites. */
export function signingIn(side: Pick<ReturnType<typeof serving>, "start" | "pack">) {
  let issuer = "";
  let begin = async (_clients: object[]): Promise<void> => undefined;
  const known = new Map<string, oidc.Configuration>();

  return {
    issuer: () => issuer,
    browser: () => new SignInBrowser(issuer),
    async start(more: More = {}, path = "", back = BACK): Promise<void> {
      const port = await freePort();
      this.startedAt(`http://127.0.0.1:${port}${path}`);
      // Stored data is kept across a restart.
      const store = { ...createMemoryStore(), close: async () => undefined };
      begin = async clients => {
        const signIn = { enabled: true, issuer, clients };
        const yaml = JSON.stringify({ "sign-in": signIn, modules: { api: more.api ?? {} }, ...more.yaml });
        const audit = more.audit && { audit: more.audit };
        const env = more.env && { env: more.env };
        await side.start({ yaml, publicPort: port, store, ...audit, ...env }, ["Steve", "Alex"]);
      };
      await begin(sitesOf(back));
    },
    /** Such sites, for a service that a test starts itself. */
    startedAt(address: string): void {
      issuer = address;
      known.clear();
    },
    /** Restarts the service, for the same sites. */
    restart: (clients: object[]): Promise<void> => begin(clients),
    async site(id: "example-forum" | "map" = "example-forum"): Promise<oidc.Configuration> {
      const secret = id === "example-forum" ? SECRET : undefined;
      const auth = secret === undefined ? oidc.None() : undefined;
      const found =
        known.get(id) ??
        (await oidc.discovery(new URL(issuer), id, secret, auth, { execute: [oidc.allowInsecureRequests] }));
      known.set(id, found);
      return found;
    },
    /** The authorization address of a site. */
    async ask(
      params: Record<string, string> = {},
      id: "example-forum" | "map" = "example-forum",
    ): Promise<SignInRequest> {
      const verifier = oidc.randomPKCECodeVerifier();
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
      const url = oidc.buildAuthorizationUrl(await this.site(id), {
        redirect_uri: id === "map" ? "https://map.example/in" : BACK,
        scope: "openid profile",
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...{ state, nonce },
        ...params,
      });
      const maxAge = params.max_age === undefined ? undefined : Number(params.max_age);
      return { url, verifier, state, nonce, maxAge };
    },
    /** A visitor of a site who has opened the sign-in page, with a session. */
    async visit(params: Record<string, string> = {}, id?: "example-forum" | "map") {
      const [authRequest, browser] = [await this.ask(params, id), new SignInBrowser(issuer)];
      await browser.go(authRequest.url.href);
      await browser.call("/initialize");
      return { authRequest, browser };
    },
    /** The id of the linked player of a browser. */
    sub: async (browser: SignInBrowser): Promise<string> => (await browser.call("/session")).json.player.uuid,
    /** The response of `userinfo` for a token. */
    async userinfo(token: string): Promise<[number, string | null]> {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`${issuer}/sign-in/userinfo`, { headers });
      return [answer.status, answer.headers.get("www-authenticate")];
    },
    /** The site handles the redirect back. */
    async back(
      { verifier, state, nonce, maxAge }: SignInRequest,
      location = "",
      id: "example-forum" | "map" = "example-forum",
    ) {
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
      return oidc.authorizationCodeGrant(await this.site(id), new URL(location), {
        ...checks,
        ...(maxAge !== undefined && { maxAge }),
      });
    },
    /** The game opens a requested form; returns the id of the request. Other actions are ignored. */
    async opened(username = "Steve"): Promise<string> {
      for (;;)
        for (const { id, body } of await side.pack.take()) {
          if (body.do !== "link-open") continue;
          await side.pack.report({
            is: "outcome",
            id,
            do: body.do,
            status: "done",
            player: row(username).player,
          });
          return id;
        }
    },
    /** Sends a link request from the current page of a browser, which the player answers. */
    async inGame(browser: SignInBrowser, accepted = true, username = "Steve"): Promise<void> {
      const pending = browser.call(`${browser.at.pathname}/player`, { username });
      const id = await this.opened(username);
      const { status } = await pending;
      if (status !== 202) throw new Error(`the request was answered ${status}`);
      await side.pack.report({ is: "answered", request: id, accepted });
    },
    state: async (browser: SignInBrowser) => (await browser.call(`${browser.at.pathname}/state`)).json,
    /** Continues as the offered player; returns where the browser ends. */
    async goOn(browser: SignInBrowser, uuid?: string): Promise<Page> {
      const whom = uuid ?? (await this.state(browser)).player?.uuid;
      const { json } = await browser.call(`${browser.at.pathname}/go-on`, { uuid: whom });
      return browser.go(json.location, "own");
    },
    /** A complete sign-in, from the site and back to it. */
    async whole(
      browser = new SignInBrowser(issuer),
      params: Record<string, string> = {},
      id?: "example-forum" | "map",
    ) {
      const authRequest = await this.ask(params, id);
      await browser.go(authRequest.url.href);
      if (!browser.cookies.includes("website_user_uuid")) await browser.call("/initialize");
      await this.inGame(browser);
      const { location } = await this.goOn(browser);
      return { browser, authRequest, location, tokens: await this.back(authRequest, location, id) };
    },
  };
}

/** The parameters of a redirect to a site. */
export const redirectParams = (location = ""): Record<string, string> =>
  Object.fromEntries(new URL(location).searchParams.entries());
