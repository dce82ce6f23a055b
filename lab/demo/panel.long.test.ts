import { once } from "node:events";
import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { WebSocket } from "ws";
import { eventually } from "../../test/helpers/eventually.ts";
import type { DemoGame } from "./game.ts";
import type { FromServer } from "./panel/protocol.ts";
import { openPanel, type Panel } from "./panel/server.ts";
import { PLACES, quietGame } from "./testing/stage.ts";

// Own connections: speaks to the panel of the demo, which is not the service.

const SERVICE = "http://127.0.0.1:9";
let panel: Panel;
let game: DemoGame;
let sockets: WebSocket[] = [];
const said: string[] = [];

beforeEach(async () => {
  said.length = 0;
  sockets = [];
  panel = await openPanel(0);
  game = await quietGame("Steve");
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await panel.close();
  await game.stop();
  expect(said).toEqual([]);
});

const show = (service = SERVICE): void =>
  panel.show({ game, service, places: PLACES, say: line => said.push(line) });
const port = (): number => Number(new URL(panel.origin).port);

/** Sends a request with any Host header, which `fetch` does not allow. */
function ask(path: string, host: string, method = "GET"): Promise<{ status: number; location: string }> {
  return new Promise((resolve, reject) => {
    const pending = request({ host: "127.0.0.1", port: port(), path, method, headers: { host } }, answer => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? "" });
    });
    pending.on("error", reject).end();
  });
}

/** Opens a WebSocket, or returns the status if it is rejected. */
async function open(headers: Record<string, string>, path = "/world"): Promise<WebSocket | number> {
  const socket = new WebSocket(`${panel.origin.replace("http", "ws")}${path}`, { headers });
  sockets.push(socket);
  socket.on("error", () => undefined);
  return new Promise(resolve => {
    socket.once("open", () => resolve(socket));
    socket.once("unexpected-response", (_req, answer) => resolve(answer.statusCode ?? 0));
  });
}

async function openOwn(): Promise<{ socket: WebSocket; got: FromServer[] }> {
  const got: FromServer[] = [];
  const socket = new WebSocket(`${panel.origin.replace("http", "ws")}/world`, { origin: panel.origin });
  sockets.push(socket);
  socket.on("message", data => got.push(JSON.parse(String(data))));
  socket.on("error", () => undefined);
  await once(socket, "open");
  return { socket, got };
}

const answers = (got: FromServer[]): FromServer[] => got.filter(({ is }) => is === "answer");

describe("the server of the panel", () => {
  it("returns 503 until the world is ready, then the page with a strict content policy", async () => {
    expect((await fetch(`${panel.origin}/`)).status).toBe(503);
    expect(await open({ origin: panel.origin })).toBe(503);
    show();
    const { status, headers } = await fetch(`${panel.origin}/`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'");
    expect(policy).toContain(`frame-src 'self' ${SERVICE};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("rejects requests with a host other than the loopback address, and redirects localhost to it", async () => {
    show();
    for (const host of ["evil.example", `evil.example:${port()}`, "127.0.0.1", `127.0.0.1:${port() - 1}`])
      expect([host, (await ask("/panel.json", host)).status]).toEqual([host, 403]);
    expect(await ask("/panel.json", `127.0.0.1:${port()}`)).toMatchObject({ status: 200 });
    expect(await ask("/cookbook/x.html?a=1", `localhost:${port()}`)).toEqual({
      status: 307,
      location: `${panel.origin}/cookbook/x.html?a=1`,
    });
    expect((await ask("/", `127.0.0.1:${port()}`, "POST")).status).toBe(405);
  });

  it("rejects sockets with another origin or none, another host, or another path", async () => {
    show();
    const { origin } = panel;
    for (const headers of [
      {},
      { origin: "https://evil.example" },
      { origin: `http://localhost:${port()}` },
      { origin: `http://evil.example:${port()}`, host: `evil.example:${port()}` },
    ])
      expect([JSON.stringify(headers), await open(headers)]).toEqual([JSON.stringify(headers), 403]);
    expect(await open({ origin }, "/other")).toBe(404);
    expect(await open({ origin })).toBeInstanceOf(WebSocket);
    expect(panel.pages).toBe(1);
  });
});

describe("the socket of the world", () => {
  it("sends the world and the recent chat first, and then only changes", async () => {
    show();
    const { socket, got } = await openOwn();
    await eventually(() => expect(got.map(({ is }) => is)).toContain("chat"));
    const first = got.find(one => one.is === "world");
    expect(first?.is === "world" && first.world.players.map(({ name }) => name)).toEqual(["Steve"]);
    socket.send('{"id":4,"do":"busy","name":"Steve","on":true}');
    await eventually(() => expect(answers(got)).toEqual([{ is: "answer", id: 4 }]));
    const worlds = got.filter(one => one.is === "world").map(one => one.is === "world" && one.world);
    expect(worlds.at(-1)).toMatchObject({ players: [{ name: "Steve", busy: true }] });
    const texts = worlds.map(world => JSON.stringify(world));
    for (const [i, text] of texts.entries()) expect(text).not.toBe(texts[i + 1]);
  });

  it("responds to an invalid command and stays open", async () => {
    show();
    const { socket, got } = await openOwn();
    socket.send("nonsense");
    socket.send(Buffer.from([1, 2, 3]));
    socket.send('{"id":5,"do":"fly"}');
    await eventually(() => expect(answers(got)).toHaveLength(3));
    expect(answers(got)).toEqual([0, 0, 5].map(id => ({ is: "answer", id, fault: "bad_command" })));
    socket.send('{"id":6,"do":"lag","tps":20}');
    await eventually(() => expect(answers(got)).toContainEqual({ is: "answer", id: 6 }));
  });
});
