import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { eventually } from "../helpers/runner.ts";
import { inBrowser, shoot } from "../web/stage.ts";
import { stagesOfSuite } from "../web/suite.ts";
import { blocks } from "./pages.ts";

// Blocks of docs/configuration.md: a-badge markdown, a-badge html
// Own connections: plays a website beside the service.

const SHOWN = "https://bridge.example.com/";
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Opener-Policy": "same-origin",
};
const shown = (language: string): string =>
  blocks("docs/configuration.md", language).find(({ heading }) => heading === "a-badge")?.text ?? "";

it("the Markdown of the badge is a picture that leads to the page, the same as the line for pages", () => {
  const [, text, image, link] = /^\[!\[(.+)\]\((.+)\)\]\((.+)\)$/.exec(shown("markdown")) ?? [];
  expect([image, link]).toEqual([`${SHOWN}badge.svg`, SHOWN]);
  expect(shown("html")).toBe(`<a href="${link}"><img src="${image}" alt="${text}" height="20"></a>`);
});

inBrowser.describe("the badge on somebody else's page", () => {
  const onStage = stagesOfSuite();
  let site: Server | undefined;
  afterEach(() => void site?.close());

  /** Somebody's website with one page, on an origin that nobody has listed. */
  async function open(html: string): Promise<string> {
    const server = createServer((_req, res) => {
      res.writeHead(200, HEADERS).end(html);
    });
    site = server;
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    return `http://localhost:${(server.address() as AddressInfo).port}/`;
  }

  it("is shown by the line that the page has, where a page takes nothing of others by itself", async () => {
    const stage = await onStage(["Steve"], { yaml: 'modules: {web: {title: "Oak & Stone"}}' });
    await eventually(async () => expect((await ask(stage.bridge.base, "/status")).status).toBe(200));
    const line = shown("html").replaceAll(SHOWN, `${stage.bridge.base}/`);
    const address = await open(`<!doctype html><title>x</title><link rel="icon" href="data:,">${line}`);
    const page = await stage.page(address);
    const size = await page.evaluate(
      'Promise.resolve(document.querySelector("img")).then(img => img.decode().then(() => [img.naturalWidth, img.naturalHeight]))',
    );
    expect(size).toEqual([expect.any(Number), 20]);
    await shoot(page, "badge");
    stage.origins.delete(new URL(address).origin);
  });
});
