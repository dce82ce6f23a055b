import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { REFUSED_CONFIGURATION, type ToSidecar, UNDER_LAUNCH } from "../../cli/launch-channel.ts";
import type { Metrics } from "../../shared/public/game-server.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask } from "../helpers/client.ts";
import { ended } from "../helpers/ended.ts";
import { eventually, until } from "../helpers/eventually.ts";
import { FakePack, TOKEN } from "../helpers/fake-pack.ts";
import { PROGRAM } from "../helpers/sidecar.ts";

// Own connections: uses a port, and calls the bridge listener, which is not public.

const REFRESH_MS = 100;

let folder: string;
let env: Record<string, string>;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "launched-"));
  env = {
    WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
    WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
    WEB_BRIDGE_MODULES_API_PORT: "0",
    WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: `${REFRESH_MS}ms`,
    WEB_BRIDGE_BRIDGE_PORT: "0",
    WEB_BRIDGE_LOG_FORMAT: "json",
  };
});
afterEach(async () => {
  await ended(...children.splice(0));
  rmSync(folder, { recursive: true, force: true });
});

/** Arguments of the sidecar as `launch` starts it. */
const programArgs = (): string[] => [`--${UNDER_LAUNCH}`, "--config", join(folder, "config.yml")];

/** The sidecar as `launch` starts it. */
class LaunchedSidecar {
  readonly child: ChildProcess;
  /** resolves with its exit code after its whole output */
  readonly ended: Promise<number | null>;
  readonly messages: unknown[] = [];
  readonly urls: Record<string, string> = {};
  out = "";
  err = "";

  constructor(channel: "ipc" | "ignore" = "ipc") {
    const stdio = ["ignore", "pipe", "pipe", channel] as const;
    const args = channel === "ipc" ? programArgs() : programArgs().slice(1);
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...process.env, ...env },
      stdio: [...stdio],
    });
    children.push(child);
    this.child = child;
    child.on("message", message => this.messages.push(message));
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error("no output");
    stderr.on("data", part => (this.err += part));
    const lines = createInterface({ input: stdout }).on("line", line => {
      this.out += `${line}\n`;
      const { listener, url } = JSON.parse(line) as { listener?: string; url?: string };
      if (listener && url) this.urls[listener] = url;
    });
    // Node emits no "close" after `disconnect`.
    this.ended = Promise.all([once(child, "exit"), once(lines, "close"), once(stderr, "close")]).then(
      ([[code]]) => code,
    );
  }

  send(message: ToSidecar): void {
    this.child.send(message);
  }

  /** Waits until both listeners are open; returns their addresses. */
  async ready(): Promise<{ url: string; bridge: string }> {
    const { urls } = this;
    await until(() => urls.public && urls.bridge);
    return { url: urls.public ?? "", bridge: urls.bridge ?? "" };
  }
}

/** A client that never responds to the close frame, which delays the stop. */
async function silentClient(url: string): Promise<ChatSocket> {
  const socket = await ChatSocket.open(url);
  socket.ws.pause();
  return socket;
}

/** Whether nothing listens on the port of this address any more. */
async function isFree(url: string): Promise<void> {
  const server = createServer();
  server.listen(Number(new URL(url).port), "127.0.0.1");
  await once(server, "listening");
  server.close();
}

describe("a sidecar that launch has started", () => {
  it("asks for the game server, and shows the memory of that process alone", async () => {
    const game = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
    children.push(game);
    await once(game, "spawn");
    const sidecar = new LaunchedSidecar();
    const { url, bridge } = await sidecar.ready();
    expect(sidecar.messages).toEqual([{ type: "reading" }]);
    const pack = new FakePack(bridge);
    await pack.connect();
    const memory = async (): Promise<number> => {
      await pack.snapshot("Steve");
      const { json } = await ask(url, "/status");
      return (json as Metrics).memoryUsedMB;
    };
    expect(await memory()).toBe(0);
    sidecar.send({ type: "game", server: null, ...(game.pid && { pid: game.pid }) });
    await eventually(async () => expect(await memory()).toBeGreaterThan(10));
    sidecar.send({ type: "game", server: null });
    await eventually(async () => expect(await memory()).toBe(0));
  });

  it("stops in order when it is asked to", async () => {
    const sidecar = new LaunchedSidecar();
    const { url } = await sidecar.ready();
    const socket = await ChatSocket.open(url);
    sidecar.send({ type: "stop" });
    expect(await socket.closed).toBe(1001);
    expect(await sidecar.ended).toBe(0);
    expect(sidecar.out).toContain('"msg":"Stopped"');
  });

  it("stops in order when launch has ended, and says so", async () => {
    const sidecar = new LaunchedSidecar();
    const { url } = await sidecar.ready();
    const socket = await ChatSocket.open(url);
    sidecar.child.disconnect();
    expect(await socket.closed).toBe(1001);
    expect(await sidecar.ended).toBe(0);
    expect(sidecar.out).toContain("launch has ended: stopping within 2 seconds");
    await isFree(url);
  });

  it("does not finish a stop that takes longer when launch has ended", async () => {
    const sidecar = new LaunchedSidecar();
    const { url } = await sidecar.ready();
    const socket = await silentClient(url);
    sidecar.child.disconnect();
    expect(await sidecar.ended).toBe(1);
    expect(sidecar.out).not.toContain('"msg":"Stopped"');
    await isFree(url);
    socket.ws.terminate();
  });

  it("does not finish a stop that takes longer when launch has ended during the stop", async () => {
    const sidecar = new LaunchedSidecar();
    const { url } = await sidecar.ready();
    const socket = await silentClient(url);
    sidecar.send({ type: "stop" });
    await until(() => sidecar.out.includes('"msg":"Stopping;'));
    sidecar.child.disconnect();
    expect(await sidecar.ended).toBe(1);
    expect(sidecar.out).not.toContain('"msg":"Stopped"');
    socket.ws.terminate();
  });

  it("ends when launch has ended while it waits for Redis", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const address = closed.address();
    closed.close();
    const port = typeof address === "object" ? `${address?.port}` : "";
    env.WEB_BRIDGE_STORAGE_KIND = "redis";
    env.WEB_BRIDGE_STORAGE_URL = `redis://127.0.0.1:${port}`;
    const sidecar = new LaunchedSidecar();
    await until(() => sidecar.out.includes("ECONNREFUSED"));
    sidecar.child.disconnect();
    expect(await sidecar.ended).toBe(0);
    expect(sidecar.out).toContain("launch has ended");
  });

  it("ends and frees its ports when launch was killed, with its output and its channel at once", async () => {
    const args = JSON.stringify([PROGRAM, ...programArgs()]);
    const script = `
      const { spawn } = require("node:child_process");
      const stdio = ["ignore", "pipe", "pipe", "ipc"];
      spawn(process.execPath, ${args}, { stdio, detached: true }).stdout.pipe(process.stdout);`;
    const launch = spawn(process.execPath, ["-e", script], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(launch);
    let out = "";
    launch.stdout.on("data", part => (out += part));
    const address = (): string => /public listener at (http:[\w.:/]+)/.exec(out)?.[1] ?? "";
    await until(() => address() && out.includes("bridge listener at"));
    expect((await ask(address(), "/healthz")).status).toBe(200);
    await ended(launch);
    await eventually(() => isFree(address()));
  });

  it(`exits with ${REFUSED_CONFIGURATION} if it refuses its configuration`, async () => {
    writeFileSync(join(folder, "config.yml"), "no-such-key: 1\n");
    const sidecar = new LaunchedSidecar();
    expect(await sidecar.ended).toBe(REFUSED_CONFIGURATION);
    expect(sidecar.err).toContain("no-such-key");
    expect(await new LaunchedSidecar("ignore").ended).toBe(1);
  });

  it("exits with 1 if it cannot start for another reason", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    env.WEB_BRIDGE_BRIDGE_PORT = typeof address === "object" ? `${address?.port}` : "";
    const sidecar = new LaunchedSidecar();
    expect(await sidecar.ended).toBe(1);
    expect(sidecar.err).toContain("EADDRINUSE");
    taken.close();
  });
});
