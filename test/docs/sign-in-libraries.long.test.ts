import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { freePort } from "../../cli/free-port.ts";
import { askForOnline, sees } from "../../web/testing/page.ts";
import { signInsOfSuite } from "../../web/testing/signing-in.ts";
import { inBrowser } from "../../web/testing/stage.ts";
import { ACCEPT } from "../helpers/browser.ts";
import { eventually } from "../helpers/eventually.ts";
import { blocks } from "./pages.ts";

// Blocks of docs/sign-in.md: passport js, authjs js, a-page-without-a-server-behind-it html
// Own connections: a browser that navigates between sites.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SECRET = "the-secret-of-the-forum";
const sha256 = createHash("sha256").update(SECRET).digest("hex");

const examples = (of: string): string =>
  blocks("docs/sign-in.md").find(({ heading }) => heading === of)?.text ?? "";

/** Where a site greets a returning visitor. */
const GREETED = /^Hello Steve\. Your id is [0-9a-f-]{36}\.$/;

inBrowser.describe("a site of the sign-in page", () => {
  const side = signInsOfSuite();
  const programs: ChildProcess[] = [];
  const servers: Server[] = [];
  afterEach(() => {
    for (const each of programs.splice(0)) each.kill();
    for (const each of servers.splice(0)) {
      each.closeAllConnections();
      each.close();
    }
  });

  /** Runs a program of the page as a site that the service knows; returns its address. */
  async function run(program: string, back: string): Promise<string> {
    const port = await freePort();
    const site = `http://localhost:${port}`;
    const client = { id: "example-forum", name: "Example Forum", "redirect-uris": [`${site}${back}`] };
    const env = {
      ISSUER: await side.open([{ ...client, "secret-sha256": sha256 }]),
      CLIENT_ID: client.id,
      CLIENT_SECRET: SECRET,
      SITE: site,
      PORT: `${port}`,
      SESSION_SECRET: "secret-of-the-sessions-of-the-site",
      AUTH_SECRET: "secret-of-the-sessions-of-the-site",
    };
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      cwd: ROOT,
      env: { ...env, PATH: process.env.PATH },
      stdio: ["ignore", "ignore", "inherit"],
    });
    programs.push(child);
    await eventually(async () => expect((await fetch(site)).status).toBeLessThan(500));
    return site;
  }

  async function inGame(page: Page): Promise<void> {
    await sees(page, "Sign in to Example Forum");
    await askForOnline(page, "Steve");
    await side.answerForm(ACCEPT);
    await sees(page, GREETED);
  }

  it("identifies the visitor with Passport, as long as its own session exists", async () => {
    const site = await run(examples("passport"), "/signed-in");
    const page = await side.visitor();
    await page.goto(site);
    await sees(page, "You are not signed in.");
    await page.goto(`${site}/sign-in`);
    await inGame(page);
    await page.goto(site);
    await sees(page, GREETED);
  });

  it("identifies the visitor with Auth.js, by the same id each time", async () => {
    const site = await run(examples("authjs"), "/auth/callback/game");
    const page = await side.visitor();
    await page.goto(`${site}/auth/signin?callbackUrl=/`);
    await page.getByRole("button", { name: "Sign in with the game" }).click();
    await inGame(page);
    const first = await page.textContent("body");
    await page.context().clearCookies({ domain: "localhost" });
    await page.goto(site);
    await sees(page, "You are not signed in.");
    await page.goto(`${site}/auth/signin?callbackUrl=/`);
    await page.getByRole("button", { name: "Sign in with the game" }).click();
    await page.getByRole("button", { name: "Continue as Steve" }).click();
    await sees(page, GREETED);
    expect(await page.textContent("body")).toBe(first);
  });

  it("identifies the visitor with oidc-client-ts, without its own server", async () => {
    const library = readFileSync(
      new URL("../../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js", import.meta.url),
    );
    const port = await freePort();
    const site = `http://localhost:${port}/map/`;
    const issuer = await side.open([{ id: "forum", name: "Example Forum", "redirect-uris": [site] }]);
    const html = examples("a-page-without-a-server-behind-it").replace("https://play.example.com", issuer);
    const server = createServer((req, res) => {
      const isLibrary = req.url?.endsWith(".js") ?? false;
      res.setHeader("Content-Type", isLibrary ? "text/javascript" : "text/html; charset=utf-8");
      res.end(isLibrary ? library : html);
    });
    servers.push(server);
    await new Promise<void>(resolve => server.listen(port, "localhost", resolve));
    const page = await side.visitor();
    await page.goto(site);
    await sees(page, "You are not signed in.");
    await page.getByRole("button", { name: "Sign in" }).click();
    await inGame(page);
    expect(page.url()).toBe(site);
    await page.reload();
    await sees(page, GREETED);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await sees(page, GREETED);
  });
});
