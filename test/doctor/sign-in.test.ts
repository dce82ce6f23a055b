import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type Finding, isProblem } from "../../owner/doctor/finding.ts";
import { freePort } from "../deploy/front.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

// Own connections: answers in the place of sites.

const fixture = new Fixture();
let plain = "";
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp();
  plain = readFileSync(fixture.config, "utf8");
  await signIn(fixture.base);
});
afterAll(() => fixture.remove());

const REDIRECTS = ["https://forum.example/in", "https://forum.example/other", "https://map.example:8443/"];

/** Has the configuration say this of sign-ins; the sidecar that runs knows of it, unless it is older. */
async function signIn(
  issuer: string,
  { redirects = REDIRECTS, isOlder = false, api = "" } = {},
): Promise<void> {
  const clients = redirects.map((uri, place) => ({
    id: `site-${place}`,
    name: `Site ${place}`,
    "redirect-uris": [uri],
  }));
  const yaml = `sign-in: ${JSON.stringify({ enabled: true, issuer, clients })}\n`;
  writeFileSync(
    fixture.config,
    `${plain}${yaml}`.replace(/^( +)host: 127/m, `${api && `$1${api}\n`}$1host: 127`),
  );
  if (!isOlder) await fixture.restartSidecar();
}

/** `aheadMs`: how far the site's clock is ahead as it answers. */
type Reply =
  | { code: string }
  | { status?: number; headers?: Record<string, string>; body?: unknown; aheadMs?: number };

/** Sites on the internet as they are told, and those that nobody tells of as they should be. */
function world(replies: Record<string, Reply> = {}): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    if (/^(localhost|127\.0\.0\.1)$/.test(url.hostname) && !(url.origin in replies))
      return fetch(input, init);
    const reply = replies[url.origin] ?? {};
    if ("code" in reply) throw Object.assign(new TypeError("fetch failed"), { cause: { code: reply.code } });
    const { status = 200, body = "", headers = {}, aheadMs = 0 } = reply;
    const text =
      status >= 300 && status < 400 ? null : typeof body === "string" ? body : JSON.stringify(body);
    return new Response(text, {
      status,
      headers: { Date: new Date(fixture.around.now() + aheadMs).toUTCString(), ...headers },
    });
  };
}

const doctor = (replies?: Record<string, Reply>): Promise<Finding[]> =>
  fixture.doctor({ fetch: world(replies) });
const of = (findings: readonly Finding[], id: string): Finding[] => findings.filter(each => each.id === id);
const all = (findings: readonly Finding[]): [string, string][] =>
  findings.flatMap(({ id, state }) => (id.startsWith("sign-in-") ? [[id, state] as [string, string]] : []));
const FINE = [
  ["sign-in-keys", "ok"],
  ["sign-in-issuer", "ok"],
  ["sign-in-redirect", "ok"],
  ["sign-in-clock", "ok"],
];

describe("sign-ins", () => {
  it("are fine where sites and service find each other", async () => {
    const findings = await doctor();
    expect(all(findings)).toEqual(FINE);
    expect(findings.filter(isProblem)).toEqual([]);
  });

  it("are nothing to speak of where they are off", async () => {
    writeFileSync(fixture.config, plain);
    expect(all(await doctor())).toEqual([]);
    await signIn(fixture.base);
  });

  it("are asked for by nobody where there is no site", async () => {
    await signIn(fixture.base, { redirects: [] });
    const [found] = of(await doctor(), "sign-in-redirect");
    expect(found).toMatchObject({ state: "note", what: expect.stringContaining("npm run key -- --sign-in") });
    await signIn(fixture.base);
  });
});

describe("the address at which sites find the service", () => {
  const PUBLIC = "https://play.example.com";
  const issuer = async (replies?: Record<string, Reply>): Promise<Finding | undefined> =>
    of(await doctor(replies), "sign-in-issuer")[0];
  afterEach(() => signIn(fixture.base));

  it.each<[string, Reply, string, RegExp]>([
    [
      "has no name that is known",
      { code: "ENOTFOUND" },
      "there is no play.example.com",
      /^have that name lead here; or: npm run config -- set/,
    ],
    [
      "has a certificate that has run out",
      { code: "CERT_HAS_EXPIRED" },
      "has no certificate",
      /^give the proxy in front of it one for play\.example\.com/,
    ],
    [
      "has no TLS",
      { code: "ERR_SSL_WRONG_VERSION_NUMBER" },
      "has no certificate",
      /deploy\/caddy\/Caddyfile/,
    ],
    [
      "leads to something else",
      { status: 404, body: "<h1>Not found" },
      "does not lead to the sidecar (404)",
      /also below \/\.well-known\//,
    ],
    [
      "leads to a page for everything",
      { body: "<h1>Welcome" },
      "does not lead to the sidecar (200)",
      /^have the proxy/,
    ],
    [
      "leads to another service",
      { body: { issuer: "https://other.example" } },
      "calls itself otherwise",
      /^stop the sidecar and/,
    ],
    [
      "sends on",
      { status: 301, headers: { Location: "https://www.example.com" } },
      "sends on to another address (301)",
      /which reads the address that browsers see/,
    ],
    [
      "leads to a sidecar without sign-ins",
      { status: 404, body: { error: "not_found" } },
      "knows of no sign-ins",
      /^stop the sidecar and/,
    ],
  ])("is named where it %s, with what to do", async (_, reply, what, mend) => {
    await signIn(PUBLIC, { isOlder: true });
    expect(await issuer({ [PUBLIC]: reply })).toEqual({
      ...{ id: "sign-in-issuer", state: "problem" },
      what: expect.stringContaining(what),
      mend: expect.stringMatching(mend),
    });
  });

  it("is fine where it leads to this service", async () => {
    await signIn(PUBLIC);
    expect((await issuer({ [PUBLIC]: { body: { issuer: PUBLIC, more: [1] } } }))?.state).toBe("ok");
  });

  it("is left open where this machine alone may not reach it", async () => {
    await signIn(PUBLIC);
    for (const code of ["ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "EAI_AGAIN"])
      expect(await issuer({ [PUBLIC]: { code } })).toMatchObject({
        state: "skipped",
        what: expect.stringContaining(`look from elsewhere at ${PUBLIC}/.well-known/openid-configuration`),
      });
  });

  it("is mended where the service does not answer to its name", async () => {
    await signIn(PUBLIC);
    const refusal = { status: 421, body: { error: "host_not_allowed" } };
    const found = await issuer({ [PUBLIC]: refusal });
    expect(found?.what).toContain("does not answer to this name");
    await follow(fixture, "", found && isProblem(found) ? found.mend : "");
    expect(fixture.running).toBeDefined();
    expect(readFileSync(fixture.config, "utf8")).toMatch(/hosts:.*\n? *-? *\[?"?play\.example\.com/);
  });

  it("is mended by a start where the sidecar has older settings", async () => {
    writeFileSync(fixture.config, plain);
    await fixture.restartSidecar();
    await signIn(fixture.base, { isOlder: true });
    const found = await issuer();
    expect(found).toMatchObject({ state: "problem", what: expect.stringContaining("knows of no sign-ins") });
    await follow(fixture, "", found && isProblem(found) ? found.mend : "");
    expect(all(await doctor())).toEqual(FINE);
  });

  it("is named where nobody answers at one of this machine, and where its path comes along", async () => {
    await signIn(`http://127.0.0.1:${await freePort()}`);
    expect(await issuer()).toMatchObject({ state: "problem", what: expect.stringContaining("ECONNREFUSED") });
    await signIn(`${fixture.base}/bridge`);
    expect(await issuer()).toMatchObject({
      what: expect.stringContaining("leads to the sidecar with its path"),
      mend: expect.stringMatching(/take \/bridge away/),
    });
  });

  it("keeps nobody from looking at whether the pack is connected", async () => {
    await signIn(PUBLIC);
    const [found] = of(await doctor({ [PUBLIC]: { code: "ENOTFOUND" } }), "pack-connected");
    expect(found?.what).not.toContain("mend what is above first");
  });

  it("over TLS is better with a cookie of its own host alone", async () => {
    await signIn(PUBLIC);
    const [found] = of(await doctor(), "sign-in-cookie");
    const [, command = ""] = /: (npm run config .*) \(players link again\)$/.exec(found?.what ?? "") ?? [];
    await follow(fixture, "", command);
    await fixture.restartSidecar();
    expect(of(await doctor(), "sign-in-cookie")).toEqual([]);
    const { headers } = await fetch(`${fixture.base}/initialize`);
    expect(headers.get("set-cookie")).toMatch(/^__Host-website_user_uuid=.*; Path=\/; .*Secure/);
  });

  it("over TLS asks for a proxy that is believed", async () => {
    await signIn(PUBLIC);
    expect(of(await doctor(), "trust-proxy")).toHaveLength(1);
    await signIn(PUBLIC, { api: "trust-proxy: loopback" });
    expect(of(await doctor(), "trust-proxy")).toEqual([]);
  });
});

describe("addresses that browsers come back to", () => {
  const redirects = async (replies?: Record<string, Reply>): Promise<Finding[]> =>
    of(await doctor(replies), "sign-in-redirect");

  it.each<[string, string, string]>([
    [
      "have no name that is known",
      "ENOTFOUND",
      "there is no map.example (ENOTFOUND): nobody can come back there",
    ],
    [
      "have no certificate",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "https://map.example:8443 has no certificate that browsers take (DEPTH_ZERO_SELF_SIGNED_CERT): nobody can come back there",
    ],
  ])("are named with their site where they %s", async (_, code, what) => {
    expect(await redirects({ "https://map.example:8443": { code } })).toEqual([
      {
        ...{ id: "sign-in-redirect", state: "problem" },
        what: `sign-in.clients[2] (site-2): ${what}`,
        mend: expect.stringContaining(`correct it in ${fixture.config}, then stop the sidecar and`),
      },
    ]);
  });

  it("are worth a word where this machine does not reach them", async () => {
    expect(await redirects({ "https://forum.example": { code: "ECONNREFUSED" } })).toEqual([
      {
        ...{ id: "sign-in-redirect", state: "note" },
        what: "sign-in.clients[0] (site-0): https://forum.example is not reached from this machine (ECONNREFUSED)",
      },
    ]);
  });

  it("are fine whatever their sites answer", async () => {
    expect(await redirects({ "https://forum.example": { status: 500 } })).toMatchObject([{ state: "ok" }]);
  });

  it("on a visitor's own machine are of no use to others, and fine where the service is on it too", async () => {
    const local = ["http://localhost:3000/in"];
    await signIn("https://play.example.com", { redirects: local });
    expect(await redirects()).toMatchObject([
      { state: "note", what: expect.stringContaining("visitor's own machine") },
    ]);
    await signIn(fixture.base, { redirects: local });
    const findings = await doctor();
    expect(of(findings, "sign-in-redirect")).toMatchObject([{ state: "ok" }]);
    expect(of(findings, "sign-in-clock")).toMatchObject([{ state: "skipped" }]);
    await signIn(fixture.base);
  });

  it("are looked at a few at a time, however many there are", async () => {
    await signIn(fixture.base, { redirects: Array.from({ length: 60 }, (_, n) => `https://s${n}.example/`) });
    const asked = new Set<string>();
    const far = world();
    await fixture.doctor({
      fetch: (input, init) => {
        if (String(input).includes(".example")) asked.add(`${init?.method} ${input}`);
        return far(input, init);
      },
    });
    expect(asked.size).toBe(20);
    expect([...asked][0]).toBe("HEAD https://s0.example/");
    await signIn(fixture.base);
  });
});

describe("the clock", () => {
  const clock = async (forum: number, map: number): Promise<Finding | undefined> =>
    of(
      await doctor({
        "https://forum.example": { aheadMs: forum },
        "https://map.example:8443": { aheadMs: map },
      }),
      "sign-in-clock",
    )[0];

  it.each([
    [90_000, 91_000, "this machine"],
    [-90_000, -91_000, "this machine"],
    [90_000, 0, "that site"],
  ])("that is off by %d and %d ms is named, and whose it is", async (forum, map, whose) => {
    expect(await clock(forum, map)).toEqual({
      ...{ id: "sign-in-clock", state: "problem" },
      what: expect.stringMatching(
        /^the clocks of https:\/\/forum\.example and of this machine are (89|90|91) s apart/,
      ),
      mend: `set the clock of ${whose} to the right time, for example with NTP`,
    });
  });

  it("may be off by less than a minute", async () => {
    expect((await clock(50_000, -50_000))?.state).toBe("ok");
  });
});
