import { afterEach, describe, expect, it } from "@jest/globals";
import { asyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import { openApi } from "../../sidecar/routes.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser, formOf } from "../helpers/browser.ts";
import type { Answer, Ask } from "../helpers/client.ts";
import { testConfig } from "../helpers/sidecar.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const { api } = testConfig().modules;
const { paths } = openApi(api);
const { messages } = asyncApi(api).channels.chat;

/** A body without what differs from run to run: figures, ids and names, and what an error says of its field. */
function shape(value: unknown, key = ""): unknown {
  if (typeof value === "number") return "a number";
  if (typeof value === "string" && ["userId", "uuid", "name", "id", "message"].includes(key))
    return `a ${key}`;
  if (Array.isArray(value)) return value.map(one => shape(one));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "field");
  return Object.fromEntries(entries.map(([name, inner]) => [name, shape(inner, name)]));
}

/** The example of this name, for the received response. */
function exampleOf(
  method: "get" | "post" | "delete",
  path: string,
  { status }: Answer,
  name: string,
): unknown {
  const found = paths[path]?.[method]?.responses[status]?.content?.["application/json"]?.examples[name];
  if (!found) throw new Error(`${method} ${path}: ${status} has no example ${name}`);
  return found.value;
}

const body = (path: string): unknown =>
  Object.values(paths[path]?.post?.requestBody?.content["application/json"].examples ?? {})[0]?.value;

/** Sends a request, and compares the response with an example of its path and status. */
async function gives(example: string, path: string, options: Ask = {}): Promise<Answer> {
  const answer = await bridge.askGame(path, options);
  const isDelete = options.method === "DELETE";
  const isGet = options.body === undefined && options.method !== "POST";
  const method = isDelete ? "delete" : isGet ? "get" : "post";
  const { pathname } = new URL(path, bridge.base);
  expect([`${method} ${path}`, shape(answer.json)]).toEqual([
    `${method} ${path}`,
    shape(exampleOf(method, pathname, answer, example)),
  ]);
  return answer;
}

describe("the examples are real responses", () => {
  it("to calls without a key", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"]);
    await gives("visible", "/status");
    await gives("two", "/players");
    await gives("new", "/initialize");
    await gives("ok", "/healthz");
    await gives("ready", "/readyz");
    await gives("upgrade_required", "/chat");
    await gives("origin_not_allowed", "/status", { headers: { Origin: "https://evil.example" } });
    await bridge.stopGame("kill");
    bridge.clock.advance(60_000);
    await gives("server_unavailable", "/status");
    await gives("server_unavailable", "/players");
    await gives("unavailable", "/readyz");
    await bridge.startGame();
    await bridge.until(async () => (await bridge.ask("/readyz")).status === 200);
    const { json } = await bridge.ask("/history");
    const points = (json as { points: { tps: number | null }[] }).points.map(({ tps }) => tps === null);
    expect(points).toContain(true);
  });

  it("to calls of linking", async () => {
    bridge = await TestBridge.start(["Steve"]);
    await gives("missing_session", "/linked-player");
    const browser = await Browser.open(bridge);
    const { cookie } = browser;
    await gives("existing", "/initialize", { cookie });
    await gives("not_linked", "/linked-player", { cookie });
    await gives("not_linked", "/unlink-player", { cookie, method: "POST" });
    await gives("invalid_body", "/link-player", { cookie, body: "{" });
    const large = await gives("invalid_body", "/link-player", { cookie, body: "x".repeat(20_000) });
    expect(large.status).toBe(413);
    await gives("missing_username", "/link-player", { cookie, body: {} });
    await gives("player_offline", "/link-player", { cookie, body: { username: "Nobody" } });
    await gives("no_request", "/link-request", { cookie, method: "DELETE" });
    await gives("verification_sent", "/link-player", { cookie, body: body("/link-player") });
    await gives("pending", "/linked-player", { cookie });
    await gives("already_pending", "/link-player", { cookie, body: body("/link-player") });
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    steve.answer(1);
    await browser.reaches("declined");
    await gives("declined", "/linked-player", { cookie });
    await gives("verification_sent", "/link-player", { cookie, body: body("/link-player") });
    await formOf(bridge, steve);
    await gives("cancelled", "/link-request", { cookie, method: "DELETE" });
    await bridge.until(() => steve.form === undefined);
    await browser.linkTo(steve);
    await gives("accepted", "/linked-player", { cookie });
    steve.leave();
    await bridge.until(async () => (await browser.linked()).playerData === undefined);
    await gives("offline", "/linked-player", { cookie });
    await gives("unlinked", "/unlink-player", { cookie, method: "POST" });
    bridge.frozen = true;
    await gives("unexpected_result", "/link-player", { cookie, body: body("/link-player") });
  });

  it("and sends on the chat", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const [socket, other] = [await bridge.socket(), await bridge.socket()];
    const examples = Object.fromEntries(
      Object.entries(messages).map(([name, one]) => [name, one.examples.map(({ payload }) => payload)]),
    );
    expect(socket.received).toEqual(examples.greeting);
    bridge.player("Steve").say("§ahi");
    await bridge.until(() => other.received.length > 1);
    socket.send(examples.say?.[0]);
    await bridge.until(() => other.received.length > 2);
    expect(other.received.slice(1)).toEqual(examples.line);
    for (const payload of examples.clientPing ?? []) {
      const before = socket.received.length;
      socket.send(payload);
      await bridge.until(() => socket.received.length > before);
      expect(socket.received.slice(before)).toEqual(examples.pong);
    }
    socket.send(examples.clientPong?.[0]);
    const before = other.received.length;
    await bridge.until(() => other.received.length > before);
    expect(other.received.slice(before)).toEqual(examples.ping);
    const refusal = async (send: () => void): Promise<unknown> => {
      const count = socket.received.length;
      send();
      const refusals = (): unknown[] =>
        socket.received.slice(count).filter(({ type }) => type === "EXCEPTION");
      await bridge.until(() => refusals().length > 0);
      return refusals()[0];
    };
    const refusals = [await refusal(() => socket.send("{"))];
    refusals.push(
      await refusal(() => {
        for (let i = 0; i < 40; i++) socket.send(examples.clientPing?.[0]);
      }),
    );
    await bridge.tick(40);
    bridge.world.command("bridge:webchat read-only");
    await bridge.until(() => bridge.linesWith("read-only").length > 0);
    refusals.push(await refusal(() => socket.send(examples.say?.[0])));
    bridge.world.command("bridge:webchat everybody");
    await bridge.until(() => bridge.linesWith("everybody").length > 0);
    await bridge.stopGame("kill");
    bridge.clock.advance(60_000);
    refusals.push(await refusal(() => socket.send(examples.say?.[0])));
    expect(refusals).toEqual(examples.exception);
  });
});
