import { createContext, runInContext } from "node:vm";
import { afterEach, describe, expect, it } from "@jest/globals";
import { WebSocket } from "ws";
import {
  type Chat,
  type Client,
  type Conversation,
  type ConversationOptions,
  createChat,
  createClient,
  createConversation,
  createEvents,
  type Events,
  type LinkOptions,
  link,
  segments,
} from "../../client/index.ts";
import { Visitor } from "../../client/testing/visitor.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, DECLINE, formOf } from "../helpers/browser.ts";
import { watched } from "../helpers/chat-socket.ts";
import { checkedFetch } from "../helpers/client.ts";
import { EventStream } from "../helpers/event-stream.ts";
import { blocks, code, table } from "./pages.ts";

// Blocks of docs/web-api.md: sessions-cookies-origins js, events js, chat js
// Blocks of docs/client.md: status-and-chat js, events js, linking-and-conversations js
// Own connections: its sockets are checked.

let bridge: TestBridge;
afterEach(() => bridge.stop());

/** Runs a snippet of the page like a browser, and returns one of its declarations. */
function run(part: string, globals: object, ...names: string[]): Record<string, unknown> {
  const [snippet] = blocks("docs/web-api.md", "js").filter(block => block.text.includes(part));
  if (!snippet) throw new Error(`no snippet with ${part}`);
  const source = snippet.text.replaceAll("localhost:8080", new URL(bridge.base).host);
  return runInContext(`${source};\n({ ${names.join(", ")} })`, createContext(globals));
}

/** Runs a snippet that imports these names from the client, and returns the result of `end`. */
function runOfClient<T>(part: string, names: string, globals: object, end: string): T {
  const [snippet] = blocks("docs/client.md", "js").filter(block => block.text.includes(part));
  const [, imported, source = ""] =
    /^import \{ (.+) \} from ".\/client\/index.js";\n([\s\S]+)$/.exec(snippet?.text ?? "") ?? [];
  expect(imported).toBe(names);
  const own = source.replaceAll("localhost:8080", new URL(bridge.base).host);
  return runInContext(
    `(${end.startsWith("async") ? "async " : ""}() => { ${own}; return ${end.replace("async ", "")}; })()`,
    createContext(globals),
  );
}

/** The part of an element that the snippet uses; setting other properties shows in `html`. */
class FakeElement {
  textContent = "";
  readonly style: { color?: string } = {};
  readonly children: FakeElement[] = [];

  append(child: FakeElement): void {
    this.children.push(child);
  }

  get example(): string {
    return this.textContent + this.children.map(child => child.example).join("");
  }
}

/** A WebSocket that is checked against the description. */
class WatchedSocket extends WebSocket {
  constructor(url: string) {
    super(url);
    watched(this);
  }
}

describe("the snippet of the chat", () => {
  async function open() {
    bridge = await TestBridge.start(["Steve"]);
    const chat = new FakeElement();
    const warnings: string[] = [];
    const page = run(
      "const socket = new WebSocket",
      {
        document: { getElementById: () => chat, createElement: () => new FakeElement() },
        WebSocket: WatchedSocket,
        console: { warn: (line: string) => warnings.push(line) },
      },
      "socket",
      "say",
    );
    const socket = page.socket as WebSocket;
    await bridge.until(() => socket.readyState === WebSocket.OPEN);
    return {
      chat,
      warnings,
      socket,
      say: page.say as (text: string) => void,
    };
  }

  it("shows game chat as text in its colours, and sends messages to the game", async () => {
    const { chat, say, socket } = await open();
    bridge.player("Steve").say("§ahi <img src=x onerror=alert(1)>");
    await bridge.until(() => chat.children.length === 1);
    const [name, text] = chat.children[0]?.children.slice(-2) ?? [];
    expect([name?.textContent, name?.style.color]).toEqual(["<Steve> ", undefined]);
    expect([text?.textContent, text?.style.color]).toEqual(["hi <img src=x onerror=alert(1)>", "#55ff55"]);
    say("hello");
    await bridge.until(() => bridge.player("Steve").chat.some(line => line.includes("hello")));
    expect(chat.children.map(line => line.example)).toEqual([
      "Game? <Steve> hi <img src=x onerror=alert(1)>",
      "Web hello",
    ]);
    socket.terminate();
  });

  it("answers heartbeats and shows errors", async () => {
    const { warnings, socket, say } = await open();
    const sent: string[] = [];
    const send = socket.send.bind(socket);
    socket.send = (data: string) => {
      sent.push(data);
      send(data);
    };
    await bridge.until(() => sent.length > 0);
    expect(JSON.parse(sent[0] ?? "")).toEqual({ type: "PONG", content: "" });
    say("");
    await bridge.until(() => warnings.length > 0);
    expect(warnings).toEqual(["chat: bad message"]);
    socket.terminate();
  });
});

describe("the snippet of events", () => {
  it("shows who joins and leaves", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const said: string[] = [];
    const opened: Promise<EventStream>[] = [];
    /** The part of a browser's storage that the snippet uses. */
    class FakeEventSource {
      readonly #stream: Promise<EventStream>;
      constructor(url: string) {
        const { origin, pathname } = new URL(url);
        expect(pathname).toBe("/events");
        this.#stream = EventStream.open(origin);
        opened.push(this.#stream);
      }
      addEventListener(name: string, listener: (event: { data: string }) => void): void {
        void this.#stream.then(stream =>
          stream.on(({ event, data }) => event === name && listener({ data: JSON.stringify(data) })),
        );
      }
    }
    const console = { log: (line: string) => said.push(line) };
    run("new EventSource", { EventSource: FakeEventSource, console });
    const stream = await opened[0];
    bridge.join("Alex");
    await bridge.until(() => said.length > 0);
    bridge.player("Alex").leave();
    await bridge.until(() => said.length > 1);
    expect(said).toEqual(["Alex came", "Alex went"]);
    stream?.close();
  });
});

/** `fetch` of a browser that keeps cookies and sends them if requested. */
function browserFetch(): (url: string, options: RequestInit) => Promise<Response> {
  let cookie = "";
  return async (url, options) => {
    const headers = new Headers(options.headers);
    if (options.credentials === "include" && cookie !== "") headers.set("Cookie", cookie);
    const response = await checkedFetch(url, { ...options, headers });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return response;
  };
}

describe("the snippet of linking", () => {
  type Link = (name: string) => Promise<{ status: string; playerData?: { name: string } }>;
  const open = async (fetch = browserFetch()): Promise<Link> => {
    bridge = await TestBridge.start(["Steve"]);
    return run("function link", { fetch, setTimeout: setImmediate }, "link").link as Link;
  };

  it.each([
    ["accepted", ACCEPT],
    ["declined", DECLINE],
  ])("ends with %s once the player has answered", async (status, button) => {
    const linked = (await open())("Steve");
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    steve.answer(button);
    const answer = await bridge.during(linked);
    expect(answer.status).toBe(status);
    expect(answer.playerData?.name).toBe(status === "accepted" ? "Steve" : undefined);
  });

  it("fails with the error code", async () => {
    const failed = (await open())("Nobody").catch((error: Error) => error.message);
    expect(await bridge.during(failed)).toBe("player_offline");
  });
});

describe("the snippet of the client", () => {
  it("shows the figures, and the chat in coloured parts", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const said: unknown[] = [];
    const console = { log: (...values: unknown[]) => said.push(...values) };
    const chat = runOfClient<Promise<Chat>>(
      "createClient({",
      "createChat, createClient, segments",
      { createClient, segments, createChat, console },
      "async chat",
    );
    await bridge.until(() => said.includes("open"));
    bridge.player("Steve").say("§ahi");
    await bridge.until(() => typeof said.at(-1) === "object");
    expect(said[0]).toMatch(/^[\d.]+ ticks a second$/);
    expect(said.at(-1)).toEqual([{ text: "<Steve> " }, { text: "hi", colour: "#55ff55" }]);
    (await chat).close();
  });
});

describe("the snippet of linking and the conversation", () => {
  it("shows messages, links, and then sends messages as the player", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const steve = bridge.player("Steve");
    const visitor = new Visitor(bridge.base, bridge.clock);
    const printed: string[] = [];
    const page = runOfClient<{
      talk: Conversation;
      linkTo(name: string): Promise<string>;
      say(text: string): Promise<string>;
    }>(
      "createConversation({",
      "createClient, createConversation, link",
      {
        createClient: () => visitor.client,
        createConversation: (options: ConversationOptions) =>
          createConversation({
            ...options,
            connect: visitor.connect,
            fetch: visitor.ask,
            timers: visitor.timers,
          }),
        link: (client: Client, name: string, options: LinkOptions) =>
          link(client, name, { ...options, timers: visitor.timers }),
        console: { log: (text: string) => printed.push(`${text}`) },
      },
      "({ talk, linkTo, say })",
    );
    steve.say("hi");
    await bridge.until(() => printed.includes("open") && printed.includes("<Steve> hi"));
    const linking = page.linkTo("Steve");
    const form = await formOf(bridge, steve);
    const [, code8 = "none"] = /“(browser \w{8})”/.exec(printed.join()) ?? [];
    expect(JSON.stringify(form)).toContain(code8);
    steve.answer(ACCEPT);
    expect(await bridge.during(linking)).toBe("accepted");
    await bridge.until(() => page.talk.state.is === "open");
    expect(await bridge.during(page.say("it is me"))).toBe("read");
    await bridge.until(() => steve.chat.some(line => line.includes("<Steve> it is me")));
    expect(await bridge.during(page.say("§a"))).toBe("bad message");
    expect(await bridge.during(page.linkTo("Nobody"))).toBe("player_offline");
    page.talk.close();
  });
});

describe("the snippet of the events", () => {
  it("shows past events, new events, and the figures", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const said: string[] = [];
    const console = { log: (...values: unknown[]) => said.push(values.join(" ")) };
    const events = runOfClient<Events>("createEvents({", "createEvents", { createEvents, console }, "events");
    await bridge.until(() => said.length === 2);
    bridge.player("Steve").say("hi");
    await bridge.until(() => said.length === 3);
    expect(said).toEqual(["Steve join", expect.stringMatching(/^[\d.]+ ticks a second$/), "§§<Steve> §§hi"]);
    events.close();
  });
});

describe("the table of chat messages", () => {
  it("has every message of the description, with its fixed contents", async () => {
    bridge = await TestBridge.start();
    const document = (await bridge.ask("/asyncapi.json")).json as {
      channels: { chat: { messages: Record<string, Described> } };
      operations: Record<"sendToBrowser" | "receiveFromBrowser", { messages: { $ref: string }[] }>;
    };
    interface Described {
      name: string;
      payload: { properties: { content: { enum?: string[] } } };
    }
    const rows = table("docs/web-api.md", "chat");
    for (const [operation, from] of [
      ["sendToBrowser", "service"],
      ["receiveFromBrowser", "you"],
    ] as const) {
      const described = document.operations[operation].messages.map(
        ({ $ref }) => document.channels.chat.messages[$ref.split("/").at(-1) ?? ""],
      );
      const own = rows.filter(([, by]) => by === from);
      expect(own.map(([type]) => code(type)[0]).sort()).toEqual(described.map(one => one?.name).sort());
      for (const one of described)
        for (const content of one?.payload.properties.content.enum ?? [])
          expect(own.find(([type]) => code(type)[0] === one?.name)?.[2]).toContain(`\`${content}\``);
    }
  });
});
