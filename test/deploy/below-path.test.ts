import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser } from "playwright-core";
import { createClient } from "../../client/index.ts";
import { sees } from "../../web/testing/page.ts";
import { inBrowser, openBrowser, webFiles } from "../../web/testing/stage.ts";
import { blocks } from "../docs/pages.ts";
import { eventually, TEST_TIMEOUT_MS } from "../helpers/eventually.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { findProgram, freePort, replaced, runCaddy, runNginx } from "./front.ts";

// Blocks of docs/websites-and-tls.md: below-a-path-of-your-website nginx, below-a-path-of-your-website caddy
// Own connections: calls below a path, which the description does not have.

const HEADING = "below-a-path-of-your-website";

interface Place {
  folder: string;
  sidecar: string;
  port: number;
}

/** The recipe on the page, for this sidecar. */
function examples(language: string, sidecar: string): string {
  const block = blocks("docs/websites-and-tls.md", language).find(({ heading }) => heading === HEADING);
  return replaced(block?.text ?? "", [["127.0.0.1:8080", sidecar]]);
}

const nginx = findProgram(["nginx", "/usr/sbin/nginx"], "-v");
const caddy = findProgram(["caddy"], "version");

function nginxCommand({ folder, sidecar, port }: Place): string[] {
  const map = blocks("docs/websites-and-tls.md", "nginx").find(({ text }) => text.startsWith("map "))?.text;
  return runNginx(
    nginx,
    folder,
    `${map}\nserver { listen 127.0.0.1:${port};\n${examples("nginx", sidecar)}\n}\n`,
  );
}

function caddyCommand({ folder, sidecar, port }: Place): string[] {
  return runCaddy(
    caddy,
    folder,
    `http://127.0.0.1:${port} {\n\tbind 127.0.0.1\n${examples("caddy", sidecar)}\n}\n`,
  );
}

describe.each([
  { name: "nginx", program: nginx, command: nginxCommand },
  { name: "caddy", program: caddy, command: caddyCommand },
])("the service below a path of a website, behind $name", ({ name, program, command }) => {
  needs(name, program !== undefined).describe("as the page shows it", () => {
    let folder: string;
    let side: TestSidecar;
    let pack: FakePack;
    let proxy: ChildProcess;
    let browser: Browser | undefined;
    let origin: string;
    let base: string;

    beforeAll(async () => {
      folder = newFolder("below-");
      side = await startTestSidecar({
        env: { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" },
        webFiles,
      });
      pack = new FakePack(side.bridge);
      await pack.connect();
      await pack.snapshot("Steve");
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      base = `${origin}/bridge/`;
      const [file = "", ...args] = command({ folder, sidecar: new URL(side.base).host, port });
      const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      proxy = spawn(file, args, { cwd: folder, env, stdio: "ignore" });
      await eventually(async () => expect((await fetch(`${base}healthz`)).status).toBe(200));
    });
    afterAll(async () => {
      await browser?.close();
      const ended = once(proxy, "exit");
      if (proxy.exitCode === null && proxy.kill("SIGTERM")) await ended;
      await side.stop();
    });

    it("answers calls of a page of the same origin without an entry for it, and redirects to the trailing slash", async () => {
      const client = createClient({ base, headers: { Origin: origin } });
      expect(await client.status()).toMatchObject({ ok: true, value: { status: "Online" } });
      expect(await client.initialize()).toMatchObject({ ok: true, value: { status: "new" } });
      const answer = await fetch(`${base}initialize`, { headers: { Origin: origin } });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(answer.headers.get("set-cookie")).toContain("Path=/;");
      const { status, headers } = await fetch(base.slice(0, -1), { redirect: "manual" });
      expect([301, 302]).toContain(status);
      expect(new URL(headers.get("location") ?? "", base).href).toBe(base);
    });

    inBrowser.it("has the web console, whose files are all below the path", async () => {
      browser = await openBrowser();
      const context = await browser.newContext({ locale: "de-DE" });
      context.setDefaultTimeout(TEST_TIMEOUT_MS);
      const page = await context.newPage();
      const requested: string[] = [];
      const complaints: string[] = [];
      page.on("request", request => requested.push(request.url()));
      page.on("websocket", socket => requested.push(socket.url().replace(/^ws/, "http")));
      page.on("console", message => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      await page.goto(`${base}#you`);
      await page.locator(".state.online").waitFor();
      await page.locator(".connection.open").waitFor({ state: "attached" });
      await sees(page, "Nicht verknüpft");
      await page.getByRole("link", { name: "Übersicht" }).click();
      await sees(page, "Steve");
      await pack.report({ is: "joined", row: row("Alex") });
      await sees(page, "Alex");
      expect(requested.filter(url => !url.startsWith(base))).toEqual([]);
      const paths = requested.map(url => url.slice(base.length));
      for (const path of ["", "console.json", "initialize", "status", "chat", "linked-player"])
        expect(paths).toContain(path);
      expect(paths).toContainEqual(expect.stringMatching(/^events\?types=/));
      expect(complaints).toEqual([]);
      await context.close();
    });
  });
});
