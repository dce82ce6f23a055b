import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { freePort } from "../../cli/free-port.ts";
import { ANSWERED, sees, violations } from "../../web/testing/page.ts";
import { inBrowser, Stage } from "../../web/testing/stage.ts";
import { browserOfSuite } from "../../web/testing/suite.ts";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
import { ended } from "../helpers/ended.ts";
import { eventually } from "../helpers/eventually.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { NGINX, programOf, replaced, runNginx } from "../helpers/recipes.ts";
import { configShown } from "./config-lines.ts";
import { blocks } from "./pages.ts";
import { SHOWN_API } from "./website.ts";

// Blocks of docs/cookbook/README.md: a-website-on-another-domain sh
// Own connections: a page calls the server of a website.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const nginx = programOf(NGINX, "-v");

inBrowser.describe("a website on another domain, with the backend of the cookbook", () => {
  const browser = browserOfSuite();
  let stage: Stage;
  let folder: string;
  let programs: ChildProcess[];
  /** the address of the website for a visitor's browser */
  let site: string;
  /** errors that a test expects the browser to log, beside error responses of the service */
  let expected: RegExp | undefined;

  afterEach(async () => {
    await stage.close();
    await ended(...programs);
    expect(stage.complaints.filter(line => !ANSWERED.test(line) && !expected?.test(line))).toEqual([]);
  });

  async function begin(env: Record<string, string> = { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" }) {
    programs = [];
    expected = undefined;
    folder = newFolder("website-");
    stage = await Stage.open(browser(), ["Steve"], { env });
  }

  /** The folder of the website as on the page, and its program, which calls the service at this address. */
  async function serve(service: string, port = 0): Promise<void> {
    const example = readFileSync(join(ROOT, "docs/cookbook/link-button.html"), "utf8");
    mkdirSync(join(folder, "public"));
    writeFileSync(join(folder, "public/index.html"), replaced(example, [[SHOWN_API, "/bridge"]]));
    writeFileSync(join(folder, "public/favicon.ico"), "");
    copyFileSync(join(ROOT, "docs/cookbook/website-backend.mjs"), join(folder, "website-backend.mjs"));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
    // The test acts as the proxy that adds each visitor's address.
    const env = { ...process.env, SERVICE: service, PORT: `${port}`, PROXIES: "loopback" };
    const program = spawn(process.execPath, ["website-backend.mjs"], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    programs.push(program);
    const [line] = await once(createInterface(program.stdout), "line");
    site = String(line).replace("localhost", "www.shop.example");
  }

  /** The page of a visitor with this address. */
  const visit = (address: string): Promise<Page> =>
    stage.page(site, { extraHTTPHeaders: { "X-Forwarded-For": address } });
  const ask = async (page: Page, name = "Steve"): Promise<void> => {
    await page.getByLabel("Your name in the game").fill(name);
    await page.keyboard.press("Enter");
  };
  const answer = async (button: number): Promise<void> => {
    const steve = stage.bridge.player("Steve");
    await eventually(() => expect(steve.form).toBeTruthy());
    steve.answer(button);
  };
  const declinedThrice = async (page: Page): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await ask(page);
      await sees(page, /^A request is waiting in the game/);
      await answer(DECLINE);
      await sees(page, "The player declined. You can try again.");
    }
    await ask(page);
    await sees(page, /^Too many requests\. Try again in \d+ seconds\.$/);
  };
  const links = async (page: Page): Promise<void> => {
    await sees(page, "This browser is not linked to a player.");
    await ask(page);
    await sees(page, /^A request is waiting in the game/);
    await answer(ACCEPT);
    await sees(page, "Linked to Steve.");
  };

  /** The response for a script of the page. */
  const answered = (page: Page, path: string): Promise<[number, string]> =>
    page.evaluate(`fetch("${path}").then(async answer => [answer.status, await answer.text()])`);

  it("links a visitor, and identifies them", async () => {
    const { modules } = configShown("docs/cookbook/README.md", "a-website-on-another-domain");
    expect(modules.api.trustProxy).toEqual(["192.0.2.10"]);
    await begin();
    await serve(stage.bridge.base);
    const page = await visit("203.0.113.1");
    expect(await answered(page, "/hello")).toEqual([200, "Hello guest!\n"]);
    await links(page);
    expect(await violations(page, "website-backend")).toEqual([]);
    expect(await answered(page, "/hello")).toEqual([200, "Hello Steve!\n"]);
    expect(await page.context().cookies()).toMatchObject([
      { name: "website_user_uuid", domain: "www.shop.example", httpOnly: true, sameSite: "Strict" },
    ]);
    await page.getByRole("button", { name: "Unlink" }).click();
    await sees(page, "This browser is not linked to a player.");
    expect(stage.origins).toEqual(new Set([site]));
  });

  it("rejects pages of other sites, and forwards nothing except the calls for linking", async () => {
    await begin();
    await serve(stage.bridge.base);
    const page = await visit("203.0.113.1");
    await sees(page, "This browser is not linked to a player.");
    for (const path of [
      "/bridge/whitelist",
      "/bridge/status",
      "/bridge/session/",
      "/bridge/link-player",
      "/bridge",
    ])
      expect([path, (await answered(page, path))[0]]).toEqual([path, 404]);
    const evil = await stage.page(site.replace("www.shop", "www.evil"), {}, page);
    const pending = evil.waitForResponse(`${site}/bridge/link-player`);
    await evil.evaluate(
      `void fetch("${site}/bridge/link-player", { method: "POST", mode: "no-cors", credentials: "include", body: "{}" })`,
    );
    expect((await pending).status()).toBe(403);
    await stage.pause();
    await stage.bridge.stopSidecar();
    expect(await answered(page, "/bridge/session")).toEqual([502, '{"error":"unreachable"}']);
    expect(await answered(page, "/hello")).toEqual([200, "Hello guest!\n"]);
    expected = /status of (403|404|502)/;
  });

  needs("nginx", nginx !== undefined).it(
    "limits visitors separately, also through the service's own nginx",
    async () => {
      const [port, own] = [await freePort(), await freePort()];
      await begin({
        WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback",
        WEB_BRIDGE_MODULES_API_CORS_ORIGINS: `http://www.shop.example:${own}`,
      });
      const [command = "", ...args] = throughNginx(folder, new URL(stage.bridge.base).host, port);
      programs.push(
        spawn(command, args, { cwd: folder, env: { ...process.env, HOME: folder }, stdio: "ignore" }),
      );
      await serve(`http://127.0.0.1:${port}`, own);
      const page = await visit("203.0.113.1");
      await eventually(async () => expect((await answered(page, "/bridge/session"))[0]).not.toBe(502));
      await page.reload();
      await declinedThrice(page);
      await links(await visit("203.0.113.2"));
      expected = /status of 502/;
    },
  );
});

/** The lines that the configuration shows, with the change from the cookbook. */
function throughNginx(folder: string, sidecar: string, port: number): string[] {
  const [location = "", map = ""] = blocks("docs/websites-and-tls.md", "nginx").map(block => block.text);
  const changed = replaced(location, [
    ["127.0.0.1:8080", sidecar],
    ["X-Forwarded-For $remote_addr;", "X-Forwarded-For $proxy_add_x_forwarded_for;"],
  ]);
  return runNginx(nginx, folder, `${map}\nserver { listen 127.0.0.1:${port};\n${changed}\n}\n`);
}
