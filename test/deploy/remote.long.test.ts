import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { addressesOf } from "../../bds/script-config.ts";
import { SidecarProcess } from "../../lab/scale/sidecar-process.ts";
import { runRealtime } from "../../lab/simulator/realtime.ts";
import { createSimulator, type Simulator } from "../../lab/simulator/simulator.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import { PATHS } from "../../shared/frames.ts";
import { FACTS_BODY_BYTES, MAX_BODY_BYTES, MAX_FACTS, MAX_REQUESTS_IN_FLIGHT } from "../../shared/limits.ts";
import { PACK } from "../helpers/bridge.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { eventually, until } from "../helpers/eventually.ts";
import { hello, said } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { PROGRAM, TOKEN } from "../helpers/sidecar.ts";
import { runTool } from "../helpers/tools.ts";
import {
  findProgram,
  freePort,
  makeCertificate,
  NGINX,
  type Place,
  recipe,
  replaced,
  runCaddy,
  runNginx,
} from "./front.ts";

// Own connections: is a pack for the bridge listener, which is not public.

const openssl = findProgram(["openssl"], "version");
const caddy = findProgram(["caddy"], "version");
const nginx = findProgram(NGINX, "-v");

/** The host name in both recipes. The game of the test cannot resolve it. */
const NAME = "addon.example.com";
const HOST = "localhost";

/** Writes a recipe with further replacements, and returns the command of the proxy. */
type Write = (place: Place, more?: [string, string][]) => string[];

const nginxRecipe: Write = ({ folder, certificate, sidecar, port }, more = []) =>
  runNginx(
    nginx,
    folder,
    replaced(recipe("nginx/web-bridge-remote.conf"), [
      ["    listen 80;\n    listen [::]:80;", `    listen unix:${join(folder, "plain.sock")};`],
      ["    listen 443 ssl;\n    listen [::]:443 ssl;", `    listen 127.0.0.1:${port} ssl;`],
      [`/etc/letsencrypt/live/${NAME}/fullchain.pem`, certificate.cert],
      [`/etc/letsencrypt/live/${NAME}/privkey.pem`, certificate.key],
      [`server_name ${NAME}`, `server_name ${HOST}`],
      ["127.0.0.1:8081", sidecar],
      ...more,
    ]),
  );

const caddyRecipe: Write = ({ folder, certificate, sidecar, port }, more = []) =>
  runCaddy(
    caddy,
    folder,
    replaced(recipe("caddy/Caddyfile.remote"), [
      [`http://${NAME} {`, `http://${HOST} {\n\tbind unix/${join(folder, "plain.sock")}`],
      [
        `${NAME} {\n\t#`,
        `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate.cert} ${certificate.key}\n\t#`,
      ],
      ["127.0.0.1:8081", sidecar],
      ...more,
    ]),
  );

const onlyFor = {
  nginx: (address: string): [string, string][] => [
    ["# allow 203.0.113.7;", `allow ${address};`],
    ["# deny all;", "deny all;"],
  ],
  caddy: (address: string): [string, string][] => [
    ["# @others not remote_ip 203.0.113.7", `@others not remote_ip ${address}`],
    ["# respond @others", "respond @others"],
  ],
};

describe.each([
  { name: "nginx", program: nginx, write: nginxRecipe, only: onlyFor.nginx },
  { name: "caddy", program: caddy, write: caddyRecipe, only: onlyFor.caddy },
])("a game server on another machine, behind $name", ({ name, program, write, only }) => {
  needs(`${name} and openssl`, program !== undefined && openssl !== undefined).describe(
    "as in the recipe",
    () => {
      let place: Place;
      let sidecar: SidecarProcess;
      let proxy: ChildProcess;
      let authority: string;

      /** Status and text of the answer through the proxy. */
      const call = (path: string, body?: string, token = TOKEN): Promise<{ status: number; text: string }> =>
        new Promise((resolve, reject) => {
          const sent = request(
            {
              ...{ host: "127.0.0.1", servername: HOST, port: place.port, path, ca: authority, agent: false },
              method: body === undefined ? "GET" : "POST",
              headers: {
                ...{ Host: `${HOST}:${place.port}`, Authorization: token },
                ...(body !== undefined && { "Content-Type": "application/json" }),
              },
            },
            answer => {
              let text = "";
              answer.setEncoding("utf8").on("data", part => {
                text += part;
              });
              answer.on("error", reject).on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
            },
          );
          sent.on("error", reject).end(body);
        });

      /** Starts the proxy and waits until it accepts connections. */
      const startProxy = async (more?: [string, string][]): Promise<void> => {
        const [command = "", ...args] = write(place, more);
        const home = join(place.folder, "home");
        mkdirSync(home, { recursive: true });
        // Left by a proxy that was killed.
        rmSync(join(place.folder, "plain.sock"), { force: true });
        const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
        proxy = spawn(command, args, { cwd: place.folder, env, stdio: "ignore" });
        await eventually(() => call("/"));
      };
      const stopProxy = async (): Promise<void> => {
        const ended = once(proxy, "exit");
        // It does not wait for open requests.
        proxy.kill("SIGKILL");
        await ended;
      };

      beforeAll(async () => {
        const folder = newFolder("remote-");
        sidecar = new SidecarProcess(PROGRAM, folder, { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN });
        await sidecar.start();
        const certificate = makeCertificate(folder, `DNS:${HOST}`);
        authority = readFileSync(certificate.cert, "utf8");
        place = { folder, certificate, sidecar: new URL(sidecar.urls.bridge).host, port: await freePort() };
        await startProxy();
      });
      afterAll(async () => {
        if (proxy?.exitCode === null && proxy.signalCode === null) await stopProxy();
        await sidecar?.kill();
      });

      const session = async (): Promise<string> =>
        JSON.parse((await call(PATHS.hello, JSON.stringify(hello()))).text).session;

      it("reaches nothing but the paths of the add-on and the doctor, and those only with the token", async () => {
        for (const path of ["/", "/healthz", "/readyz", "/metrics", "/Metrics", "//metrics", "/status"])
          expect([path, (await call(path)).status]).toEqual([path, 404]);
        for (const path of ["/bridge", "/bridge/../metrics", "/bridge/%2e%2e/metrics", "/bridge//metrics"])
          expect([path, (await call(path)).status === 200]).toEqual([path, false]);
        for (const path of [...Object.values(PATHS), "/bridge/status", "/bridge/doctor"])
          expect([path, await call(path, "{}", "wrong")]).toEqual([
            path,
            { status: 401, text: '{"error":"unauthorized"}' },
          ]);
      });

      it("is set up with the copied token, and checked by the doctor through the proxy", async () => {
        const [server, data] = [join(place.folder, "game"), join(place.folder, "copy", "data")];
        const config = join(place.folder, "copy", "config.yml");
        await makeServer(server, { levelName: "world" });
        mkdirSync(data, { recursive: true });
        writeFileSync(join(data, "bridge-token"), TOKEN, { mode: 0o600 });
        // Ports at which nothing answers.
        const [apiPort, bridgePort] = [await freePort(), await freePort()];
        writeFileSync(config, `modules.api.port: ${apiPort}\nbridge.port: ${bridgePort}\n`, { mode: 0o600 });
        const url = `https://${HOST}:${place.port}`;
        const of = ["--server", server, "--config", config];
        const env = { ...process.env, NODE_EXTRA_CA_CERTS: place.certificate.cert };
        expect(await runTool("setup", [...of, "--bridge-url", url, "--yes"])).toMatchObject({ code: 0 });
        const { out } = await runTool("doctor", of, { env });
        expect(out).toContain(
          `ok  the sidecar runs on another machine, and listens for the add-on at ${url}\n`,
        );
        expect(out).toContain("ok  the running sidecar accepts the bridge token\n");
        expect(out).toMatch(/^ok {2}the sidecar runs with version \S+ too$/m);
      });

      it("gets an answer to a poll without actions after its full 20 s, and large reports meanwhile", async () => {
        const id = await session();
        const poll = call(PATHS.poll, JSON.stringify({ session: id, after: 0 }));
        const report = (first: number, facts: object[]) =>
          call(PATHS.facts, JSON.stringify({ session: id, after: 0, first, facts }));
        const line = (text: string) => said(text.padEnd(100, "x"));
        const many = Array.from({ length: MAX_FACTS }, (_, i) => line(`line ${i} `));
        expect(JSON.stringify(many).length).toBeGreaterThan(FACTS_BODY_BYTES);
        expect(await report(1, many)).toMatchObject({ status: 200 });
        const { status, text } = await call(PATHS.facts, "x".repeat(MAX_BODY_BYTES + 1));
        expect([status, JSON.parse(text).error]).toEqual([413, "body_too_large"]);
        const answer = await poll;
        expect([answer.status, JSON.parse(answer.text).actions]).toEqual([200, []]);
      });

      it("delivers every chat message once and in order, across a restart of the proxy", async () => {
        const url = `https://${HOST}:${place.port}`;
        const start = (token: string): Promise<Simulator> =>
          createSimulator({
            pack: PACK,
            variables: { "bridge-url": url },
            secrets: { "bridge-token": token },
            net: {
              authority,
              forceTls: true,
              allowedUris: addressesOf(url, Object.values(PATHS)),
              maxBodyBytes: MAX_BODY_BYTES,
              maxConcurrentRequests: MAX_REQUESTS_IN_FLIGHT,
            },
          });
        const lines = (game: Simulator): string => game.console.map(({ line }) => line).join("\n");
        const stranger = await start("x".repeat(TOKEN.length));
        const ticking = runRealtime(stranger);
        await until(() => lines(stranger).includes(`${url} rejected the token`));
        await ticking.stop();
        stranger.dispose();

        const game = await start(TOKEN);
        const real = runRealtime(game);
        try {
          await until(() => lines(game).includes(`connected to the sidecar at ${url}`));
          const player = game.world.join("Steve");
          const visitor = await ChatSocket.open(sidecar.urls.public);
          const sent: string[] = [];
          const say = (text: string): void => {
            sent.push(text);
            player.say(text);
          };
          const heard = (): string[] =>
            visitor.received.flatMap(each => (each.type === "CHAT" ? [each.content] : []));
          await eventually(async () =>
            expect(await (await fetch(`${sidecar.urls.public}/players`)).text()).toContain("Steve"),
          );
          say("before");
          await until(() => heard().some(line => line.includes("before")));
          await stopProxy();
          say("during 1");
          say("during 2");
          await until(() => lines(game).includes("lost the connection to the sidecar"));
          say("during 3");
          await startProxy();
          say("after");
          await until(() => heard().some(line => line.includes("after")));
          const ofSteve = heard().filter(line => line.includes("<Steve>"));
          expect(ofSteve.map(line => line.replaceAll("§", ""))).toEqual(sent.map(text => `<Steve> ${text}`));
          visitor.say("to the game");
          await until(() => player.chat.some(line => line.includes("to the game")));
          await visitor.close();
        } finally {
          await real.stop();
          game.dispose();
        }
      });

      it("is let in by its address only, if the recipe has one", async () => {
        await stopProxy();
        await startProxy(only("203.0.113.7"));
        expect((await call(PATHS.hello, JSON.stringify(hello()))).status).toBe(403);
        await stopProxy();
        await startProxy(only("127.0.0.1"));
        expect((await call(PATHS.hello, JSON.stringify(hello("later")))).status).toBe(200);
      });
    },
  );
});
