import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { checkedFetch } from "../test/helpers/client.ts";
import { FakePack } from "../test/helpers/fake-pack.ts";
import { ADMIN_KEY, startTestSidecar, type TestSidecar } from "../test/helpers/sidecar.ts";
import { type Client, createChat, createClient, createConversation, createEvents } from "./index.ts";

const TOKEN = "token-of-the-lobby-that-is-long-enough";
const YAML = `server.info.title: Survival
servers: [{name: lobby, title: The lobby, token: "${TOKEN}"}]`;

let side: TestSidecar;
let first: FakePack;
let lobby: FakePack;
let client: Client;
beforeEach(async () => {
  side = await startTestSidecar({ yaml: YAML });
  first = new FakePack(side.bridge);
  lobby = new FakePack(side.bridge, TOKEN);
  for (const pack of [first, lobby]) await pack.connect();
  await first.snapshot("Steve");
  await lobby.snapshot("Alex", "Noor");
  client = createClient({ base: side.base, fetch: checkedFetch });
});
afterEach(() => side.stop());

/** The addresses that a call asks for, with what it sends. */
function recordCalls(): { client: Client; all: string[] } {
  const all: string[] = [];
  const fetch = async (url: string, { method, body }: { method?: string; body?: string | null }) => {
    all.push(`${method} ${url}${body ? ` ${body}` : ""}`);
    return new Response("[]");
  };
  return { client: createClient({ base: "http://example.org", fetch }), all };
}

describe("the client, with several game servers", () => {
  it("requests the figures and players of a named server, and of the first one without a name", async () => {
    const names = async (of: Client): Promise<unknown> => {
      const players = await of.players();
      return players.ok ? players.value.map(({ name }) => name) : players.code;
    };
    expect(await names(client)).toEqual(["Steve"]);
    expect(await names(client.server("main"))).toEqual(["Steve"]);
    expect(await names(client.server("lobby"))).toEqual(["Alex", "Noor"]);
    expect(await client.server("lobby").status()).toMatchObject({
      ok: true,
      value: { onlinePlayerCount: 2 },
    });
    expect(await client.server("lobby").server()).toMatchObject({ ok: true, value: { title: "The lobby" } });
    expect(await client.server()).toMatchObject({ ok: true, value: { title: "Survival" } });
    expect(await client.server("lobby").history()).toMatchObject({ ok: true });
    expect(await client.servers()).toMatchObject({ ok: true, value: [{ name: "main" }, { name: "lobby" }] });
  });

  it.each(["nether", "", "../status", "a/b", "?"])(
    "fails with unknown_server where none is called %j",
    async name => {
      for (const call of ["status", "server"] as const)
        expect(await client.server(name)[call]()).toMatchObject({ status: 404, code: "unknown_server" });
    },
  );

  it("changes the whitelist of only one of them", async () => {
    const adding = client.server("lobby").addToWhitelist(ADMIN_KEY, "Herobrine");
    const { body } = await lobby.carryOut("done");
    expect(body).toMatchObject({ do: "allowlist-add", name: "Herobrine" });
    expect(await adding).toMatchObject({ ok: true, value: { status: "whitelisted" } });
  });

  it("names the server in its requests", async () => {
    const { client, all } = recordCalls();
    const of = client.server("lobby");
    await of.linkPlayer("Alex");
    await client.linkPlayer("Alex");
    await of.events({ limit: 5 });
    await client.events({ server: "main" });
    await of.removeFromWhitelist("key", "Alex");
    await of.server("main").status();
    await of.session();
    expect(all).toEqual([
      'POST http://example.org/link-player {"username":"Alex","server":"lobby"}',
      'POST http://example.org/link-player {"username":"Alex"}',
      "GET http://example.org/events?format=json&limit=5&server=lobby",
      "GET http://example.org/events?format=json&server=main",
      'DELETE http://example.org/servers/lobby/whitelist {"playerName":"Alex"}',
      "GET http://example.org/servers/main/status",
      "GET http://example.org/session",
    ]);
  });

  it("opens the chat, the stream and a conversation of one of them", async () => {
    const addresses: string[] = [];
    const connect = (url: string) => {
      addresses.push(url);
      return { onopen: null, onmessage: null, onclose: null, onerror: null, send() {}, close() {} };
    };
    const fetch = async (url: string): Promise<never> => {
      addresses.push(url);
      throw new Error("nobody is there");
    };
    const base = "http://example.org";
    const of = { base, server: "lobby", connect, fetch };
    const chat = createChat({ ...of, onLine: () => undefined });
    const events = createEvents({ ...of, types: ["status"], onEvent: () => undefined });
    const { client, all } = recordCalls();
    const talk = createConversation({ ...of, client, onLines: () => undefined });
    await new Promise(resolve => setImmediate(resolve));
    for (const one of [chat, events, talk]) one.close();
    expect(addresses[0]).toBe("ws://example.org/chat?server=lobby");
    expect(addresses[1]).toBe("http://example.org/events?types=status&heartbeat=often&server=lobby");
    expect(addresses.filter(url => !url.includes("server=lobby"))).toEqual([]);
    expect(all).toContain("GET http://example.org/events?format=json&types=chat&limit=200&server=lobby");
  });

  it("lists the game servers that a page can choose from, and none if there is only one", async () => {
    expect(await client.settings()).toMatchObject({
      value: {
        servers: [
          { name: "main", title: "Survival" },
          { name: "lobby", title: "The lobby" },
        ],
      },
    });
    const one = await startTestSidecar();
    const settings = await createClient({ base: one.base, fetch: checkedFetch }).settings();
    expect(settings).toMatchObject({ ok: true });
    expect(settings.ok && "servers" in settings.value).toBe(false);
    await one.stop();
  });
});
