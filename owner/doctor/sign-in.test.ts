import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { renewSecrets } from "../../sidecar/features/sign-in/secrets.ts";
import { SIGN_IN_SECRETS, secretsFile } from "../../sidecar/features/sign-in/secrets-file.ts";
import { isProblem } from "./finding.ts";
import { type Fixture, fixtureWithSetup } from "./testing/fixture.ts";
import { type Situation, situation, testSituations } from "./testing/situations.ts";

// Own connections: answers instead of sites.

const fixture = fixtureWithSetup();
const PUBLIC = "https://play.example.com";
const REDIRECTS = ["https://forum.example/in", "https://forum.example/other", "https://map.example:8443/"];

/** A configuration with sign-ins. `issuer`: undefined: the address of the sidecar that runs. */
const signIn =
  (issuer?: string, redirects = REDIRECTS) =>
  (text: string): string => {
    const clients = redirects.map((uri, place) => ({
      ...{ id: `site-${place}`, name: `Site ${place}` },
      "redirect-uris": [uri],
    }));
    const own = issuer ?? fixture.base;
    return `${text}sign-in: ${JSON.stringify({ enabled: true, issuer: own, clients })}\n`;
  };

/** `aheadMs`: how far the site's clock is ahead as it answers. */
type Reply = { code: string } | { status?: number; body?: unknown; aheadMs?: number };

/** Sites on the internet: those that are named reply so, and the others as they should. */
const world =
  (replies: Record<string, Reply> = {}) =>
  (from: Fixture): { fetch: typeof fetch } => ({
    fetch: async (input, init) => {
      const url = new URL(String(input));
      if (/^(localhost|127\.0\.0\.1)$/.test(url.hostname)) return fetch(input, init);
      const reply = replies[url.origin] ?? {};
      if ("code" in reply)
        throw Object.assign(new TypeError("fetch failed"), { cause: { code: reply.code } });
      const { status = 200, body = { issuer: PUBLIC }, aheadMs = 0 } = reply;
      const isEmpty = status >= 300 && status < 400;
      return new Response(isEmpty ? null : typeof body === "string" ? body : JSON.stringify(body), {
        status,
        headers: { Date: new Date(from.system.now() + aheadMs).toUTCString() },
      });
    },
  });

const ISSUERS: [what: string, reply: Reply, says: string, fix: RegExp][] = [
  [
    "has no known name",
    { code: "ENOTFOUND" },
    "there is no play.example.com",
    /point that name to this machine/,
  ],
  ["has an old certificate", { code: "CERT_HAS_EXPIRED" }, "no certificate", /certificate for play\./],
  ["leads elsewhere", { status: 404, body: "<h1>" }, "does not reach the sidecar (404)", /well-known/],
  ["is another service", { body: { issuer: "https://b.example" } }, "it has another issuer", /^stop the/],
  ["sends on", { status: 301 }, "it redirects to another address (301)", /sign-in\.issuer -/],
  [
    "is an older sidecar",
    { status: 404, body: { error: "not_found" } },
    "sign-in is off on that sidecar",
    /^stop the/,
  ],
  [
    "leads to a sidecar by a name that it does not answer to",
    { status: 421, body: { error: "host_not_allowed" } },
    "rejects this host name (421)",
    /add play\.example\.com to modules\.api\.hosts/,
  ],
];

const SITES: Situation[] = [
  ...ISSUERS.map(([what, reply, says, fix]) => ({
    ...situation("sign-in", `an issuer that ${what} is named`, {
      says,
      fix,
    }),
    config: signIn(PUBLIC),
    system: world({ [PUBLIC]: reply }),
  })),
  situation("sign-in", "sign-ins are fine where sites and service find each other", {
    config: signIn(),
    system: world(),
    says: "ok: sites can reach the service at http://127.0.0.1",
  }),
  situation("sign-in", "an issuer with a path that the proxy leaves in is named", {
    config: text => signIn(`${fixture.base}/bridge`)(text),
    system: world(),
    says: "the proxy forwards its path to the sidecar",
    fix: "strip /bridge",
  }),
  situation("sign-in", "an issuer on this machine that does not answer is named", {
    config: signIn("http://127.0.0.1:1"),
    system: world(),
    says: "nothing answers",
  }),
  ...["ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN"].map(code => ({
    ...situation("sign-in", `an issuer that this machine alone may not reach (${code}) is left open`, {}),
    config: signIn(PUBLIC),
    system: world({ [PUBLIC]: { code } }),
    says: `note: ${PUBLIC} cannot be reached from this machine: open ${PUBLIC}/.well-known/`,
  })),
  situation("sign-in", "sign-ins that are off are not spoken of", {}),
  situation("sign-in", "sign-ins that no site may use are noted, with the command that adds one", {
    config: signIn(undefined, []),
    says: "sign-in.clients is empty: no site can use it; to add one: npm run key -- --sign-in",
  }),
  situation("sign-in", "a site that has no name is named with its entry", {
    config: signIn(),
    system: world({ "https://map.example:8443": { code: "ENOTFOUND" } }),
    says: "sign-in.clients[2] (site-2): https://map.example:8443: there is no map.example (ENOTFOUND)",
    fix: "fix it in",
  }),
  situation("sign-in", "a site that this machine does not reach is noted", {
    config: signIn(),
    system: world({ "https://forum.example": { code: "ECONNREFUSED" } }),
    says: "note: sign-in.clients[0] (site-0): https://forum.example cannot be reached from this machine",
  }),
  situation("sign-in", "a site on each visitor's own machine is noted", {
    config: signIn(PUBLIC, ["http://localhost:3000/in"]),
    system: world(),
    says: "note: sign-in.clients[0] (site-0): http://localhost:3000 is each visitor's own machine",
  }),
  situation("sign-in", "a site whose clock is off by more than a minute is named", {
    config: signIn(),
    system: world({ "https://forum.example": { aheadMs: 90_000 } }),
    says: /the clocks of https:\/\/forum\.example and of this machine are (89|90|91) s apart/,
  }),
  situation("sign-in-files", "over TLS a cookie for its host only is better", {
    config: signIn(PUBLIC),
    system: world(),
    says: /run config -- set modules\.api\.session-cookie\.name __Host-website_user_uuid .*\(players have to link again\)$/,
  }),
  situation("notes", "over TLS a trusted proxy is recommended", {
    config: signIn(PUBLIC),
    system: world(),
    says: "note: modules.api.trust-proxy is false",
  }),
];

const keys = (): string => join(dirname(fixture.tokenFile), SIGN_IN_SECRETS);
const KEYS: Situation[] = [
  situation("sign-in-files", "keys are made at a start", {
    config: signIn(undefined, []),
    says: "ok: the sign-in keys are made when the sidecar starts the next time",
  }),
  ...["{", "[]", '{"signing":[],"cookies":[]}', "\0\0"].map(text => ({
    ...situation("sign-in-files", `damaged keys (${JSON.stringify(text)}) are named`, {}),
    config: signIn(undefined, []),
    prepare: () => writeFileSync(keys(), text, { mode: 0o600 }),
    says: "the sign-in keys are damaged: the sidecar does not start with them",
    fix: /^delete it: new ones are made at the next start.* npm start/,
  })),
];

describe("sign-ins", () => {
  testSituations(fixture, [...SITES, ...KEYS]);

  it("have keys that only the owner can read, and that are not printed", async () => {
    fixture.edit(fixture.config, signIn(undefined, []));
    await fixture.restartSidecar();
    await renewSecrets(secretsFile(dirname(keys())), Date.now());
    expect(await fixture.verdictOf("sign-in-files")).toBe("ok: the sign-in keys can be read");
    chmodSync(keys(), 0o644);
    const findings = await fixture.doctor();
    expect(findings.filter(isProblem)).toMatchObject([
      { what: expect.stringContaining("(mode 644)"), fix: { command: `chmod 600 "${keys()}"` } },
    ]);
    const { cookies, signing } = JSON.parse(readFileSync(keys(), "utf8"));
    for (const secret of [cookies[0], signing[0].jwk.d])
      expect(JSON.stringify(findings)).not.toContain(secret);
  });

  it("send a request to 20 sites at most", async () => {
    fixture.edit(
      fixture.config,
      signIn(
        undefined,
        Array.from({ length: 60 }, (_, n) => `https://s${n}.example/`),
      ),
    );
    await fixture.restartSidecar();
    const requests = new Set<string>();
    const far = world()(fixture).fetch;
    await fixture.doctor({
      fetch: (input, init) => {
        if (String(input).includes(".example")) requests.add(`${init?.method} ${input}`);
        return far(input, init);
      },
    });
    expect([requests.size, [...requests][0]]).toEqual([20, "HEAD https://s0.example/"]);
  });
});
