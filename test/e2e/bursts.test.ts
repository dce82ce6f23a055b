import { existsSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterEach, expect } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { needs } from "../helpers/needs.ts";
import { ownProcess } from "../helpers/sidecar-process.ts";

// Own connections: connections without a request.

const CONNECTIONS = 1_500;
const SETTING = "/proc/sys/net/core/somaxconn";
const hasRoom = existsSync(SETTING) && Number(readFileSync(SETTING, "utf8")) >= CONNECTIONS;

const own = ownProcess();
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

// A system without room for a connection drops it, and the client retries after one second, and then after two more.
needs("a system whose accept queue holds 1,500 connections", hasRoom).it(
  "a burst of connections waits in the queue, and no client has to retry",
  async () => {
    await own.start();
    const { hostname: host, port } = new URL(own.urls.public);
    own.sidecar.signal("SIGSTOP");
    let connected = 0;
    for (let i = 0; i < CONNECTIONS; i++) {
      const socket = connect({ host, port: Number(port) }, () => connected++);
      socket.on("error", () => undefined);
      sockets.push(socket);
    }
    await eventually(() => expect(connected).toBe(CONNECTIONS));
    own.sidecar.signal("SIGCONT");
    expect((await ask(own.urls.public, "/healthz")).status).toBe(200);
  },
);
