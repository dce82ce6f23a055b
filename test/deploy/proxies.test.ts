import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { freePort } from "../../lab/scale/free-port.ts";
import { blocks } from "../docs/pages.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import {
  caddyRecipe,
  HOST,
  makeCertificate,
  NGINX,
  nginxRecipe,
  type Recipe,
  recipe,
  replaced,
  runNginx,
} from "../helpers/recipes.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { Front, findProgram } from "./front.ts";

// Blocks of docs/configuration.md: tls nginx
// Own connections: asks the bridge listener for figures.

const openssl = findProgram(["openssl"], "version");

const nginx = findProgram(NGINX, "-v");
const caddy = findProgram(["caddy"], "version");

/** What the page of the configuration shows, in a server of somebody's own. */
const shownRecipe: Recipe = (program, { folder, certificate, sidecar, port }) => {
  const [location = "", map = ""] = blocks("docs/configuration.md", "nginx").map(block => block.text);
  const own = `listen 127.0.0.1:${port} ssl; ssl_certificate ${certificate.cert}; ssl_certificate_key ${certificate.key};`;
  return runNginx(
    program,
    folder,
    `${map}\nserver { ${own}\n${replaced(location, [["127.0.0.1:8080", sidecar]])} }\n`,
  );
};

/** Headers of a browser that has its cookie. */
async function asSession(front: Front): Promise<Record<string, string>> {
  const { headers } = await front.ask("/initialize");
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return { "Content-Type": "application/json", Cookie: cookie };
}

describe.each([
  { name: "nginx", program: nginx, write: nginxRecipe },
  { name: "caddy", program: caddy, write: caddyRecipe },
  { name: "nginx, as the page of the configuration shows it,", program: nginx, write: shownRecipe },
])("the sidecar behind $name", ({ name, program, write }) => {
  needs(`${name.split(",")[0]} and openssl`, program !== undefined && openssl !== undefined).describe(
    "as in the recipe",
    () => {
      let folder: string;
      let sidecar: TestSidecar;
      let pack: FakePack;
      let front: Front;

      beforeAll(async () => {
        folder = newFolder("proxy-");
        sidecar = await startTestSidecar({
          env: {
            WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback",
            WEB_BRIDGE_MODULES_API_LIMITS_REQUESTS_PER_MINUTE: "60",
          },
        });
        pack = new FakePack(sidecar.bridge);
        await pack.connect();
        await pack.snapshot("Steve");
        const [certificate, port] = [makeCertificate(folder), await freePort()];
        const command = write(program, { folder, certificate, sidecar: new URL(sidecar.base).host, port });
        front = await Front.start(command, folder, certificate.cert, port);
      });
      afterAll(async () => {
        await front?.stop();
        await sidecar?.stop();
      });

      it("answers over HTTPS", async () => {
        const { status, text } = await front.ask("/status");
        expect(status).toBe(200);
        expect(JSON.parse(text)).toMatchObject({ status: "Online", onlinePlayerCount: 1 });
      });

      it("gives out a cookie for HTTPS only", async () => {
        const { headers } = await front.ask("/initialize");
        expect(headers["set-cookie"]?.[0]).toMatch(/; Secure/);
      });

      it("accepts chat from pages of its own origin and of no other", async () => {
        expect(await front.chat(front.origin)).toContain("Connection successful.");
        expect(await front.chat(`http://${HOST}:${front.port}`)).toBe(403);
        expect(await front.chat("https://elsewhere.example")).toBe(403);
      });

      it("judges the origin of a request by the name that the browser sees", async () => {
        expect((await front.ask("/initialize", { Origin: front.origin })).status).toBe(200);
        expect((await front.ask("/initialize", { Origin: "https://elsewhere.example" })).status).toBe(403);
      });

      it("passes on what happens as it happens, and that a reader has left", async () => {
        const events = await front.events();
        await eventually(() => expect(events.text()).toContain("retry: 2000"));
        const took: number[] = [];
        for (const name of ["Alex", "Eve", "Zoe"]) {
          const begun = performance.now();
          await pack.report({ is: "joined", row: row(name) });
          await eventually(() => expect(events.text()).toContain(`"name":"${name}"`));
          took.push(performance.now() - begun);
        }
        // Of a busy machine the quickest shows the rule.
        expect(Math.min(...took)).toBeLessThan(1_000);
        events.close();
        const figures = async (): Promise<string> => (await fetch(`${sidecar.bridge}/metrics`)).text();
        await eventually(async () => expect(await figures()).toMatch(/^web_bridge_event_streams 0$/m));
      });

      it("lets the sidecar itself refuse a body that is somewhat too large", async () => {
        const reply = await front.ask("/link-player", await asSession(front), "x".repeat(20_000));
        expect(reply.status).toBe(413);
        expect(reply.headers["content-type"]).toContain("application/json");
      });

      it("refuses a body that is far too large", async () => {
        expect((await front.ask("/link-player", await asSession(front), "x".repeat(200_000))).status).toBe(
          413,
        );
      });

      it("counts visitors by their address, whatever they claim it is", async () => {
        const statuses = new Set<number>();
        for (let each = 0; each < 70; each++)
          statuses.add((await front.ask("/initialize", { "X-Forwarded-For": `203.0.113.${each}` })).status);
        expect([...statuses]).toEqual([200, 429]);
      });
    },
  );
});

describe("the recipe for nginx", () => {
  it("waits longer for a silent WebSocket or stream than the sidecar stays silent", () => {
    const seconds = Number(/proxy_read_timeout (\d+)s;/.exec(recipe("nginx/web-bridge.conf"))?.[1]);
    expect(seconds).toBeGreaterThan(2 * 20);
  });
});
