import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "@jest/globals";
import { SidecarProcess } from "../../lab/chaos/sidecar-process.ts";
import { ask } from "../helpers/client.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { PROGRAM } from "../helpers/sidecar.ts";

// Own connections: connections without a request.

const CONNECTIONS = 1_500;
const SETTING = "/proc/sys/net/core/somaxconn";
const hasRoom = existsSync(SETTING) && Number(readFileSync(SETTING, "utf8")) >= CONNECTIONS;

let folder: string;
let sidecar: SidecarProcess;
const sockets: Socket[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "burst-"));
  sidecar = new SidecarProcess(PROGRAM, folder, {});
  await sidecar.start();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await sidecar.kill();
  rmSync(folder, { recursive: true, force: true });
});

// What the system has no room for it drops: whoever it was tries again after a second, and then after two more.
needs("a system that lets 1,500 connections wait", hasRoom).it(
  "a burst of connections waits its turn, and none of it has to be tried again",
  async () => {
    const { hostname: host, port } = new URL(sidecar.urls.public);
    sidecar.signal("SIGSTOP");
    let connected = 0;
    for (let i = 0; i < CONNECTIONS; i++) {
      const socket = connect({ host, port: Number(port) }, () => connected++);
      socket.on("error", () => undefined);
      sockets.push(socket);
    }
    await eventually(() => expect(connected).toBe(CONNECTIONS));
    sidecar.signal("SIGCONT");
    expect((await ask(sidecar.urls.public, "/healthz")).status).toBe(200);
  },
);
