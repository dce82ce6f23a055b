import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { configLines, yamlOf } from "../docs/config-lines.ts";
import { ended } from "../helpers/ended.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { hasRedis } from "../helpers/redis.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { PROGRAM } from "../helpers/sidecar.ts";
import { IS_BUILT } from "../package/packages.ts";
import { Front, findProgram, freePort, makeCertificate, replaced } from "./front.ts";
import { startRecipeRedis } from "./recipe-redis.ts";
import { nginx, nginxRecipe } from "./scale-fronts.ts";

// Own connections: waits until sidecars are up; all else is checked.

const openssl = findProgram(["openssl"], "version");
const isHere = IS_BUILT && hasRedis && nginx !== undefined && openssl !== undefined;

needs("npm run build, redis-server, nginx and openssl", isHere).describe("all recipes together", () => {
  const processes: ChildProcess[] = [];
  let folder: string;
  let redis: Awaited<ReturnType<typeof startRecipeRedis>>;
  let front: Front;
  let pack: FakePack;

  beforeAll(async () => {
    folder = newFolder("together-");
    redis = await startRecipeRedis();
    const yaml = yamlOf(configLines("deploy/README.md", "several-sidecars"));
    const url = "redis://web-bridge:PASSWORD@127.0.0.1:6379";
    writeFileSync(join(folder, "config.yml"), replaced(yaml, [[url, redis.url]]));
    const sidecars: { base: string; bridge: string }[] = [];
    for (let i = 0; i < 3; i++) {
      const [port, bridgePort] = [await freePort(), await freePort()];
      sidecars.push({ base: `http://127.0.0.1:${port}`, bridge: `http://127.0.0.1:${bridgePort}` });
      // As the unit has it.
      const env = { WEB_BRIDGE_MODULES_API_PORT: `${port}`, WEB_BRIDGE_BRIDGE_PORT: `${bridgePort}` };
      const args = [PROGRAM, "--config", join(folder, "config.yml")];
      processes.push(spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: "ignore" }));
    }
    for (const { base } of sidecars)
      await eventually(async () => expect((await fetch(`${base}/healthz`)).status).toBe(200));
    const certificate = makeCertificate(folder);
    const [port, packPort] = [await freePort(), await freePort()];
    const command = nginxRecipe({ folder, certificate, sidecars, port, packPort });
    front = await Front.start(command, folder, certificate.cert, port);
    const token = readFileSync(join(folder, "data", "bridge-token"), "utf8").trim();
    pack = new FakePack(`http://127.0.0.1:${packPort}`, token);
    await pack.connect();
    await pack.snapshot("Steve");
  });
  afterAll(async () => {
    await front?.stop();
    await ended(...processes);
    await redis?.server.stop();
  });

  const say = (text: string): Promise<unknown> => pack.report({ is: "said", name: "Steve", text });

  it("show whoever asks the same players, whichever sidecar is asked", async () => {
    const lists = new Set<string>();
    for (let i = 0; i < 9; i++) lists.add((await front.ask("/players")).text);
    expect(lists.size).toBe(1);
    expect([...lists].join()).toContain('"name":"Steve"');
  });

  it("carry a line of the game to readers at every sidecar, once and in order, though one is killed", async () => {
    const readers = await Promise.all(Array.from({ length: 6 }, () => front.events()));
    const heard = (): string[][] =>
      readers.map(reader => [...reader.text().matchAll(/line \d/g)].map(([line]) => line));
    await say("line 1");
    await eventually(() => expect(heard()).toEqual(readers.map(() => ["line 1"])));
    processes[0]?.kill("SIGKILL");
    await eventually(async () => expect(await say("line 2")).toMatchObject({ status: 200 }));
    await pack.report({ is: "joined", row: row("Alex") });
    // Those whose sidecar was killed were cut.
    await eventually(() => expect(heard().filter(lines => lines.length === 2).length).toBeGreaterThan(2));
    for (const lines of heard()) expect([["line 1"], ["line 1", "line 2"]]).toContainEqual(lines);
    for (const reader of readers) reader.close();
    for (let i = 0; i < 6; i++) {
      const { status, text } = await front.ask("/events", { Accept: "application/json" });
      expect([status, text.match(/line \d/g)]).toEqual([200, ["line 1", "line 2"]]);
    }
    expect((await front.ask("/players")).text).toContain('"name":"Alex"');
  });
});
