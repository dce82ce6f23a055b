import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as oidc from "openid-client";
import { markup } from "../../sidecar/kernel/http/markup.ts";
import type { SiteClient } from "./options.ts";

const HOST = "127.0.0.1";
/** A browser treats this host as another site than the service at 127.0.0.1. */
const NAME = "localhost";
const ID = "example-site";
const TITLE = "Example site";

/** Most sign-ins that have begun and not ended; the oldest is dropped. */
const MAX_VISITS = 100;

const STYLE =
  ":root{color-scheme:light dark}body{margin:3rem auto;max-width:30rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}a{display:inline-block;padding:.6rem 1rem;background:#38682f;color:#fff;font-weight:600;text-decoration:none;border-radius:2px}";
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Visit {
  pkceCodeVerifier: string;
  expectedState: string;
  expectedNonce: string;
}

/** Another website, where players sign in with the service. */
export interface ExampleSite {
  /** where it is, without a slash at the end */
  origin: string;
  /** its entry in the configuration of the sidecar */
  client: SiteClient;
  /** Sets the service to sign in with. */
  open(service: string): void;
  close(): Promise<void>;
}

/**
 * Opens the site on the loopback interface; other host names get 403.
 * @param port 0: any free one
 * @throws when the port is in use
 */
export async function openExampleSite(port: number): Promise<ExampleSite> {
  const visits = new Map<string, Visit>();
  let service: string | undefined;
  let known: oidc.Configuration | undefined;
  const server = createServer((req, res) => {
    answer(req, res).catch(() => say(res, 502, "The service cannot be reached."));
  });
  await once(server.listen(port, HOST), "listening");
  const origin = `http://${NAME}:${(server.address() as AddressInfo).port}`;
  const back = `${origin}/signed-in`;

  async function config(issuer: string): Promise<oidc.Configuration> {
    const execute = [oidc.allowInsecureRequests];
    known ??= await oidc.discovery(new URL(issuer), ID, undefined, oidc.None(), { execute });
    return known;
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? "/", origin);
    if (req.headers.host !== new URL(origin).host)
      say(res, 403, "This site is available on this machine only.");
    else if (service === undefined) say(res, 503, "The demo is starting.");
    else if (url.pathname === "/sign-in") await send(res, await config(service));
    else if (url.pathname === "/signed-in") await greet(req, res, url, await config(service));
    else if (url.pathname === "/") say(res, 200, "Welcome.");
    else say(res, 404, "There is no such page.");
  }

  async function send(res: ServerResponse, client: oidc.Configuration): Promise<void> {
    const id = randomUUID();
    const visit = {
      pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
      expectedState: oidc.randomState(),
      expectedNonce: oidc.randomNonce(),
    };
    visits.set(id, visit);
    const [oldest] = visits.keys();
    if (visits.size > MAX_VISITS && oldest !== undefined) visits.delete(oldest);
    const { href } = oidc.buildAuthorizationUrl(client, {
      redirect_uri: back,
      scope: "openid profile",
      state: visit.expectedState,
      nonce: visit.expectedNonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(visit.pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    res.writeHead(302, { Location: href, "Set-Cookie": `visit=${id}; HttpOnly; SameSite=Lax; Path=/` }).end();
  }

  async function greet(
    req: IncomingMessage,
    res: ServerResponse,
    url: URL,
    client: oidc.Configuration,
  ): Promise<void> {
    const id = /(?:^|; )visit=([\w-]+)/.exec(req.headers.cookie ?? "")?.[1] ?? "";
    const visit = visits.get(id);
    visits.delete(id);
    if (visit === undefined) return say(res, 400, "This sign-in has expired. Sign in again.");
    if (url.searchParams.get("error") === "access_denied") return say(res, 200, "You did not sign in.");
    const tokens = await oidc.authorizationCodeGrant(client, url, visit);
    say(res, 200, `Welcome, ${tokens.claims()?.name}.`);
  }

  return {
    origin,
    client: { id: ID, name: TITLE, "redirect-uris": [back] },
    open(address) {
      service = address;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function say(res: ServerResponse, status: number, text: string): void {
  const page = markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<style>${STYLE}</style>
<h1>${TITLE}</h1>
<p>${text}</p>
<p><a href="/sign-in">Sign in with your player</a></p>
`;
  res
    .writeHead(status, {
      ...{ "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY },
      ...{ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
    })
    .end(page.text);
}
