import { spawn } from "node:child_process";
import { createPublicKey, type JsonWebKey, randomUUID, verify } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "@jest/globals";
import { freePort } from "../../lab/scale/free-port.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { RecordingLog } from "../helpers/log.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { createEnds } from "../helpers/redis-sides.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { BACK, SECRET, signingIn } from "../helpers/signing-in.ts";

// Own connections: a browser that goes from site to site, and a site that chooses which sidecar it asks.

const TOOL = fileURLToPath(new URL("../../dist/tools/key.js", import.meta.url));
const HOUR_MS = 60 * 60_000;

needs("redis-server", hasRedis).describe("npm run key -- --rotate-sign-in, with Redis", () => {
  const redis = redisForTests();
  const ends = createEnds();
  const prefix = randomUUID();
  /** of all sidecars; the command goes by the clock of Redis, which is this machine's */
  let clock = new ManualClock(Date.now());
  const bases: string[] = [];
  let yaml = "";
  let bridge = "";
  const pack = new FakePack(() => bridge);

  async function startOn(clock: ManualClock, publicPort = 0): Promise<TestSidecar> {
    const log = new RecordingLog();
    const side = await startTestSidecar(
      { yaml, publicPort },
      clock,
      log,
      await redis.open({ clock, prefix }),
    );
    ends(() => side.stop());
    return side;
  }

  /** Two sidecars on one Redis, the first of which is at the address that sites know. */
  const sites = signingIn({
    pack,
    async start(options, players = []) {
      if (typeof options === "object") yaml = options.yaml ?? "";
      clock = new ManualClock(Date.now());
      const first = await startOn(clock, typeof options === "object" ? options.publicPort : undefined);
      const second = await startOn(clock);
      bases.splice(0, bases.length, first.base, second.base);
      bridge = first.bridge;
      await pack.connect();
      await pack.snapshot(...players);
    },
  });

  /** The command, with a configuration that names this Redis. */
  async function rotated(url: string): Promise<[number, string]> {
    const config = join(newFolder("rotate "), "config.yml");
    writeFileSync(config, JSON.stringify({ storage: { kind: "redis", url, prefix } }));
    const child = spawn(process.execPath, [TOOL, "--rotate-sign-in", "--config", config]);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text));
    const [code] = await once(child, "close");
    return [code, said];
  }

  async function keysOf(base: string): Promise<(JsonWebKey & { kid: string })[]> {
    const { keys } = (await (await fetch(`${base}/sign-in/keys`)).json()) as {
      keys: (JsonWebKey & { kid: string })[];
    };
    return keys;
  }
  const shown = (base: string): Promise<string[]> => keysOf(base).then(keys => keys.map(({ kid }) => kid));

  /** Steve signs in, and the site asks this sidecar for his token. */
  async function tokenOf(base: string): Promise<string> {
    await pack.snapshot("Steve");
    const [asked, browser] = [await sites.ask(), sites.browser()];
    await browser.go(asked.url.href);
    await browser.call("/initialize");
    await sites.inGame(browser);
    const code = new URL((await sites.goOn(browser)).location ?? "").searchParams.get("code") ?? "";
    const body = new URLSearchParams({
      ...{ grant_type: "authorization_code", client_id: "tea-house", client_secret: SECRET },
      ...{ code, redirect_uri: BACK, code_verifier: asked.verifier },
    });
    const answer = await fetch(`${base}/sign-in/token`, { method: "POST", body });
    return ((await answer.json()) as { id_token: string }).id_token;
  }

  /** By which key that is shown a token was signed; undefined: by none. */
  async function signer(token: string, base: string): Promise<string | undefined> {
    const [head = "", payload = "", signature = ""] = token.split(".");
    const { kid } = JSON.parse(Buffer.from(head, "base64url").toString());
    const key = (await keysOf(base)).find(each => each.kid === kid);
    const signed = Buffer.from(`${head}.${payload}`);
    const by = key && createPublicKey({ key, format: "jwk" });
    return by && verify("RSA-SHA256", signed, by, Buffer.from(signature, "base64url")) ? kid : undefined;
  }

  it("gives all sidecars new keys, which sign in two minutes; tokens of those before are good for a day", async () => {
    await sites.start();
    const [first = "", second = ""] = bases;
    const [old = ""] = await shown(first);
    expect(await shown(second)).toEqual([old]);
    const before = [await tokenOf(first), await tokenOf(second)];
    expect(await rotated(redis.server().url)).toEqual([0, expect.stringContaining("New keys were made.")]);

    clock.advance(60_000);
    await eventually(async () => {
      for (const base of bases) expect(await shown(base)).toEqual([old, expect.anything()]);
    });
    const [, next = ""] = await shown(first);
    expect(await signer(await tokenOf(second), first)).toBe(old);

    // Longer than a busy machine takes until here.
    clock.advance(10 * 60_000);
    await eventually(async () => {
      for (const base of bases) expect(await shown(base)).toEqual([next, old]);
    });
    for (const [by, other] of [bases, [...bases].reverse()])
      expect(await signer(await tokenOf(by ?? ""), other ?? "")).toBe(next);
    for (const token of before) for (const base of bases) expect(await signer(token, base)).toBe(old);

    const dayLater = (hours: number) => startOn(new ManualClock(clock.now() + hours * HOUR_MS));
    expect(await shown((await dayLater(23)).base)).toEqual([next, old]);
    expect(await shown((await dayLater(25)).base)).toEqual([next]);
  });

  it("changes nothing where Redis gives no answer, and says so", async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const said =
      "the keys of sign-ins cannot be replaced: storage.url: nobody answers there (ECONNREFUSED)\n";
    expect(await rotated(url)).toEqual([1, said]);
  });
});
