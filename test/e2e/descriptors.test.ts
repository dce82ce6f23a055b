import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { SidecarProcess } from "../../chaos/sidecar-process.ts";
import { ask } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/runner.ts";
import { PROGRAM, TOKEN } from "../helpers/sidecar.ts";

const DESCRIPTORS = 160;
const CONNECTIONS = 400;

needs("Linux", process.platform === "linux").describe("a process that may have few descriptors", () => {
  it("keeps some for the health check, the bridge and the store when one client takes all it can", async () => {
    const folder = mkdtempSync(join(tmpdir(), "descriptors-"));
    const shell = ["sh", "-c", `ulimit -n ${DESCRIPTORS} && exec "$@"`, "sh"];
    const sidecar = new SidecarProcess(PROGRAM, folder, { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN }, shell);
    await sidecar.start();
    const sockets: Socket[] = [];
    for (let i = 0; i < CONNECTIONS; i++) {
      const socket = connect({ port: Number(new URL(sidecar.urls.public).port), host: "127.0.0.1" });
      socket.on("error", () => undefined);
      sockets.push(socket);
      await once(socket, "connect");
    }
    expect((await ask(sidecar.urls.public, "/healthz")).status).toBe(200);
    const pack = new FakePack(sidecar.urls.bridge);
    await pack.connect();
    expect((await pack.snapshot("Steve")).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await sidecar.kill();
    rmSync(folder, { recursive: true, force: true });
  });
});
