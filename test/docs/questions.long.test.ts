import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { afterEach, describe, expect, it } from "@jest/globals";
import { type Client, createClient, createEvents, segments } from "../../client/index.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, formOf } from "../helpers/browser.ts";
import { checkedFetch, newSession } from "../helpers/client.ts";
import { needs } from "../helpers/needs.ts";
import { ADMIN_KEY, MODERATOR_KEY, moderators } from "../helpers/sidecar.ts";
import { configLines, configShown, yamlOf } from "./config-lines.ts";
import { blocks } from "./pages.ts";

// Blocks of docs/questions.md: who-is-my-visitor-while-the-player-is-offline js
// Blocks of docs/questions.md: how-does-my-own-server-check-a-link js
// Blocks of docs/questions.md: can-the-service-be-below-a-path-of-my-website js
// Blocks of docs/questions.md: why-must-userid-not-be-written-into-a-log js
// Blocks of docs/questions.md: how-do-i-show-earlier-chat js
// Blocks of docs/questions.md: which-messages-are-from-the-game-and-which-from-a-page js
// Blocks of docs/questions.md: how-do-i-turn-off-chat-from-the-website sh
// Blocks of docs/questions.md: how-do-i-turn-off-chat-from-the-website js
// Blocks of docs/questions.md: how-do-i-show-joins-and-deaths-with-a-picture js, how-long-does-a-link-last js
// Blocks of docs/questions.md: how-long-does-a-link-last sh, how-do-i-call-it-from-react-php-or-python jsx
// Blocks of docs/questions.md: how-do-i-call-it-from-react-php-or-python php
// Blocks of docs/questions.md: how-do-i-call-it-from-react-php-or-python python
// Blocks of docs/questions.md: why-can-a-website-run-no-commands js
// Blocks of docs/questions.md: can-several-servers-share-one-host sh
// Blocks of docs/questions.md: which-ports-have-to-be-open-for-a-website sh
// Blocks of docs/questions.md: why-does-a-monitor-show-the-server-offline js
// Blocks of docs/questions.md: what-stays-the-same-in-later-versions js
// Own connections: reads figures of the bridge listener; calls of the snippets are checked.

const PAGE = "docs/questions.md";
let bridge: TestBridge;
/** the snippets of the page */
let printed: string[] = [];
afterEach(async () => {
  printed = [];
  await bridge?.stop();
});

function block(heading: string, language: string): string {
  const found = blocks(PAGE, language).find(one => one.heading === heading);
  if (!found) throw new Error(`no ${language} under ${heading}`);
  return found.text;
}

/** The blocks of a heading, for the sidecar of the test. */
const here = (heading: string, language: string): string =>
  block(heading, language).replaceAll("localhost:8080", new URL(bridge.base).host);

/** Runs a snippet like a page of a browser with this cookie, and returns one of its exports. */
function run(
  heading: string,
  name: string,
  cookie = "",
  language = "js",
  more: object = {},
): Promise<ReturnType<typeof JSON.parse>> {
  const source = here(heading, language)
    .replaceAll(/^import .*;\n/gm, "")
    .replaceAll(/^export /gm, "");
  const globals = {
    createClient: (options: object): Client =>
      createClient({ fetch: checkedFetch, headers: { Cookie: cookie }, ...options }),
    createEvents,
    segments,
    console: { log: (...words: unknown[]) => printed.push(words.join(" ")) },
    ...more,
  };
  return runInContext(`(async () => { ${source}; return ${name}; })()`, createContext(globals));
}

/** The cookie of a browser that is linked to Steve. */
async function linkedSession(): Promise<{ cookie: string; userId: string }> {
  bridge = await TestBridge.start(["Steve"]);
  const session = await newSession(bridge.base);
  const client = createClient({
    base: bridge.base,
    fetch: checkedFetch,
    headers: { Cookie: session.cookie },
  });
  await bridge.during(client.linkPlayer("Steve"));
  const steve = bridge.player("Steve");
  await formOf(bridge, steve);
  steve.answer(ACCEPT);
  await bridge.tick(10);
  return session;
}

describe("the answers to the questions", () => {
  it("identify the visitor while the player is offline", async () => {
    const { cookie } = await linkedSession();
    bridge.player("Steve").leave();
    await bridge.tick(10);
    const heading = "who-is-my-visitor-while-the-player-is-offline";
    const visitor = await run(heading, "visitor", cookie);
    expect(await visitor()).toBe("Steve");
    const nobody = await run(heading, "visitor");
    expect(await nobody()).toBe("a guest");
  });

  it("check a link with the cookie of the browser", async () => {
    const { cookie } = await linkedSession();
    const heading = "how-does-my-own-server-check-a-link";
    const playerOf = await run(heading, "playerOf");
    expect(await playerOf(`a=b; ${cookie}`, ADMIN_KEY)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await playerOf("", ADMIN_KEY)).toBeUndefined();
    expect(await playerOf(undefined, ADMIN_KEY)).toBeUndefined();
    expect(await playerOf(`${cookie}; ${cookie}`, ADMIN_KEY)).toMatch(/^[0-9a-f-]{36}$/);
    const planted = (await newSession(bridge.base)).cookie;
    expect(await playerOf(`${cookie}; ${planted}`, ADMIN_KEY)).toBeUndefined();
    expect(await playerOf((await newSession(bridge.base)).cookie, ADMIN_KEY)).toBeUndefined();
  });

  it("kick a player with a key for that", async () => {
    bridge = await TestBridge.start(["Steve"], { env: moderators() });
    const kick = await run("why-can-a-website-run-no-commands", "kick");
    const said = (name: string, key = MODERATOR_KEY) => bridge.during(kick(key, name, "spam"));
    expect(await said("Alex")).toBe("Alex is not online");
    expect(await said("Steve")).toBe("Steve was kicked");
    expect(await said("Steve", ADMIN_KEY)).toBe("that did not work: forbidden");
  });

  it("renew the cookie of a linked browser, and identify the player", async () => {
    const { cookie } = await linkedSession();
    const cookies: (string | null)[] = [];
    const noted = async (url: string, init: RequestInit): Promise<Response> => {
      const answer = await checkedFetch(url, init);
      cookies.push(answer.headers.get("Set-Cookie"));
      return answer;
    };
    const own = (options: object): Client =>
      createClient({ fetch: noted, headers: { Cookie: cookie }, ...options });
    const open = await run("how-long-does-a-link-last", "open", "", "js", {
      createClient: own,
    });
    expect(await open()).toMatchObject({ value: { status: "accepted", player: { name: "Steve" } } });
    expect(cookies).toEqual([expect.stringMatching(`^${cookie}; Max-Age=2592000; `), null]);
  });

  it("call the service below a path", async () => {
    bridge = await TestBridge.start();
    const urls: string[] = [];
    const answers = async (url: string): Promise<Response> => {
      urls.push(url);
      return new Response("[]");
    };
    const heading = "can-the-service-be-below-a-path-of-my-website";
    const own = (options: object): Client => createClient({ fetch: answers, ...options });
    const client = await run(heading, "client", "", "js", { createClient: own });
    await client.players();
    expect(urls).toEqual([`${bridge.base}/bridge/players`]);
  });

  it("show as much of a session as the game does", async () => {
    bridge = await TestBridge.start();
    const heading = "why-must-userid-not-be-written-into-a-log";
    const example = await run(heading, "shown");
    expect(example("faa3b7a4-83ac-4f2a-b301-e28f85630885")).toBe("faa3b7a4");
  });

  it("show earlier chat messages with their author", async () => {
    bridge = await TestBridge.start(["Steve"]);
    bridge.player("Steve").say("§ahi");
    const chat = await bridge.socket();
    chat.say("from the web");
    await bridge.tick(10);
    await run("how-do-i-show-earlier-chat", "before");
    expect(printed).toEqual(expect.arrayContaining(["<Steve> hi", "from the web"]));
    const heading = "which-messages-are-from-the-game-and-which-from-a-page";
    const author = await run(heading, "author");
    const events = await createClient({ base: bridge.base }).events({ types: ["chat"] });
    const authors = events.ok ? events.value.map(author).sort() : [];
    expect(authors).toEqual(["Steve", "somebody on the web"]);
    expect(author({ from: "game" })).toBe("somebody");
  });

  it("say who can write, according to the settings", async () => {
    const heading = "how-do-i-turn-off-chat-from-the-website";
    bridge = await TestBridge.start([], { yaml: yamlOf(configLines(PAGE, heading)) });
    await run(heading, "settings");
    expect(printed).toEqual(["who may write: read-only"]);
  });

  it("ask the sidecar instead of the game whether the server is online", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const heading = "why-does-a-monitor-show-the-server-offline";
    const isUp = await run(heading, "isUp", "", "js", { fetch: checkedFetch });
    expect(await isUp()).toBe(true);
    await bridge.stopGame("kill");
    bridge.clock.advance(60_000);
    expect(await isUp()).toBe(false);
  });

  it("show who joins, with a colour for the player", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const heading = "how-do-i-show-joins-and-deaths-with-a-picture";
    const events = await run(heading, "events");
    await bridge.until(() => printed.length > 0);
    expect(printed[0]).toMatch(/^hsl\(\d+ 60% 50%\) Steve: join$/);
    events.close();
  });

  it.each([
    [
      "which-ports-have-to-be-open-for-a-website",
      {
        modules: { api: { host: "127.0.0.1", port: 8080, trustProxy: ["loopback"] } },
        bridge: { host: "127.0.0.1", port: 8081 },
      },
    ],
    ["how-long-does-a-link-last", { modules: { api: { sessionCookie: { maxAge: 400 * 86_400_000 } } } }],
    [
      "can-several-servers-share-one-host",
      {
        modules: { api: { port: 8082, sessionCookie: { name: "creative_user_uuid" } } },
        bridge: { port: 8083 },
      },
    ],
  ])("have settings with the described effect: %s", (heading, expected) => {
    expect(configShown(PAGE, heading)).toMatchObject(expected);
  });

  it("use codes, also unknown ones", async () => {
    bridge = await TestBridge.start();
    const message = await run("what-stays-the-same-in-later-versions", "message");
    expect(["player_offline", "rate_limited", "new"].map(code => message({ code, retryAfter: 9 }))).toEqual([
      "Join the game first.",
      "Try again in 9 s.",
      "Something went wrong.",
    ]);
  });
});

describe("the snippets in other languages", () => {
  const HEADING = "how-do-i-call-it-from-react-php-or-python";

  it("follows the status in React, and closes the stream with the component", async () => {
    bridge = await TestBridge.start(["Steve"]);
    const seen: { onlinePlayerCount: number }[] = [];
    let cleanUp = (): void => undefined;
    /** The part of React that the snippet uses. */
    const react = {
      useState: () => [undefined, (status?: { onlinePlayerCount: number }) => status && seen.push(status)],
      useEffect(effect: () => () => void) {
        cleanUp = effect();
      },
    };
    const useStatus = await run(HEADING, "useStatus", "", "jsx", react);
    useStatus();
    await bridge.until(() => seen.length > 0);
    expect(seen[0]?.onlinePlayerCount).toBe(1);
    cleanUp();
    await bridge.until(async () => {
      const metrics = await (await fetch(`${bridge.side?.bridge}/metrics`)).text();
      return metrics.includes("web_bridge_event_streams 0");
    });
  });

  for (const [language, program, flag] of [
    ["python", "python3", "-c"],
    ["php", "php", "-r"],
  ] as const)
    needs(program, spawnSync(program, ["--version"]).status === 0).it(
      `reads the status in ${language}, also without a game server, and without a service`,
      async () => {
        bridge = await TestBridge.start(["Steve"]);
        const code = here(HEADING, language).replace("<?php\n", "");
        const print = async (): Promise<string> =>
          (await promisify(execFile)(program, [flag, code])).stdout.trim();
        expect(await print()).toBe("1 online");
        await bridge.stopGame("kill");
        bridge.clock.advance(60_000);
        expect(await print()).toBe("offline");
        await bridge.stopSidecar();
        expect(await print()).toBe("offline");
      },
    );
});
