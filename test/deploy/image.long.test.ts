import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { makeStandIn } from "../../lab/stand-in/put.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import { eventually } from "../helpers/eventually.ts";
import { give, newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { IS_BUILT } from "../package/packages.ts";
import { environmentOf, servicesOf } from "./compose.ts";
import { buildImage, type Container, HAS_NAMESPACES, IMAGE, run, start } from "./container.ts";
import { freePort } from "./front.ts";

const services = servicesOf();
const ADMIN_KEY = "a-long-key-of-somebody-0123456789";

needs("npm run build, root, unshare and setpriv", IS_BUILT && HAS_NAMESPACES).describe(
  "the image of the Dockerfile",
  () => {
    const folder = newFolder("image-");
    const server = join(folder, "server");
    let ports: Record<string, string>;
    let sidecar: ChildProcess | undefined;
    let said = "";

    beforeAll(async () => {
      buildImage(folder);
      ports = {
        WEB_BRIDGE_MODULES_API_PORT: `${await freePort()}`,
        WEB_BRIDGE_BRIDGE_PORT: `${await freePort()}`,
      };
      await makeServer(server, { levelName: "Bedrock level" });
      // The initial volume of the image: the program with its version, and backups of an update.
      renameSync(join(server, "bedrock_server"), join(server, "bedrock_server-1.26.60.6"));
      mkdirSync(join(server, "backup-pre-1.26.60.6", "behavior_packs"), { recursive: true });
    });
    afterAll(async () => {
      await stop();
    });

    /** A service of the composition as it runs there, with ports that are free here. */
    function service(name: string, of = services): Container {
      const {
        user = IMAGE.user,
        entrypoint,
        command,
        cap_add,
        read_only,
        tmpfs = [],
        volumes = [],
        ...rest
      } = of[name] ?? {};
      const own = { "web-bridge.env": { WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY } };
      const mounts = volumes.map(volume => volume.split(":")).filter(([, , mode]) => mode !== "ro");
      return {
        folder,
        user,
        entrypoint: (entrypoint ?? IMAGE.entrypoint).map(word =>
          word.replace(":8081", `:${ports.WEB_BRIDGE_BRIDGE_PORT}`),
        ),
        // A command of the image runs with its entrypoint only.
        command: command ?? (entrypoint === undefined ? IMAGE.command : []),
        environment: { ...environmentOf(rest, { files: own }), ...ports },
        writable: read_only === true ? mounts.map(([, path = ""]) => path) : ["/app", "/data", "/server"],
        hasTemp: read_only !== true || tmpfs.includes("/tmp"),
        // Default owner and group of Docker.
        capabilities:
          user === "0:0"
            ? (cap_add ?? ["chown", "dac_override", "fowner", "fsetid", "setgid", "setuid"])
            : [],
        names: ["web-bridge"],
      };
    }

    async function stop(): Promise<number | null> {
      if (sidecar === undefined) return null;
      const ended = sidecar.exitCode === null ? once(sidecar, "exit") : [sidecar.exitCode];
      sidecar.kill("SIGTERM");
      sidecar = undefined;
      return (await ended)[0];
    }

    async function check(): Promise<void> {
      const { code, out } = await run({ ...service("web-bridge"), entrypoint: IMAGE.check, command: [] });
      if (code !== 0) throw Object.assign(new Error(out), { code });
    }

    it("runs as its user on a read-only root, passes its check, and logs as text", async () => {
      expect(statSync(join(folder, "app/main.js")).uid).toBe(0);
      sidecar = start(service("web-bridge"));
      for (const stream of [sidecar.stdout, sidecar.stderr]) stream?.on("data", part => (said += part));
      await eventually(check);
      await eventually(() =>
        expect(said).toMatch(/^\[[\d: -]+\] INFO: bridge listener at http:\/\/0\.0\.0\.0:\d+$/m),
      );
      expect(said).not.toContain(ADMIN_KEY);
      for (const name of ["config.yml", "bridge-token", "links.db"])
        expect(`${statSync(join(folder, "data", name)).uid}`).toBe(IMAGE.user.split(":")[0]);
    });

    it("has a doctor that sees both sides, and a setup that applies its advice", async () => {
      const before = await run(service("doctor"));
      expect(before.out).toContain("!!  the behavior pack is not in behavior_packs of ");
      expect(before.out).toContain("the sidecar answers at http://web-bridge:");
      expect(before.code).toBe(1);
      const setup = service("setup");
      const made = await run({ ...setup, command: [...setup.command, "--yes"] });
      expect([made.out, made.code]).toEqual([expect.stringContaining("Done."), 0]);
      // Values that it fills in from the server are read when the sidecar starts.
      expect(made.out).toMatch(/1\. restart the sidecar: .* restart web-bridge/);
      expect(await stop()).toBe(0);
      sidecar = start(service("web-bridge"));
      await eventually(check);
      const after = await run(service("doctor"));
      expect([after.out, after.code]).toEqual([
        expect.stringMatching(
          /\nThe game server is not running: not checked whether the add-on connects\. .*\n$/,
        ),
        1,
      ]);
      expect(after.out).toContain("the running sidecar accepts the bridge token");
      expect(after.out).toContain("the running sidecar has the settings of ");
      expect(after.out).not.toContain("another environment");
      const token = readFileSync(join(folder, "data/bridge-token"), "utf8").trim();
      for (const secret of [ADMIN_KEY, token])
        expect(before.out + made.out + after.out).not.toContain(secret);
    });

    it("runs a game server at /game with the sidecar, stops both in order, and has setup and doctor for it", async () => {
      expect(await stop()).toBe(0);
      const game = join(folder, "game");
      await makeStandIn(game);
      const file = join(game, "server.properties");
      const own = readFileSync(file, "utf8").replace(/^server-port=.*$/m, `server-port=${await freePort()}`);
      writeFileSync(file, own);
      const all = servicesOf("docker/compose.game.yml");
      const gameService = (name: string): Container => ({
        ...service(name, all),
        writable: ["/app", "/data", "/game"],
      });
      const refused = await run(gameService("web-bridge"));
      expect([refused.code, refused.out]).toEqual([2, expect.stringContaining(`can't write ${game}`)]);
      give(game, { uid: 1000, gid: 1000 });
      const startBoth = async (line: string): Promise<void> => {
        said = "";
        sidecar = start(gameService("web-bridge"));
        for (const stream of [sidecar.stdout, sidecar.stderr]) stream?.on("data", part => (said += part));
        await eventually(() => expect(said).toContain(line));
        await eventually(check);
      };
      await startBoth("Server started.");
      expect(await stop()).toBe(0);
      expect(said).toContain("Quit correctly");

      const setup = gameService("setup");
      const made = await run({ ...setup, command: [...setup.command, "--yes"] });
      expect([made.out, made.code]).toEqual([expect.stringContaining("Done."), 0]);
      await startBoth("[web bridge] connected to the sidecar at ");
      const { out } = await run(gameService("doctor"));
      expect(out).toContain("No problems found.");
      expect(await stop()).toBe(0);
      rmSync(game, { recursive: true });
    });

    it("fails its check when it is stopped", async () => {
      await expect(check()).rejects.toMatchObject({ code: 1 });
      const { out } = await run(service("doctor"));
      expect(out).toContain("the sidecar is not running: nothing answers at http://web-bridge:");
    });
  },
);
