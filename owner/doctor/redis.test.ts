import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { createClient } from "@redis/client";
import { findRedisServer, startRedisServer } from "../../lab/scale/redis-server.ts";
import { loadConfig } from "../../sidecar/config/load.ts";
import { commonDigest } from "../../sidecar/config/startup-settings.ts";
import { bridgeToken } from "../../sidecar/config/token.ts";
import { createSecretStore } from "../../sidecar/features/sign-in/records.ts";
import { renewSecrets } from "../../sidecar/features/sign-in/secrets.ts";
import type { SharedState } from "../../sidecar/kernel/shared.ts";
import { openRedis } from "../../sidecar/kernel/storage/redis/open.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { freePort } from "../../test/deploy/front.ts";
import { PASSWORD, startRecipeRedis } from "../../test/deploy/recipe-redis.ts";
import { needs } from "../../test/helpers/needs.ts";
import type { Finding } from "./finding.ts";
import type { DoctorSystem } from "./target.ts";
import { Fixture, fixtureWithSetup } from "./testing/fixture.ts";

needs("redis-server", findRedisServer() !== undefined).describe("Redis", () => {
  const fixture = fixtureWithSetup();
  const opened: SharedState[] = [];
  let recipe: Awaited<ReturnType<typeof startRecipeRedis>>;
  let plain = "";

  beforeAll(async () => {
    recipe = await startRecipeRedis();
    fixture.edit(fixture.config, text => {
      plain = text;
      return `${text}storage:\n  kind: redis\n  url: URL\n`;
    });
  });
  afterEach(async () => {
    for (const shared of opened.splice(0)) await shared.close();
  });
  afterAll(() => recipe?.server.stop());

  /** Sets the address in the configuration, and other settings of the storage. */
  function use(url: string, ...more: string[]): void {
    const lines = ["storage:", "  kind: redis", `  url: "${url}"`, ...more.map(line => `  ${line}`)];
    fixture.edit(fixture.config, () => `${plain}${lines.join("\n")}\n# ${Math.random()}\n`);
  }

  /** The doctor's findings about Redis, without secrets. */
  async function found(more: Partial<DoctorSystem> = {}): Promise<Finding[]> {
    const findings = await fixture.doctor(more);
    expect(JSON.stringify(findings)).not.toContain(PASSWORD);
    return findings.filter(({ id }) => id === "redis");
  }
  const words = async (): Promise<string> =>
    (await found()).map(({ state, what }) => `${state}: ${what}`).join("\n");

  async function owner(...command: string[]): Promise<void> {
    const client = createClient({ url: recipe.adminUrl });
    await client.connect();
    await client.sendCommand(command).finally(() => client.destroy());
  }

  /** The only problem of Redis, with what fixes it. */
  async function onlyProblem(what: RegExp, fix = /./): Promise<void> {
    const problems = (await found()).flatMap(each => (each.state === "problem" ? [each] : []));
    expect(problems.map(each => each.what)).toEqual([expect.stringMatching(what)]);
    expect(`${problems[0]?.fix.text}: ${problems[0]?.fix.command}`).toMatch(fix);
  }

  interface OtherSidecar {
    token: string;
    version: string;
    settings: string;
  }
  /** Enters a sidecar that uses Redis too. */
  async function enter(name: string, more: Partial<OtherSidecar> = {}): Promise<SharedState> {
    const read = loadConfig(fixture.config, {});
    if ("faults" in read) throw new Error(read.faults.join("\n"));
    const own = bridgeToken(read.config, fixture.log);
    if ("fault" in own) throw new Error(own.fault);
    const settings = commonDigest(read.config, own.token, new Map());
    const { token, ...self } = { token: own.token, version: "1", settings, ...more };
    const shared = await openRedis({
      settings: { url: recipe.url, prefix: "web-bridge", sentinel: "", ca: "" },
      machine: systemClock,
      log: fixture.log,
      streams: [],
      token,
      self: { name, ...self },
      migrate: async () => undefined,
    });
    opened.push(shared);
    return shared;
  }

  it("is not mentioned if it is not used", async () => {
    fixture.edit(fixture.config, () => plain);
    expect(await found()).toEqual([]);
  });

  it("has no problem with the recipe's settings, except what its user may not see", async () => {
    use(recipe.url);
    const findings = await found();
    expect(findings.filter(({ state }) => state !== "ok")).toMatchObject([
      { state: "note", what: expect.stringContaining("appendfsync is not known") },
    ]);
    use(recipe.adminUrl);
    expect(await words()).toContain("ok: each write is on disk before it is confirmed (appendfsync always)");
  });

  it.each<[pair: string, back: string, what: RegExp, fix: RegExp]>([
    ["appendonly no", "appendonly yes", /appendonly no.*loses all links/, /^set appendonly yes in /],
    ["appendfsync no", "appendfsync always", /appendfsync is no/, /^set appendfsync always in /],
    [
      "maxmemory-policy allkeys-lru",
      "maxmemory-policy noeviction",
      /maxmemory-policy allkeys-lru/,
      /^set maxmemory-policy noeviction in .*redis\.conf does/,
    ],
    ["maxmemory 900000", "maxmemory 512mb", /nearly full: \d+ % of maxmemory/, /raise maxmemory/],
  ])("is reported with %s", async (pair, back, what, fix) => {
    use(recipe.adminUrl);
    await owner("CONFIG", "SET", ...pair.split(" "));
    await onlyProblem(what, fix).finally(() => owner("CONFIG", "SET", ...back.split(" ")));
  });

  it("is reported with its address and without its password if it does not respond", async () => {
    use(`redis://web-bridge:${PASSWORD}@127.0.0.1:${await freePort()}`);
    await onlyProblem(/^Redis \(127\.0\.0\.1:\d+\) cannot be used: connection refused/, /set storage\.url -/);
  });

  it.each([
    [["-xadd", "-lrem"], ["+xadd", "+lrem"], /its user may not use LREM, XADD/],
    [["-eval"], ["+eval"], /lacks permissions \(NOPERM.*eval/],
  ])("is reported when its user lacks permissions (%s)", async (less, more, what) => {
    use(recipe.url);
    await owner("ACL", "SETUSER", "web-bridge", ...less);
    const fix = /rights in .*users\.acl, .*then restart Redis: sudo systemctl restart redis-server$/;
    await onlyProblem(what, fix).finally(() => owner("ACL", "SETUSER", "web-bridge", ...more));
  });

  it("is reported when it is a read-only replica", async () => {
    const replica = await startRedisServer({ settings: { replicaof: `127.0.0.1 ${recipe.server.port}` } });
    use(replica.url);
    await onlyProblem(/read-only replica/, /address of its master/).finally(() => replica.stop());
  });

  it("is reported when its clock differs", async () => {
    use(recipe.url);
    const findings = await found({ now: () => Date.now() + 3_600_000 });
    expect(findings.filter(({ state }) => state === "problem")).toMatchObject([
      { what: expect.stringMatching(/^the clocks of Redis and of this machine are \d+ s apart$/) },
    ]);
  });

  it("accepts sidecars that agree, and names those that differ", async () => {
    use(recipe.url);
    await enter("a:8101");
    await enter("b:8101");
    expect(await words()).toContain("connected sidecars: a:8101, b:8101");
    await enter("c:8101", { version: "2" });
    await onlyProblem(/^the sidecars are of different versions: a:8101 \(1\), b:8101 \(1\), c:8101 \(2\)$/);
    await opened.pop()?.close();
    await enter("c:8101", { settings: "others" });
    await onlyProblem(/^sidecars whose settings differ from .*config\.yml: c:8101$/);
  });

  it("is reported when another bridge uses the prefix, and when another version has used it", async () => {
    use(recipe.url);
    await owner("FLUSHALL");
    await enter("theirs:8080", { token: "token-of-another-bridge-012345" });
    await onlyProblem(
      /^sidecars of another bridge use the prefix web-bridge: theirs:8080$/,
      /storage\.prefix -/,
    );
    await opened.pop()?.close();
    expect(await words()).toContain("note: the prefix web-bridge was last used by another bridge");
    await owner("HSET", "{web-bridge}:meta", "format", "9");
    await onlyProblem(/format 9, expected 3/);
    await owner("FLUSHALL");
  });

  it("has its sign-in keys checked", async () => {
    use(recipe.url);
    fixture.edit(
      fixture.config,
      text => `${text}sign-in: {enabled: true, issuer: "${fixture.base}", clients: []}\n`,
    );
    const signIn = createSecretStore((await enter("one")).records.links);
    expect(await words()).toContain("the sign-in keys are made when");
    await renewSecrets(signIn, Date.now());
    expect(await words()).toContain("the sign-in keys can be read");
    await signIn.replaceSecrets(await signIn.secrets(), "damaged");
    await onlyProblem(/^\{web-bridge\}:sign-in-secrets in Redis: .* damaged/, /redis-cli DEL/);
  });
});

describe("a configuration of Redis that cannot be used", () => {
  const fixture = new Fixture();
  beforeAll(async () => {
    await fixture.make();
  });
  afterAll(() => fixture.remove());

  it("is reported with its setting", async () => {
    const lines = 'storage:\n  kind: redis\n  url: "rediss://127.0.0.1:1"\n  ca: missing.pem\n';
    fixture.edit(fixture.config, text => text + lines);
    expect(await fixture.find("redis")).toMatchObject({
      state: "problem",
      what: expect.stringContaining("storage.ca: "),
      fix: { command: expect.stringContaining("set storage.ca - --config ") },
    });
  });
});
