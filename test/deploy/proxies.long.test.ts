import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { freePort } from "../../cli/free-port.ts";
import { blocks } from "../docs/pages.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import {
  apacheRecipe,
  caddyRecipe,
  HOST,
  haproxyRecipe,
  makeCertificate,
  NGINX,
  nginxRecipe,
  type Recipe,
  recipe,
  replaced,
  runNginx,
} from "../helpers/recipes.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { Front, findProgram } from "./front.ts";

// Blocks of docs/websites-and-tls.md: tls nginx
// Blocks of deploy/README.md: behind-a-cache nginx, behind-cloudflare nginx
// Own connections: reads figures of the bridge listener.

const openssl = findProgram(["openssl"], "version");

const nginx = findProgram(NGINX, "-v");
const caddy = findProgram(["caddy"], "version");
const apache = findProgram(["apache2", "/usr/sbin/apache2"], "-v");
const haproxy = findProgram(["haproxy", "/usr/sbin/haproxy"], "-v");

/** The recipe on the configuration page, in the server block of an owner. */
const exampleRecipe: Recipe = (program, { folder, certificate, sidecar, port }) => {
  const [location = "", map = ""] = blocks("docs/websites-and-tls.md", "nginx").map(block => block.text);
  const own = `listen 127.0.0.1:${port} ssl; ssl_certificate ${certificate.cert}; ssl_certificate_key ${certificate.key};`;
  return runNginx(
    program,
    folder,
    `${map}\nserver { ${own}\n${replaced(location, [["127.0.0.1:8080", sidecar]])} }\n`,
  );
};

/** Headers of a browser with its cookie. */
async function asSession(front: Front): Promise<Record<string, string>> {
  const { headers } = await front.ask("/initialize");
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return { "Content-Type": "application/json", Cookie: cookie };
}

describe.each([
  { name: "nginx", program: nginx, write: nginxRecipe },
  { name: "caddy", program: caddy, write: caddyRecipe },
  { name: "apache2", program: apache, write: apacheRecipe },
  { name: "haproxy", program: haproxy, write: haproxyRecipe },
  { name: "nginx, as the page of the configuration shows it,", program: nginx, write: exampleRecipe },
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

      it("sets a cookie for HTTPS only", async () => {
        const { headers } = await front.ask("/initialize");
        expect(headers["set-cookie"]?.[0]).toMatch(/; Secure/);
      });

      it("accepts chat from pages of its own origin and no other", async () => {
        expect(await front.chat(front.origin)).toContain("Connection successful.");
        expect(await front.chat(`http://${HOST}:${front.port}`)).toBe(403);
        expect(await front.chat("https://elsewhere.example")).toBe(403);
      });

      it("forwards events immediately, and notices that a subscriber has disconnected", async () => {
        const events = await front.events();
        await eventually(() => expect(events.text()).toContain("retry: 2000"));
        for (const name of ["Alex", "Eve"]) {
          await pack.report({ is: "joined", row: row(name) });
          await eventually(() => expect(events.text()).toContain(`"name":"${name}"`));
        }
        events.close();
        const figures = async (): Promise<string> => (await fetch(`${sidecar.bridge}/metrics`)).text();
        let more = 0;
        await eventually(async () => {
          // Some proxies notice it when they next forward data.
          await pack.report({ is: "joined", row: row(`Guest ${more++}`) });
          expect(await figures()).toMatch(/^web_bridge_event_streams 0$/m);
        });
      });

      it("lets the sidecar reject a body that is slightly too large", async () => {
        const reply = await front.ask("/link-player", await asSession(front), "x".repeat(20_000));
        expect(reply.status).toBe(413);
        expect(reply.headers["content-type"]).toContain("application/json");
      });

      it("counts visitors by their real address, regardless of forged headers", async () => {
        const statuses = new Set<number>();
        for (let each = 0; each < 70; each++)
          statuses.add((await front.ask("/initialize", { "X-Forwarded-For": `203.0.113.${each}` })).status);
        expect([...statuses]).toEqual([200, 429]);
      });
    },
  );
});

needs("nginx and openssl", nginx !== undefined && openssl !== undefined).describe("nginx", () => {
  let sidecar: TestSidecar;
  let front: Front;
  afterEach(async () => {
    await front?.stop();
    await sidecar?.stop();
  });

  /** The recipe, with `more` outside of its server blocks. */
  async function begin(env: Record<string, string>, more: string, write = nginxRecipe): Promise<void> {
    const folder = newFolder("proxy-");
    sidecar = await startTestSidecar({ env: { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback", ...env } });
    const [certificate, port] = [makeCertificate(folder), await freePort()];
    const command = write(nginx, { folder, certificate, sidecar: new URL(sidecar.base).host, port });
    const server = join(folder, "server.conf");
    writeFileSync(server, `${more}\n${readFileSync(server, "utf8")}`);
    front = await Front.start(command, folder, certificate.cert, port);
  }

  it("behind Cloudflare counts visitors separately, and trusts no one else's headers", async () => {
    const [text = ""] = blocks("deploy/README.md", "nginx").map(block => block.text);
    const limit = { WEB_BRIDGE_MODULES_API_LIMITS_REQUESTS_PER_MINUTE: "30" };
    const statuses = async (): Promise<Set<number>> => {
      const seen = new Set<number>();
      for (let each = 0; each < 35; each++)
        seen.add((await front.ask("/initialize", { "CF-Connecting-IP": `203.0.113.${each}` })).status);
      return seen;
    };
    await begin(limit, replaced(text, [["173.245.48.0/20", "127.0.0.0/8"]]));
    expect(await statuses()).toEqual(new Set([200]));
    await front.stop();
    await sidecar.stop();
    await begin(limit, text);
    expect(await statuses()).toEqual(new Set([200, 429]));
  });

  it("with a cache that ignores Vary keeps a response for each origin, by the key on the page", async () => {
    const [, key = ""] = blocks("deploy/README.md", "nginx").map(block => block.text);
    const cached: Recipe = (program, { folder, certificate, sidecar, port }) => {
      const own = `listen 127.0.0.1:${port} ssl; ssl_certificate ${certificate.cert}; ssl_certificate_key ${certificate.key};`;
      const cache = `proxy_cache c; proxy_ignore_headers Vary; ${key} add_header X-Cache $upstream_cache_status;`;
      const server = `server { ${own} location / { proxy_pass http://${sidecar}; ${cache} } }`;
      return runNginx(program, folder, `proxy_cache_path ${folder}/cache keys_zone=c:1m;\n${server}`);
    };
    const site = "https://site.example";
    await begin({ WEB_BRIDGE_MODULES_API_CORS_ORIGINS: site }, "", cached);
    const pack = new FakePack(sidecar.bridge);
    await pack.connect();
    await pack.snapshot("Steve");
    const seen = async (headers: Record<string, string>): Promise<unknown[]> => {
      const { headers: answered } = await front.ask("/status", headers);
      return [answered["x-cache"], answered["access-control-allow-origin"]];
    };
    for (const cache of ["MISS", "HIT"])
      expect([await seen({}), await seen({ Origin: site })]).toEqual([
        [cache, undefined],
        [cache, site],
      ]);
  });
});

it("the recipes for Traefik and IIS are well-formed, and have the sidecar and the host", () => {
  const { routers, services } = parse(recipe("traefik/web-bridge.yml")).http;
  expect(Object.keys(services)).toEqual(
    Object.values<{ service: string }>(routers).map(({ service }) => service),
  );
  expect(routers["web-bridge"].rule).toContain(HOST);
  expect(services["web-bridge"].loadBalancer.servers).toEqual([{ url: "http://127.0.0.1:8080" }]);
  const open: string[] = [];
  for (const [, end, name = "", alone] of recipe("iis/web.config")
    .replace(/<\?.*?\?>|<!--(?:(?!--).)*-->/gs, "")
    .matchAll(/<(\/?)(\w+)(?:\s+\w+="[^"<]*")*\s*(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else if (!alone) open.push(name);
  }
  expect(open).toEqual([]);
  expect(recipe("iis/web.config")).toContain('url="http://127.0.0.1:8080/{R:1}"');
});

describe("the recipe for nginx", () => {
  it("waits longer for a silent WebSocket or stream than the sidecar's heartbeat", () => {
    const seconds = Number(/proxy_read_timeout (\d+)s;/.exec(recipe("nginx/web-bridge.conf"))?.[1]);
    expect(seconds).toBeGreaterThan(2 * 20);
  });
});
