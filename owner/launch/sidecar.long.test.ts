import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { expect, it } from "@jest/globals";
import type { Metrics } from "../../shared/public/game-server.ts";
import { ask } from "../../test/helpers/client.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { FakePack } from "../../test/helpers/fake-pack.ts";
import { launch, onLinux, ownSidecar, zombiesOf } from "./testing/launched.ts";

// Own connections: uses a port, and calls the bridge listener, which is not public.

async function listening(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { server, port: typeof address === "object" ? (address?.port ?? 0) : 0 };
}

const CALM = "ready\nServer stop requested.\nQuit correctly\n";

onLinux.describe("the sidecar that launch starts", () => {
  it("is stopped in order after the game, and frees its ports", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"] });
    const { api, bridge } = await launched.urls();
    expect((await ask(api, "/healthz")).status).toBe(200);
    launched.child.kill("SIGTERM");
    expect(await launched.ended).toBe(0);
    expect(String(launched.printed)).toBe(CALM);
    await launched.says('"msg":"Stopped"');
    expect(launched.pids("sidecar")).toEqual([]);
    for (const url of [api, bridge]) (await listening(Number(new URL(url).port))).server.close();
  });

  it("that hangs is killed 5 s after the game has ended", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"] });
    await launched.urls();
    process.kill(await launched.pid("sidecar"), "SIGSTOP");
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
    await launched.says("[launch] The sidecar did not stop within 5 s: it was killed");
    expect(launched.pids("sidecar")).toEqual([]);
  });

  it("is not started with --no-sidecar", async () => {
    const launched = launch({ game: ["say ready"] });
    await launched.prints("ready");
    launched.type("stop\n");
    expect([await launched.ended, launched.errors]).toEqual([0, ""]);
  });

  it("that cannot start is tried again later each time, and the game notices nothing", async () => {
    const taken = await listening();
    const { args, env } = ownSidecar();
    const launched = launch({
      args,
      env: { ...env, WEB_BRIDGE_MODULES_API_PORT: `${taken.port}` },
      game: ["say ready"],
    });
    await launched.says("[launch] The sidecar ended (exit code 1): starting it again in 1 s");
    await launched.says("[launch] The sidecar ended (exit code 1): starting it again in 2 s");
    taken.server.close();
    const { api } = await launched.urls();
    expect((await ask(api, "/healthz")).status).toBe(200);
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
    expect(String(launched.printed)).toBe(CALM);
  });

  it("is started again when it was killed, and leaves no zombie", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"] });
    const first = await launched.pid("sidecar");
    process.kill(first, "SIGKILL");
    await launched.says("[launch] The sidecar ended (signal SIGKILL): starting it again in 1 s");
    expect(zombiesOf(launched.child.pid ?? 0)).toEqual([]);
    await launched.urls();
    expect(launched.pids("sidecar")).not.toContain(first);
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
  });

  it("that refuses its configuration says why, and starts when the file was corrected", async () => {
    const { args, env, config } = ownSidecar();
    writeFileSync(config, "no-such-key: 1\n");
    const launched = launch({ args, env, game: ["say ready"] });
    await launched.says("[launch] The sidecar rejected its configuration");
    expect(launched.errors).toContain("no-such-key");
    expect(launched.errors).not.toContain("starting it again");
    writeFileSync(config, "modules:\n  web:\n    enabled: false\n");
    const { api } = await launched.urls();
    expect((await ask(api, "/healthz")).status).toBe(200);
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
    expect(String(launched.printed)).toBe(CALM);
  });

  it("is given its configuration by name, so that it ignores a config.yml of another program in the current folder", async () => {
    const { env, config } = ownSidecar();
    const launched = launch({ args: [], env: { ...env, WEB_BRIDGE_CONFIG: config } });
    await launched.urls();
    const words = readFileSync(`/proc/${await launched.pid("sidecar")}/cmdline`, "utf8").split("\0");
    expect(words.slice(-3)).toEqual(["--config", config, ""]);
  });

  it("shows memory and CPU of that game, while another game server runs on the machine", async () => {
    const other = launch({ game: ["say ready"] });
    await other.prints("ready");
    const { args, env } = ownSidecar();
    const launched = launch({
      args,
      env: { ...env, WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "100ms" },
    });
    const { api, bridge } = await launched.urls();
    const pack = new FakePack(bridge);
    await pack.connect();
    await eventually(async () => {
      await pack.snapshot("Steve");
      const { memoryUsedMB, cpuUsage } = (await ask(api, "/status")).json as Metrics;
      expect(memoryUsedMB).toBeGreaterThan(10);
      expect(cpuUsage).toBeGreaterThanOrEqual(0);
    });
    expect(launched.errors).not.toContain("Several game servers");
  });

  it("speaks for the game server that --as names, and says so when its configuration has none of that name", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args: [...args, "--as", "lobby"], env });
    await launched.says("launch runs a game server that this configuration does not have");
    expect(launched.errors).toContain('"server":"lobby"');
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
  });
});
