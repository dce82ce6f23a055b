import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it } from "@jest/globals";
import { WebSocketServer } from "ws";
import { takeBreaches } from "../helpers/breaches.ts";
import { PATIENCE_MS } from "../helpers/runner.ts";
import { inBrowser, Stage } from "./stage.ts";
import { browserOfSuite } from "./suite.ts";
import { watch } from "./watch.ts";

// Own connections: plays a service that breaks the description.

inBrowser.describe("the watch on a page", () => {
  const browser = browserOfSuite();

  it("finds answers that are not described", async () => {
    const stage = await Stage.open(browser());
    const page = await stage.page();
    const json = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
    await page.route("**/healthz", route => route.fulfill({ headers: json, body: '{"status":"fine"}' }));
    await page.route("**/players", route => route.fulfill({ status: 418 }));
    await page.evaluate(
      'Promise.all(["/healthz", "/players"].map(path => fetch(path).then(answer => answer.text())))',
    );
    await stage.close();
    const breaches = takeBreaches().join("\n");
    expect(breaches).toMatch(/^GET \/healthz: 200: .*"fine"/m);
    expect(breaches).toMatch(/^GET \/players: 418 is not described/m);
  });

  it("finds messages that are not described, both ways", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    const context = await browser().newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    server.on("connection", socket => {
      socket.on("message", () => socket.send('{"type":"NEWS","content":"x"}'));
    });
    const { port } = server.address() as AddressInfo;
    watch(page, () => `http://127.0.0.1:${port}`);
    const heard = page.waitForEvent("websocket").then(socket => socket.waitForEvent("framereceived"));
    await page.evaluate(`{
      const socket = new WebSocket("ws://127.0.0.1:${port}/chat");
      socket.onopen = () => socket.send('{"type":"SHOUT"}');
    }`);
    await heard;
    await context.close();
    for (const client of server.clients) client.terminate();
    server.close();
    expect(takeBreaches().sort()).toEqual([
      'a page may not send {"type":"SHOUT"}',
      'the service may not send {"type":"NEWS","content":"x"}',
    ]);
  });
});
