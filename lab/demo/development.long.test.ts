import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "@jest/globals";
import { WebSocket } from "ws";
import { segments } from "../../client/index.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { inBrowser } from "../../web/testing/stage.ts";
import { browserOfSuite } from "../../web/testing/suite.ts";
import type { FromServer } from "./panel/protocol.ts";

// Own connections: a page of another origin calls the demo, which runs in its own process.

const DEMO = fileURLToPath(new URL("../../dist/tools/demo.js", import.meta.url));
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const plain = (line: string): string =>
  segments(line)
    .map(({ text }) => text)
    .join("");

/** An empty website on localhost. */
async function openWebsite(): Promise<string> {
  const server = createServer((_req, res) =>
    res.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>A website</title>"),
  );
  await once(server.listen(0, "localhost"), "listening");
  ends.push(() => new Promise(resolve => server.close(resolve)));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** Starts the demo with these options. Returns its printed lines by their first words. */
async function startDemo(...options: string[]): Promise<(name: string) => string> {
  const child = spawn(process.execPath, [DEMO, "--port", "0", "--panel-port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  ends.push(() => {
    child.kill("SIGTERM");
    return ended;
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith("No terminal")) break;
  }
  child.stdout.resume();
  return name =>
    lines
      .find(line => line.startsWith(`${name}  `))
      ?.slice(name.length)
      .trim() ?? "";
}

inBrowser.describe("the demo for a website in development", () => {
  const browser = browserOfSuite();

  it("lets a page of --origin call it with the session cookie and the key of --key, and shows a kick", async () => {
    const website = await openWebsite();
    const printed = await startDemo("--origin", website, "--key", "moderator");
    const [, base = ""] = /^http:\/\/localhost:\d+: call (\S+) from it$/.exec(printed("Origin")) ?? [];
    const [, key = ""] = /^(wbk_\S+) \(moderator\)$/.exec(printed("Key")) ?? [];
    expect([base, key]).not.toContain("");

    const panel = printed("Panel").replace(/\/$/, "");
    const socket = new WebSocket(`${panel.replace("http", "ws")}/world`, { origin: panel });
    ends.push(async () => socket.terminate());
    const chat: string[] = [];
    socket.on("message", data => {
      const message: FromServer = JSON.parse(String(data));
      if (message.is === "chat") chat.push(...message.lines.map(({ text }) => text));
    });
    await once(socket, "open");

    const page = await browser().newPage();
    ends.push(() => page.close());
    await page.goto(website);
    const call = (path: string, init: object): Promise<unknown> =>
      page.evaluate(
        async ([url, init]) => {
          const response = await fetch(url, init);
          return [response.status, await response.json()];
        },
        [`${base}${path}`, init] as const,
      );
    const session = { credentials: "include" };
    expect(await call("/initialize", session)).toEqual([200, expect.objectContaining({ status: "new" })]);
    expect(await call("/initialize", session)).toEqual([
      200,
      expect.objectContaining({ status: "existing" }),
    ]);
    const body = JSON.stringify({ playerName: "Steve", reason: "no spam" });
    const headers = { "X-Service-Api-Key": key, "Content-Type": "application/json" };
    expect(await call("/kick", { method: "POST", headers, body })).toEqual([200, { status: "kicked" }]);
    await eventually(() =>
      expect(chat.map(plain)).toContainEqual(expect.stringMatching(/Steve was kicked: .*no spam/)),
    );
  });

  it("registers the site of --site for sign-in", async () => {
    const website = await openWebsite();
    const printed = await startDemo("--site", `${website}/signed-in`);
    expect(printed("Client id")).toBe(`site-1 (${website}/signed-in), no secret, issuer ${printed("REST")}`);
    const query = new URLSearchParams({
      ...{ client_id: "site-1", redirect_uri: `${website}/signed-in`, response_type: "code" },
      ...{ scope: "openid", code_challenge: "a".repeat(43), code_challenge_method: "S256" },
    });
    const begun = await fetch(`${printed("REST")}/sign-in/authorize?${query}`, { redirect: "manual" });
    expect([begun.status, begun.headers.get("location")]).toEqual([
      303,
      expect.stringContaining("/sign-in/ask/"),
    ]);
  });
});
