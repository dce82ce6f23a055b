import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../helpers/eventually.ts";
import { hello } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { startTestSidecar, type TestSidecar, TOKEN } from "../helpers/sidecar.ts";
import {
  type Certificate,
  Front,
  findProgram,
  freePort,
  HOST,
  makeCertificate,
  NGINX,
  nginxSite,
  recipe,
  replaced,
  runCaddy,
  runNginx,
} from "./front.ts";
import { startNames } from "./names.ts";

// Own connections: is a pack for the bridge listener, which is not public.

const openssl = findProgram(["openssl"], "version");
const caddy = findProgram(["caddy"], "version");
const nginx = findProgram(NGINX, "-v");

/** What a proxy of several sidecars connects. */
interface Place {
  folder: string;
  certificate: Certificate;
  /** addresses of the sidecars' listeners, in the order of the recipe */
  sidecars: { base: string; bridge: string }[];
  /** ports of the proxy for browsers and for the pack */
  port: number;
  packPort: number;
}

/** The recipe with the addresses of three sidecars. */
const withSidecars = (text: string, { sidecars }: Place): string =>
  replaced(
    text,
    sidecars.flatMap(({ base, bridge }, i): [string, string][] => [
      [`127.0.0.1:810${i + 1}`, new URL(base).host],
      [`127.0.0.1:820${i + 1}`, new URL(bridge).host],
    ]),
  );

/** The recipes for nginx: the one for several sidecars has the upstream that is missing here in the one for a single sidecar. */
function nginxRecipe(place: Place): string[] {
  const [before = "", own = ""] = recipe("nginx/web-bridge.conf").split(/upstream web_bridge \{[^}]*\}/);
  const several = replaced(withSidecars(recipe("nginx/web-bridge-scale.conf"), place), [
    ["listen 127.0.0.1:8081;", `listen 127.0.0.1:${place.packPort};`],
  ]);
  return runNginx(nginx, place.folder, `${nginxSite(before + own, place)}\n${several}`);
}

const tlsSite = ({ certificate, port }: Place): string =>
  `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate.cert} ${certificate.key}`;

const caddyRecipe = (place: Place): string[] =>
  runCaddy(
    caddy,
    place.folder,
    replaced(withSidecars(recipe("caddy/Caddyfile.scale"), place), [
      [`${HOST} {`, tlsSite(place)],
      ["http://:8081 {", `http://:${place.packPort} {`],
    ]),
  );

/** Titles identify the sidecars. */
const titleOf = (text: string): string => JSON.parse(text).title;

describe.each([
  { name: "nginx", program: nginx, write: nginxRecipe },
  { name: "caddy", program: caddy, write: caddyRecipe },
])("three sidecars behind $name", ({ name, program, write }) => {
  needs(`${name} and openssl`, program !== undefined && openssl !== undefined).describe(
    "as in the recipe",
    () => {
      let folder: string;
      const sidecars: TestSidecar[] = [];
      let front: Front;
      let pack: string;

      beforeAll(async () => {
        folder = newFolder("scale-");
        for (const title of ["one", "two", "three"])
          sidecars.push(
            await startTestSidecar({
              env: {
                WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback",
                WEB_BRIDGE_MODULES_WEB_TITLE: title,
              },
            }),
          );
        const certificate = makeCertificate(folder);
        const [port, packPort] = [await freePort(), await freePort()];
        pack = `http://127.0.0.1:${packPort}`;
        const command = write({ folder, certificate, sidecars, port, packPort });
        front = await Front.start(command, folder, certificate.cert, port);
      });
      afterAll(async () => {
        await front?.stop();
        for (const sidecar of sidecars) await sidecar.stop();
      });

      const titles = async (requests: number): Promise<string[]> => {
        const seen = new Set<string>();
        for (let i = 0; i < requests; i++) {
          const { status, text } = await front.ask("/console.json");
          expect(status).toBe(200);
          seen.add(titleOf(text));
        }
        return [...seen].sort();
      };

      const helloStatus = async (path = "/bridge/hello"): Promise<number> => {
        const answer = await fetch(`${pack}${path}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", Authorization: TOKEN },
          body: JSON.stringify(hello()),
        });
        await answer.text();
        return answer.status;
      };

      /** Number of sidecars that a pack has connected to. */
      const connected = (): number =>
        sidecars.filter(({ log }) => log.lines.some(line => line.message === "Game server connected")).length;

      it("distributes browsers to all of them, with the browsers' own addresses", async () => {
        expect(await titles(30)).toEqual(["one", "three", "two"]);
        const { headers } = await front.ask("/initialize");
        expect(headers["set-cookie"]?.[0]).toMatch(/; Secure/);
        expect(await front.chat(front.origin)).toContain("Connection successful.");
        const events = await front.events();
        await eventually(() => expect(events.text()).toContain("retry: 2000"));
        events.close();
      });

      it("distributes the pack's requests to all of them, with an allowed host name, and serves no figures there", async () => {
        for (let i = 0; i < 9; i++) expect(await helloStatus()).toBe(200);
        expect(connected()).toBe(3);
        for (const path of ["/metrics", "/metrics?x", "/%6detrics"]) {
          const answer = await fetch(`${pack}${path}`);
          expect(await answer.text()).not.toContain("web_bridge_");
          expect([401, 404]).toContain(answer.status);
        }
      });

      it("skips a stopped sidecar, and answers every request", async () => {
        await sidecars.shift()?.stop();
        expect(await titles(30)).toEqual(["three", "two"]);
        const statuses: number[] = [];
        for (let i = 0; i < 9; i++) statuses.push(await helloStatus());
        // Caddy of Debian returns 502 if it notices this while it has a body. The pack retries, as after any 502.
        const lost = statuses.filter(status => status !== 200);
        expect(lost.slice(name === "caddy" ? 1 : 0)).toEqual([]);
      });

      it("uses it again after its restart", async () => {
        const [next = noSidecar()] = sidecars.splice(0, 1);
        const { publicAddress, bridgeAddress } = next.sidecar;
        await next.stop();
        sidecars.push(
          await startTestSidecar({
            publicPort: publicAddress.port,
            bridgePort: bridgeAddress.port,
            env: {
              WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback",
              WEB_BRIDGE_MODULES_WEB_TITLE: "back",
            },
          }),
        );
        await eventually(async () => expect(await titles(10)).toEqual(["back", "three"]));
      });
    },
  );
});

const IS_LINUX = process.platform === "linux";

needs("Linux, caddy and openssl", IS_LINUX && caddy !== undefined && openssl !== undefined).describe(
  "sidecars in containers behind caddy",
  () => {
    let folder: string;
    const sidecars: TestSidecar[] = [];
    let front: Front;
    const own = { port: 0, packPort: 0, checkPort: 0 };

    let names: Awaited<ReturnType<typeof startNames>>;
    const start = async (host: string, publicPort = 0, bridgePort = 0): Promise<TestSidecar> => {
      const sidecar = await startTestSidecar({
        publicPort,
        bridgePort,
        env: {
          WEB_BRIDGE_MODULES_API_HOST: host,
          WEB_BRIDGE_BRIDGE_HOST: host,
          WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback",
          WEB_BRIDGE_MODULES_WEB_TITLE: host,
        },
      });
      sidecars.push(sidecar);
      return sidecar;
    };

    beforeAll(async () => {
      folder = newFolder("containers-");
      const { publicAddress, bridgeAddress } = (await start("127.0.0.1")).sidecar;
      await start("127.0.0.2", publicAddress.port, bridgeAddress.port);
      names = await startNames(() => sidecars.map(({ config }) => config.modules.api.host));
      const certificate = makeCertificate(folder);
      for (const name of ["port", "packPort", "checkPort"] as const) own[name] = await freePort();
      const place = { folder, certificate, sidecars: [], ...own };
      const sites = replaced(recipe("docker/Caddyfile"), [
        ["{$SITE:localhost} {", tlsSite(place)],
        ["http://:8081 {", `http://:${own.packPort} {`],
        ["http://127.0.0.1:8082 {", `http://127.0.0.1:${own.checkPort} {`],
        ["name web-bridge", `name web-bridge\nresolvers ${names.address}`],
        ["sidecars 8080 ", `sidecars ${publicAddress.port} `],
        ["sidecars 8081 ", `sidecars ${bridgeAddress.port} `],
      ]);
      front = await Front.start(runCaddy(caddy, folder, sites), folder, certificate.cert, own.port);
    });
    afterAll(async () => {
      await front?.stop();
      for (const sidecar of sidecars) await sidecar.stop();
      await names?.stop();
    });

    it("are found by their name, whichever of them run", async () => {
      const title = async (): Promise<string> => titleOf((await front.ask("/console.json")).text);
      const seen = new Set<string>();
      await eventually(async () => expect(seen.add(await title()).size).toBe(2));
      expect(await front.chat(front.origin)).toContain("Connection successful.");
      await sidecars.shift()?.stop();
      for (let i = 0; i < 10; i++) expect(await title()).toBe("127.0.0.2");
    });

    it("are reached by the pack and by the check of the container, and serve no figures there", async () => {
      const pack = `http://127.0.0.1:${own.packPort}`;
      await eventually(async () => expect((await fetch(`${pack}/bridge/hello`)).status).toBe(401));
      expect((await fetch(`${pack}/metrics`)).status).toBe(404);
      expect((await fetch(`http://127.0.0.1:${own.checkPort}/healthz`)).status).toBe(200);
    });
  },
);

function noSidecar(): never {
  throw new Error("there is no sidecar");
}
