import { beforeEach, describe, expect, it } from "@jest/globals";
import { UNLIMITED } from "../lab/scale/unlimited.ts";
import { SCOPES } from "../shared/public/words.ts";
import type { Answer, Ask } from "../test/helpers/client.ts";
import { createMemoryKnown } from "../test/helpers/memory-known.ts";
import { createMemoryBans, createMemoryStore } from "../test/helpers/memory-store.ts";
import { SESSION, serving } from "../test/helpers/serving.ts";
import { keyOf, keysOf, testConfig } from "../test/helpers/sidecar.ts";
import { signingIn } from "../test/helpers/sign-in.ts";
import { examplesOf } from "./features/docs/examples.ts";
import { StorageAway } from "./kernel/storage/ports.ts";
import { ROUTES } from "./routes.ts";

const YAML = {
  api: { "known-players": { show: "key" } },
  yaml: { servers: [{ name: "lobby", token: "token-of-the-lobby-0123456789-abcdefgh" }] },
};
const KEYS = keysOf(
  keyOf("owner", SCOPES),
  keyOf("guide", SCOPES, ["lobby"]),
  ...SCOPES.map(scope =>
    keyOf(
      `one without ${scope}`,
      SCOPES.filter(other => other !== scope),
    ),
  ),
);
const { api } = testConfig({ yaml: JSON.stringify({ modules: { api: YAML.api } }) }).modules;

/** Every declared route, with a path and a body that it takes, also below the name of a game server. */
const routes = ROUTES.flatMap(({ method, path, about }) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(about.parameters?.find(one => one.in === "path" && one.name === name)?.example),
  );
  const [example] = about.body ? Object.values(examplesOf(about.body[0])) : [];
  const route = { method, about, scheme: about.auth.scheme(api), body: example?.value };
  return [filled, ...(about.perServer ? [`/servers/main${filled}`] : [])].map(at => ({
    ...{ ...route, path: at },
    name: `${method} ${at}`,
  }));
});
type Tested = (typeof routes)[number];

/** Calls of the sign-in page have no sign-in here: sidecar/features/sign-in/routes.test.ts starts them. */
const isOfSignIn = ({ path }: Tested): boolean => path.startsWith("/sign-in/ask/");
const withKey = routes.filter(({ scheme }) => scheme === "adminKey" || scheme === "moderator");
const byPath = new Map<string, string[]>();
for (const { method, path } of routes)
  byPath.set(path, [...(byPath.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);

const side = serving();
const sites = signingIn(side);

const key = (name: string) => ({ "X-Service-Api-Key": name && `key of the ${name}` });
const ask = ({ method, path, body }: Tested, more: Ask = {}): Promise<Answer> =>
  side.ask(path, { method, ...(body !== undefined && { body }), ...more });
/** Sends a request with permission. */
const askWell = (route: Tested, more: Ask = {}): Promise<Answer> =>
  ask(route, { ...more, headers: { ...SESSION, ...key("owner"), ...more.headers } });
/** Replaces a valid body, if the route has one. */
const unsound = ({ body }: Tested): Ask => (body === undefined ? {} : { body: "{" });

/** Checks a response against the expected one, and names the route if it differs. */
function expectOf({ name }: { name: string }, { status, text }: Answer, expected: [number, string?]): void {
  const [, error = ""] = expected;
  const start = error && `{"error":"${error}","message":"`;
  expect([name, status, text.slice(0, start.length || undefined)]).toEqual([name, expected[0], start]);
}

describe("each declared route", () => {
  // With all paths, and all limits far away; the game servers have long been silent.
  beforeEach(async () => {
    await sites.start({ ...YAML, env: { ...UNLIMITED, ...KEYS } });
    side.clock.advance(60_000);
  });

  it("that needs a session requires exactly one, before the body is checked", async () => {
    const { name } = api.sessionCookie;
    const [one, other] = ["1", "9"].map(digit => `${name}=${digit}1111111-1111-4111-8111-111111111111`);
    const own = routes.filter(route => route.scheme === "session" && !isOfSignIn(route));
    expect(own.length).toBeGreaterThan(5);
    for (const route of own)
      for (const Cookie of ["", `${name}=x`, `${one}; ${other}`]) {
        const answer = await ask(route, { ...unsound(route), headers: { Cookie } });
        expectOf(route, answer, [401, "missing_session"]);
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
  });

  it("that needs a key requires its scope and game server, before the body is checked", async () => {
    const askAs = (route: Tested, of: string) => ask(route, { ...unsound(route), headers: key(of) });
    expect(withKey.length).toBeGreaterThan(10);
    for (const route of withKey) {
      for (const none of ["", "nobody"]) expectOf(route, await askAs(route, none), [401]);
      const lacking = await Promise.all(SCOPES.map(scope => askAs(route, `one without ${scope}`)));
      const refused = lacking.filter(({ status }) => status === 403);
      for (const answer of refused) expectOf(route, answer, [403, "forbidden"]);
      // Any key may ask what it is for.
      expect([route.name, refused.length]).toEqual([route.name, route.path === "/permissions" ? 0 : 1]);
      if (route.about.perServer) expectOf(route, await askAs(route, "guide"), [403, "forbidden"]);
    }
    side.sidecar.setKeys([]);
    for (const route of withKey) expectOf(route, await askAs(route, "owner"), [503, "admin_api_disabled"]);
  });

  it("rejects an invalid or too large body", async () => {
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    for (const route of routes.filter(({ about, ...one }) => about.body && !isOfSignIn({ about, ...one }))) {
      for (const body of ["{", "", "[]", "1"])
        expectOf(route, await askWell(route, { body }), [400, "invalid_body"]);
      expectOf(route, await askWell(route, { headers: form }), [400, "invalid_body"]);
      expectOf(route, await askWell(route, { body: "x".repeat(20_000) }), [413, "invalid_body"]);
    }
  });

  it("answers 405 to other methods, and names its own", async () => {
    for (const [path, methods] of byPath) {
      const allow = [...methods, "OPTIONS"].join(", ");
      for (const method of ["GET", "POST", "PUT", "DELETE"].filter(one => !methods.includes(one))) {
        const answer = await side.ask(path, { method });
        expectOf({ name: `${method} ${path}` }, answer, [405, "method_not_allowed"]);
        expect(answer.headers.get("allow")).toBe(allow);
      }
      const { status, headers } = await side.ask(path, { method: "OPTIONS" });
      expect([path, status, headers.get("allow")]).toEqual([path, 204, allow]);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it("rejects pages of an origin that is not listed, except one route", async () => {
    const headers = { Origin: "https://evil.example" };
    const answers = await Promise.all(
      routes.map(async route => ({ route, answer: await askWell(route, { headers }) })),
    );
    for (const { route, answer } of answers) {
      if (route.path !== "/session/forward") expectOf(route, answer, [403, "origin_not_allowed"]);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(answers.filter(({ answer }) => answer.status !== 403)).toHaveLength(1);
  });

  it("answers 429 to an address over its rate, and says when to retry", async () => {
    await sites.start({ ...YAML, env: { ...KEYS, WEB_BRIDGE_MODULES_API_LIMITS_REQUESTS_PER_MINUTE: "1" } });
    side.clock.advance(15_000);
    await side.ask("/healthz");
    for (const route of routes) {
      const answer = await askWell(route);
      expectOf(route, answer, [429, "rate_limited"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it("that needs a game server or the storage answers 503 without both, and says when to retry", async () => {
    let isAway = false;
    const audited: unknown[] = [];
    /** The store, until it becomes unreachable. */
    const awayable = <T extends object>(store: T): T =>
      new Proxy(store, {
        get(of, name) {
          const value: unknown = Reflect.get(of, name);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) =>
            isAway ? Promise.reject(new StorageAway("away")) : Reflect.apply(value, of, args);
        },
      });
    await side.start({
      yaml: JSON.stringify({ ...YAML.yaml, modules: { api: YAML.api } }),
      env: KEYS,
      audit: { write: async entry => void audited.push(entry) },
      store: awayable(createMemoryStore()),
      bans: awayable(createMemoryBans()),
      known: awayable(createMemoryKnown()),
    });
    // Event streams, mutes and keys are in this process, and sign-ins are off.
    const needing = routes.filter(
      route =>
        route.about.errors?.includes("server_unavailable") &&
        !isOfSignIn(route) &&
        !["/events", "/mutes", "/permissions"].includes(route.path),
    );
    isAway = true;
    const answers = await Promise.all(needing.map(async route => ({ route, answer: await askWell(route) })));
    isAway = false;
    for (const { route, answer } of answers) {
      expectOf(route, answer, [503, "server_unavailable"]);
      expect(answer.headers.get("retry-after")).toBe("5");
    }
    expect(audited).toEqual([]);
  });
});
