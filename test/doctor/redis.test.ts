import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { findRedisServer, type RedisServer, startRedisServer } from "../../lab/scale/redis-server.ts";
import type { Finding } from "../../owner/doctor/finding.ts";
import type { Surroundings } from "../../owner/doctor/target.ts";
import { systemClock } from "../../sidecar/clock.ts";
import { loadConfig } from "../../sidecar/config/load.ts";
import { bridgeToken } from "../../sidecar/config/token.ts";
import { commonDigest } from "../../sidecar/config/written.ts";
import type { Shared } from "../../sidecar/ports/shared.ts";
import { openRedis } from "../../sidecar/redis/open.ts";
import { findProgram, freePort, makeCertificate } from "../deploy/front.ts";
import { PASSWORD, startRecipeRedis } from "../deploy/recipe-redis.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/runner.ts";
import { Fixture } from "./fixture.ts";
import { startOld } from "./old-redis.ts";

// Own connections: plays an old Redis, and passes on what the doctor asks.

const openssl = findProgram(["openssl"], "version");

needs("redis-server", findRedisServer() !== undefined).describe("Redis", () => {
  const fixture = new Fixture();
  const opened: Shared[] = [];
  let recipe: Awaited<ReturnType<typeof startRecipeRedis>>;
  let plain = "";

  beforeAll(async () => {
    recipe = await startRecipeRedis();
    await fixture.make();
    await fixture.setUp();
    fixture.edit(fixture.config, text => {
      plain = text;
      return `${text}storage:\n  kind: redis\n  url: URL\n`;
    });
  });
  afterEach(async () => {
    for (const shared of opened.splice(0)) await shared.close();
    use("URL");
  });
  afterAll(async () => {
    await recipe?.server.stop();
    await fixture.remove();
  });

  /** Names the address in the configuration, and whatever else of the storage. */
  function use(url: string, ...more: string[]): void {
    const lines = ["storage:", "  kind: redis", `  url: "${url}"`, ...more.map(line => `  ${line}`)];
    fixture.edit(fixture.config, () => `${plain}${lines.join("\n")}\n# ${Math.random()}\n`);
  }

  /** What the doctor says of Redis; no secret is ever in it. */
  async function found(more: Partial<Surroundings> = {}): Promise<Finding[]> {
    const findings = await fixture.doctor(more);
    expect(JSON.stringify(findings)).not.toContain(PASSWORD);
    return findings.filter(({ id }) => id.startsWith("redis-"));
  }

  const states = (findings: Finding[]): Record<string, string> =>
    Object.fromEntries(findings.map(({ id, state }) => [id, state]));
  const config = (command: string, value: string): Promise<unknown> => owner("CONFIG", "SET", command, value);

  async function owner(...command: string[]): Promise<unknown> {
    const { createClient } = await import("@redis/client");
    const client = createClient({ url: recipe.adminUrl });
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }

  /** A problem that is the only one of Redis; it names the setting, and what mends it. */
  async function onlyProblem(id: string, what: RegExp, mend = /./): Promise<void> {
    const problems = (await found()).filter(({ state }) => state === "problem");
    expect(JSON.stringify(problems)).not.toContain(` in ${fixture.config}`);
    expect(problems).toEqual([
      { id, state: "problem", what: expect.stringMatching(what), mend: expect.stringMatching(mend) },
    ]);
  }

  async function enter(
    name: string,
    { token, version = "1", settings = ownDigest() }: Partial<Entered> = {},
  ) {
    const shared = await openRedis({
      settings: { url: recipe.url, prefix: "web-bridge", sentinel: "", ca: "" },
      machine: systemClock,
      log: fixture.log,
      bounds: { entries: 10, forMs: 1_000 },
      token: token ?? ownToken(),
      self: { name, version, settings },
    });
    opened.push(shared);
  }
  interface Entered {
    token: string;
    version: string;
    settings: string;
  }

  function loaded() {
    const read = loadConfig(fixture.config, {});
    if ("faults" in read) throw new Error(read.faults.join("\n"));
    return read.config;
  }
  const ownDigest = (): string => commonDigest(loaded(), ownToken(), new Map());
  function ownToken(): string {
    const token = bridgeToken(loaded(), fixture.log);
    if ("fault" in token) throw new Error(token.fault);
    return token.token;
  }

  it("is not spoken of where it is not used", async () => {
    fixture.edit(fixture.config, () => plain);
    expect(await found()).toEqual([]);
  });

  it("is well as the recipe sets it, but for what its user may not see", async () => {
    use(recipe.url);
    const findings = await found();
    expect(states(findings)).toEqual({
      "redis-reachable": "ok",
      "redis-version": "ok",
      "redis-persistence": "ok",
      "redis-appendfsync": "skipped",
      "redis-memory": "ok",
      "redis-rights": "ok",
      "redis-clock": "ok",
      "redis-prefix": "ok",
    });
    use(recipe.adminUrl);
    expect(states(await found())).toMatchObject({ "redis-appendfsync": "ok" });
  });

  it("is said nothing wrong of where its user may see nothing", async () => {
    const blind = await startRedisServer({
      acl: ["user default off", `user blind on >${PASSWORD} ~{web-bridge}:* +@all -info -config`],
    });
    use(`redis://blind:${PASSWORD}@127.0.0.1:${blind.port}`);
    const findings = await found();
    await blind.stop();
    expect(states(findings)).toMatchObject({
      "redis-version": "skipped",
      "redis-persistence": "skipped",
      "redis-memory": "skipped",
    });
    expect(findings.filter(({ state }) => state === "problem")).toEqual([]);
  });

  describe("that is set in another way", () => {
    afterEach(async () => {
      for (const [name, value] of [
        ["appendonly", "yes"],
        ["appendfsync", "always"],
        ["maxmemory-policy", "noeviction"],
        ["maxmemory", "512mb"],
      ] as const)
        await config(name, value);
    });

    it("is named where it keeps nothing on the disk", async () => {
      use(recipe.url);
      await config("appendonly", "no");
      await onlyProblem(
        "redis-persistence",
        /appendonly no.*links are gone/,
        /^set appendonly yes in .*redis\.conf does, then: sudo systemctl restart/,
      );
    });

    it("is named where it is late with it, as far as that can be seen", async () => {
      use(recipe.adminUrl);
      await config("appendfsync", "no");
      await onlyProblem(
        "redis-appendfsync",
        /appendfsync no/,
        /^redis-cli -h 127\.0\.0\.1 -p \d+ --user owner --askpass CONFIG SET appendfsync always, /,
      );
      await config("appendfsync", "everysec");
      expect(states(await found())).toMatchObject({ "redis-appendfsync": "note" });
    });

    it("is named where it throws things away, and where it is nearly full", async () => {
      use(recipe.url);
      await config("maxmemory-policy", "allkeys-lru");
      await onlyProblem(
        "redis-memory",
        /maxmemory-policy allkeys-lru/,
        /^set maxmemory-policy noeviction in .*, then: sudo systemctl restart redis-server$/,
      );
      await config("maxmemory-policy", "noeviction");
      await config("maxmemory", "900000");
      await onlyProblem("redis-memory", /nearly full: \d+ % of maxmemory/);
    });
  });

  it("is named with its address and without its password when nobody answers there", async () => {
    use(`redis://web-bridge:${PASSWORD}@127.0.0.1:${await freePort()}`);
    await onlyProblem("redis-reachable", /^storage\.url \(127\.0\.0\.1:\d+\): nobody answers there/);
  });

  it("has a sidecar named that can be asked, where none is at the ports of the configuration", async () => {
    use(recipe.url);
    const nobody = (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));
    const running = await fixture.find("sidecar-running", { fetch: nobody, holderOf: async () => undefined });
    expect(running).toMatchObject({
      state: "problem",
      mend: expect.stringMatching(/\(or name one that runs: WEB_BRIDGE_MODULES_API_PORT/),
    });
  });

  it("is named when it does not answer", async () => {
    use(recipe.url);
    recipe.server.pause();
    await onlyProblem("redis-reachable", /no answer within a second/).finally(() => recipe.server.resume());
  });

  it("is named when it refuses the password, or asks for one", async () => {
    use(recipe.url.replace(PASSWORD, "another"));
    await onlyProblem("redis-password", /refuses user and password/);
    use(`redis://127.0.0.1:${recipe.server.port}`);
    await onlyProblem("redis-password", /refuses user and password/);
  });

  it("is named when its user may not do what is needed", async () => {
    use(recipe.url);
    await owner("ACL", "SETUSER", "web-bridge", "-xadd", "-lpop");
    // Nobody of the recipe may give Redis orders.
    const mend = /users\.acl lists, .*then have Redis read it: sudo systemctl restart redis-server$/;
    await onlyProblem("redis-rights", /its user may not use LPOP, XADD/, mend).finally(() =>
      owner("ACL", "SETUSER", "web-bridge", "+xadd", "+lpop"),
    );
    await owner("ACL", "SETUSER", "web-bridge", "-eval");
    await onlyProblem("redis-rights", /may not do what is needed \(NOPERM.*eval/).finally(() =>
      owner("ACL", "SETUSER", "web-bridge", "+eval"),
    );
  });

  it("is named when it is a read-only replica", async () => {
    const replica: RedisServer = await startRedisServer({
      settings: { replicaof: `127.0.0.1 ${recipe.server.port}` },
    });
    use(replica.url);
    await onlyProblem("redis-replica", /read-only replica/).finally(() => replica.stop());
  });

  it("is named when it is no Sentinel although one is named", async () => {
    use(recipe.url, "sentinel: bridge");
    await onlyProblem("redis-sentinel", /127\.0\.0\.1:\d+ is no Sentinel: leave it blank/);
  });

  it("is named when it is too old", async () => {
    const old = await startOld();
    use(`redis://127.0.0.1:${old.port}`);
    await onlyProblem("redis-version", /is Redis 6\.2\.14: expected Redis or Valkey 7\.0/).finally(() =>
      old.stop(),
    );
  });

  needs("openssl", openssl !== undefined).it("is named when its certificate is not trusted", async () => {
    const folder = newFolder("tls-");
    const server = await startRedisServer({ tls: makeCertificate(folder) });
    use(server.url);
    await onlyProblem("redis-certificate", /certificate of Redis is not trusted/).finally(async () => {
      await server.stop();
    });
    use("rediss://127.0.0.1:1", "ca: missing.pem");
    await onlyProblem("redis-certificate", /missing\.pem: cannot be read/);
  });

  it("is named when its clock is another", async () => {
    use(recipe.url);
    const now = (): number => Date.now() + 3_600_000;
    const problems = (await found({ now })).filter(({ state }) => state === "problem");
    expect(problems.map(({ id }) => id)).toEqual(["redis-clock"]);
  });

  describe("with sidecars under the prefix", () => {
    it("is well when they agree", async () => {
      use(recipe.url);
      await enter("a:8101");
      await enter("b:8101");
      const findings = await found();
      expect(states(findings)).toMatchObject({ "redis-prefix": "ok", "redis-sidecars": "ok" });
      expect(findings.at(-1)?.what).toMatch(/^the sidecars a:8101, b:8101 are connected, and agree$/);
    });

    it("says which are of another version, or have other settings", async () => {
      use(recipe.url);
      await enter("a:8101");
      await enter("b:8101", { version: "2" });
      await onlyProblem("redis-sidecars", /of different versions: .*b:8101 \(2\)/);
      // It would enter itself again.
      await opened.pop()?.close();
      await enter("b:8101", { settings: "others" });
      await onlyProblem("redis-sidecars", /^the sidecar b:8101 has other settings than .*config\.yml$/);
    });

    it("says when they are of another bridge, and when that has left", async () => {
      use(recipe.url);
      await owner("FLUSHALL");
      await enter("theirs:8080", { token: "token-of-another-bridge-012345" });
      await onlyProblem(
        "redis-prefix",
        /^the sidecar theirs:8080 of another bridge uses the prefix web-bridge$/,
      );
      await opened.pop()?.close();
      expect(states(await found())).toMatchObject({ "redis-prefix": "note" });
    });

    it("says when what is stored is of another version", async () => {
      use(recipe.url);
      await owner("HSET", "{web-bridge}:meta", "format", "9");
      await onlyProblem("redis-prefix", /format 9, expected 1/);
      await owner("FLUSHALL");
    });
  });

  it("lets the pack come through a proxy on this machine, if that leads to a sidecar", async () => {
    use(recipe.url);
    await fixture.restartSidecar();
    const proxy = `http://127.0.0.1:${await freePort()}`;
    await fixture.setUp(fixture.command(`--bridge-url ${proxy}`));
    const answering = (answer: () => Promise<Response>): Partial<Surroundings> => ({
      fetch: (input, init) => (String(input).startsWith(proxy) ? answer() : fetch(input, init)),
    });
    const refusal = (): Promise<Response> =>
      Promise.resolve(Response.json({ error: "unauthorized" }, { status: 401 }));
    expect(await fixture.problems(answering(refusal))).toEqual([]);
    const [problem] = await fixture.wrong();
    expect(problem).toMatchObject({
      id: "bridge-way",
      what: `nobody answers at ${proxy}`,
      mend: expect.stringContaining("start the proxy"),
    });
    expect(await fixture.problems(answering(() => Promise.resolve(new Response("hello"))))).toEqual([
      "bridge-way",
    ]);
  });
});
