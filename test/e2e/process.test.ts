import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";

// Own connections: uses a port, and calls the bridge listener, which is not public.

const PROGRAM = fileURLToPath(new URL("../../dist/sidecar/main.js", import.meta.url));

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "web bridge é "));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const PORTS = { WEB_BRIDGE_MODULES_API_PORT: "0", WEB_BRIDGE_BRIDGE_PORT: "0" };

class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  out = "";
  err = "";

  constructor(env: Record<string, string>, args = ["--config", join(folder, "config.yml")]) {
    this.child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...process.env, ...env },
      cwd: folder,
    });
    children.push(this.child);
    this.child.stderr?.on("data", (chunk: Buffer) => {
      this.err += chunk.toString();
    });
    this.ended = new Promise(resolve => this.child.once("close", code => resolve(code)));
  }

  /** Reads the log until both listeners are open; returns their addresses by name. */
  async ready(): Promise<Record<string, string>> {
    const urls: Record<string, string> = {};
    if (!this.child.stdout) throw new Error("no output");
    for await (const line of createInterface({ input: this.child.stdout })) {
      this.out += `${line}\n`;
      const { listener, url } = JSON.parse(line) as { listener?: string; url?: string };
      if (listener && url) urls[listener] = url.replace("0.0.0.0", "127.0.0.1");
      if (urls.public && urls.bridge) {
        this.child.stdout.on("data", (chunk: Buffer) => {
          this.out += chunk.toString();
        });
        this.child.stdout.resume();
        return urls;
      }
    }
    throw new Error(`ended before it listened: ${this.err}`);
  }

  /** Waits until the log contains this text. */
  async says(text: string): Promise<void> {
    while (!this.out.includes(text)) await once(this.child.stdout ?? this.child, "data");
  }
}

describe("the sidecar as a process", () => {
  it("creates a configuration, a token and a store on its first start, and logs its addresses", async () => {
    const running = new Running(PORTS);
    const { public: url = "" } = await running.ready();
    expect((await ask(url, "/healthz")).status).toBe(200);
    expect(readFileSync(join(folder, "config.yml"), "utf8")).toContain("verification-timeout: 2m");
    const token = readFileSync(join(folder, "data", "bridge-token"), "utf8").trim();
    expect(token.length).toBeGreaterThan(30);
    if (process.platform !== "win32")
      expect(statSync(join(folder, "data", "bridge-token")).mode & 0o777).toBe(0o600);
    expect(running.out).not.toContain(token);
  });

  it("closes its sockets with 1001, ends a pending poll and exits with 0 on SIGTERM", async () => {
    const running = new Running({ ...PORTS, WEB_BRIDGE_BRIDGE_TOKEN: "a-token-of-this-test" });
    const { public: url = "", bridge = "" } = await running.ready();
    const pack = new FakePack(bridge, "a-token-of-this-test");
    await pack.connect();
    const poll = pack.take();
    const socket = await ChatSocket.open(url);
    running.child.kill("SIGTERM");
    expect(await socket.closed).toBe(1001);
    expect(await poll).toEqual([]);
    expect(await running.ended).toBe(0);
    expect(running.out).toContain('"msg":"Stopped"');
  });

  it("exits immediately on a second signal", async () => {
    const running = new Running(PORTS);
    const { public: url = "" } = await running.ready();
    const socket = await ChatSocket.open(url);
    // A client that never responds to the close frame would delay the stop.
    socket.ws.pause();
    running.child.kill("SIGTERM");
    await running.says("a second signal exits immediately");
    running.child.kill("SIGINT");
    expect(await running.ended).toBe(1);
    expect(running.out).not.toContain('"msg":"Stopped"');
    socket.ws.terminate();
  });

  it("names every error of its configuration on its own line and exits with 1", async () => {
    writeFileSync(
      join(folder, "config.yml"),
      'modules.api: { port: 70000, admin-api-key: "sécret", no-such-key: 1 }\n',
    );
    const running = new Running({ WEB_BRIDGE_BRIDGE_PORT: "x" });
    expect(await running.ended).toBe(1);
    const lines = running.err.trim().split("\n");
    const named = ["modules.api.port", "modules.api.admin-api-key", "modules.api.no-such-key"];
    for (const key of [...named, "WEB_BRIDGE_BRIDGE_PORT"])
      expect([key, lines.filter(line => line.includes(key)).length]).toEqual([key, 1]);
    expect(lines).toHaveLength(4);
    expect(running.err).not.toContain("sécret");
  });

  it.each([
    ["modules.api.port", "WEB_BRIDGE_MODULES_API_PORT"],
    ["bridge.port", "WEB_BRIDGE_BRIDGE_PORT"],
  ])("names %s when its port is in use", async (key, variable) => {
    const taken = createServer();
    await new Promise<void>(resolve => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? `${address?.port}` : "";
    const running = new Running({ ...PORTS, WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1", [variable]: port });
    running.child.stdout?.on("data", (chunk: Buffer) => {
      running.out += chunk.toString();
    });
    expect(await running.ended).toBe(1);
    expect(running.out).toContain('"msg":"Starting"');
    expect(running.err).toContain(
      `${key}: ${port}: this port is already in use: stop the other program, or choose another port (EADDRINUSE)`,
    );
    expect(running.out).not.toContain("EADDRINUSE");
    taken.close();
  });

  it("explains its arguments", async () => {
    expect(await new Running({}, ["--help"]).ended).toBe(0);
    const wrong = new Running({}, ["--conf", "x"]);
    expect(await wrong.ended).toBe(1);
    expect(wrong.err).toContain("usage:");
  });
});
