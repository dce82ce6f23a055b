import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { ownProcess } from "../helpers/sidecar-process.ts";

// Own connections: opens connections without sending anything.

const CONNECTIONS = 400;

needs("Linux", process.platform === "linux").describe(
  "a process with a low limit of file descriptors",
  () => {
    const own = ownProcess();
    const sockets: Socket[] = [];
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy();
    });

    const start = (descriptors: number): Promise<void> =>
      own.start({}, undefined, ["sh", "-c", `ulimit -n ${descriptors} && exec "$@"`, "sh"]);

    /** In parallel: the first must not reach the idle timeout before the last is open. */
    async function fill(listener: "public" | "bridge"): Promise<void> {
      const port = Number(new URL(own.urls[listener]).port);
      const opened = Array.from({ length: CONNECTIONS }, () => connect({ port, host: "127.0.0.1" }));
      for (const socket of opened) socket.on("error", () => undefined);
      sockets.push(...opened);
      await Promise.allSettled(opened.map(socket => once(socket, "connect")));
    }

    it("keeps some for the health check, the bridge and the store when clients use all others", async () => {
      await start(260);
      await fill("public");
      await fill("bridge");
      expect((await ask(own.urls.public, "/healthz")).status).toBe(200);
      const pack = new FakePack(own.urls.bridge);
      await pack.connect();
      expect((await pack.snapshot("Steve")).status).toBe(200);
    });

    it("names the users of descriptors if it cannot read its configuration, and reads it later", async () => {
      await start(100);
      const config = own.path("config.yml");
      const key = createHash("sha256").update("a").digest("hex");
      writeFileSync(config, `modules.api.admin-keys: [{name: a, sha256: ${key}, scopes: ["links:read"]}]\n`);
      const withMessage = (text: string) =>
        own.lines.map(line => JSON.parse(line)).filter(({ msg }) => `${msg}`.includes(text));
      await eventually(async () => {
        // Temporary descriptors and those of idle connections are free again.
        await fill("public");
        await fill("bridge");
        expect(withMessage("Too many open files")).toHaveLength(1);
      });
      expect(withMessage("Too many open files")[0]).toMatchObject({
        reason: "EMFILE",
        publicConnections: expect.any(Number),
        bridgeConnections: expect.any(Number),
      });
      for (const socket of sockets.splice(0)) socket.destroy();
      await eventually(() => expect(withMessage("Reloaded the admin keys")).toHaveLength(1));
      expect(withMessage("faults")).toEqual([]);
    });
  },
);
