import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "@jest/globals";
import { freePort } from "../../cli/free-port.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { eventually } from "../helpers/eventually.ts";
import { serving } from "../helpers/serving.ts";
import { SECRET, signingIn } from "../helpers/sign-in.ts";
import { blocks } from "./pages.ts";

// Blocks of docs/sign-in.md: turn-it-on sh, turn-it-on yaml, what-a-site-does js
// Own connections: a browser that navigates between sites.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = "docs/sign-in.md";
const examples = (language: string): string[] =>
  blocks(PAGE).flatMap(block => (block.language === language ? [block.text] : []));

const side = serving();
const sites = signingIn(side);
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

it("the site of the sign-in page greets its visitor by name", async () => {
  const port = await freePort();
  const site = `http://localhost:${port}`;
  await sites.start({}, "", `${site}/signed-in`);
  const [program = ""] = examples("js");
  const env = {
    ISSUER: sites.issuer(),
    CLIENT_ID: "example-forum",
    CLIENT_SECRET: SECRET,
    SITE: site,
    PORT: `${port}`,
  };
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: ROOT,
    env: { ...env, PATH: process.env.PATH },
    stdio: "inherit",
  });
  ends.push(() => child.kill());
  await eventually(async () => expect((await fetch(`${site}/signed-in`)).status).toBe(400));
  const begun = await fetch(`${site}/sign-in`, { redirect: "manual" });
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const browser = sites.browser();
  await browser.go(begun.headers.get("location") ?? "");
  await browser.call("/initialize");
  await sites.inGame(browser);
  const { location = "" } = await sites.goOn(browser);
  const greeted = await fetch(location, { headers: { Cookie: cookie } });
  const { player } = (await browser.call("/session")).json;
  expect(await greeted.text()).toBe(`Hello Steve. Your id is ${player.uuid}.`);
  expect(await (await fetch(location, { headers: { Cookie: cookie } })).text()).toBe(
    "This sign-in has expired. Try again.",
  );
});

it("the sidecar accepts the settings of the sign-in page", () => {
  const [on, cookie] = examples("yaml").map(yaml => readConfig(yaml, {}, "/nowhere"));
  expect(on).toMatchObject({ config: { signIn: { enabled: true } } });
  const sessionCookie = { name: "__Host-website_user_uuid" };
  expect(cookie).toMatchObject({ config: { modules: { api: { sessionCookie } } } });
  expect(examples("sh").map(line => line.split(" ").slice(0, 3).join(" "))).toEqual([
    "./web-bridge key --sign-in",
    "./web-bridge key --rotate-sign-in",
  ]);
});
