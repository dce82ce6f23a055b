import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "@jest/globals";
import { freePort } from "../../cli/free-port.ts";
import { ManualClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { RecordingLog } from "../helpers/log.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { createEnds } from "../helpers/redis-sides.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { signingIn } from "../helpers/sign-in.ts";

// Own connections: reads the public keys of each sidecar.

const TOOL = fileURLToPath(new URL("../../dist/tools/key.js", import.meta.url));
const HOUR_MS = 60 * 60_000;

needs("redis-server", hasRedis).describe("npm run key -- --rotate-sign-in, with Redis", () => {
  const redis = redisForTests();
  const ends = createEnds();
  const prefix = randomUUID();
  /** of all sidecars; the command uses the clock of Redis, which is this machine's */
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

  /** Two sidecars on one Redis; sites use the address of the first. */
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

  /** The command, with a configuration that has this Redis. */
  async function rotated(url: string): Promise<[number, string]> {
    const config = join(newFolder("rotate "), "config.yml");
    writeFileSync(config, JSON.stringify({ storage: { kind: "redis", url, prefix } }));
    const child = spawn(process.execPath, [TOOL, "--rotate-sign-in", "--config", config]);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text));
    const [code] = await once(child, "close");
    return [code, said];
  }

  /** The public keys of a sidecar, the signing one first. */
  async function sitesOf(base: string): Promise<string[]> {
    const { keys } = (await (await fetch(`${base}/sign-in/keys`)).json()) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  }

  it("gives all sidecars new keys, which sign after two minutes; previous ones are published for a day", async () => {
    await sites.start();
    const [first = "", second = ""] = bases;
    const [old = ""] = await sitesOf(first);
    expect(await sitesOf(second)).toEqual([old]);
    expect(await rotated(redis.server().url)).toEqual([0, expect.stringContaining("New keys were made.")]);

    clock.advance(60_000);
    await eventually(async () => {
      for (const base of bases) expect(await sitesOf(base)).toEqual([old, expect.anything()]);
    });
    const [, next = ""] = await sitesOf(first);

    // Longer than a busy machine takes to get here.
    clock.advance(10 * 60_000);
    await eventually(async () => {
      for (const base of bases) expect(await sitesOf(base)).toEqual([next, old]);
    });

    const dayLater = (hours: number) => startOn(new ManualClock(clock.now() + hours * HOUR_MS));
    expect(await sitesOf((await dayLater(23)).base)).toEqual([next, old]);
    expect(await sitesOf((await dayLater(25)).base)).toEqual([next]);
  });

  it("changes nothing if Redis does not respond, and says so", async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const said = "the sign-in keys cannot be replaced: storage.url: connection refused (ECONNREFUSED)\n";
    expect(await rotated(url)).toEqual([1, said]);
  });
});
