import { afterEach, describe, expect, it } from "@jest/globals";
import { intro } from "../../lab/demo/intro.ts";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, formOf } from "../helpers/browser.ts";
import { ADMIN_KEY, MODERATOR_KEY } from "../helpers/sidecar.ts";
import { Reader, readCall, readShown, stable } from "./curl.ts";
import { type Block, blocks, text } from "./pages.ts";

// Blocks of lab/demo/README.md: try-it-without-minecraft text
// Blocks of docs/web-api.md: ten-lines-that-work js
// Blocks of docs/web-api.md: status-and-players sh, status-and-players http
// Blocks of docs/web-api.md: server-info sh, server-info http
// Blocks of docs/web-api.md: history sh, history http, settings sh, settings http, events sh
// Blocks of docs/web-api.md: events http, session sh, session http, linking sh, linking http
// Blocks of docs/web-api.md: known-players sh, known-players http
// Blocks of docs/web-api.md: signing-in-to-other-sites sh, signing-in-to-other-sites http, errors sh, errors http
// Blocks of docs/web-api.md: whitelist sh, whitelist http, permissions sh, permissions http, bans sh, bans http, mutes sh, mutes http
// Blocks of docs/web-api.md: kicks-and-announcements sh, kicks-and-announcements http
// Blocks of docs/web-api.md: the-audit-log sh, the-audit-log http, health sh, health http

let bridge: TestBridge;
afterEach(() => bridge.stop());

/** Server information on the pages. */
const SERVER_INFO = `server:
  info: {title: "Oak & Stone", address: "play.example.com:19132", version: "1.26.40", max-players: 20}
`;

/** Keys with the scopes of the pages, and an example player. */
const PLAYERS_KEY = "a key that reads of players 0123456789";
const PLAYER_UUID = "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a";
const KNOWN = `modules.api:
  known-players.show: everybody
  admin-keys:
    - {name: reader, sha256: "${sha256Of(PLAYERS_KEY)}", scopes: ["players:read"]}
    - {name: moderator, sha256: "${sha256Of(MODERATOR_KEY)}", scopes: ["players:kick", "chat:announce", "bans:read", "bans:write", "chat:mute", "audit:read"]}
`;

/** Calls of a page, each with the following block, which has the response. */
function examples(page: string): { call: Block; answer: Block }[] {
  const all = blocks(page);
  return all.flatMap((call, index) => {
    const answer = all[index + 1];
    if (call.language !== "sh" || !call.text.startsWith("curl")) return [];
    if (!answer || !["http", "json"].includes(answer.language))
      throw new Error(`${page}, line ${call.line}: no answer is shown`);
    return [{ call, answer }];
  });
}

describe.each(["docs/web-api.md"])("the calls in %s", page => {
  it("are answered as shown, one after another", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { yaml: `${SERVER_INFO}${KNOWN}` });
    const reader = new Reader(bridge);
    const steps = examples(page);
    expect(steps.length).toBeGreaterThan(3);
    let isLinked = false;
    for (const { call, answer } of steps) {
      const where = `${page}, line ${call.line}`;
      const example = readShown(answer);
      if (example.body.includes('"accepted"') && !isLinked) {
        isLinked = true;
        const steve = bridge.player("Steve");
        await formOf(bridge, steve);
        steve.answer(ACCEPT);
        await bridge.tick(10);
      }
      const came = await reader.run(
        readCall(call.text, {
          ...{ ADMIN_API_KEY: ADMIN_KEY, PLAYERS_KEY, MODERATOR_KEY, PLAYER_UUID },
          USER_ID: reader.session,
        }),
      );
      expect([where, stable(came.text)]).toEqual([where, stable(example.body)]);
      if (example.status !== undefined) expect([where, came.status]).toEqual([where, example.status]);
      for (const [name, value] of Object.entries(example.headers))
        expect([where, came.headers.get(name)]).toEqual([where, value]);
    }
  });
});

it("the first lines of the web API print the server, its players and its chat, and write in the chat", async () => {
  bridge = await TestBridge.start(["Steve"]);
  const [first = ""] = blocks("docs/web-api.md", "js").map(block => block.text);
  expect(first.split("\n")).toHaveLength(10);
  const printed: string[] = [];
  const run = new Function(
    "console",
    `return (async () => { ${first.replace("localhost:8080", new URL(bridge.base).host)}; return chat; })()`,
  );
  const chat = await bridge.during<WebSocket>(run({ log: (line: string) => printed.push(line) }));
  await bridge.until(() => bridge.player("Steve").chat.some(line => line.includes("Hello from the website")));
  expect(printed[0]).toBe("1 online, 20 ticks per second");
  expect(printed[1]).toMatch(/^Steve has played for \d+ seconds$/);
  bridge.player("Steve").say("Hello from the game");
  await bridge.until(() => printed.length > 2);
  expect(printed[2]).toContain("Hello from the game");
  chat.close();
});

it("the page of the web API shows a call of every endpoint that its table names", async () => {
  bridge = await TestBridge.start();
  const document = (await bridge.ask("/openapi.json")).json as { paths: Record<string, object> };
  // One is not for curl, one is an image, some are for a page of the service, and the others are too long for a page.
  const notShown = ["/chat", "/badge.svg", "/docs", "/openapi.json", "/asyncapi.json"];
  const called = examples("docs/web-api.md").map(({ call }) =>
    readCall(call.text.replace("sites/example-forum", "sites/{id}"), {
      USER_ID: "{id}",
      PLAYER_UUID: "{uuid}",
    }),
  );
  // Calls for one of several game servers work like those for the first.
  const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith("/servers/"));
  for (const [path, methods] of paths)
    for (const method of Object.keys(methods)) {
      if (!notShown.includes(path) && !path.startsWith("/sign-in/"))
        expect(called.map(call => `${call.method} ${decodeURIComponent(call.path)}`)).toContain(
          `${method.toUpperCase()} ${path}`,
        );
      expect(text("docs/web-api.md")).toContain(`\`${method.toUpperCase()} ${path}\``);
    }
});

it("the page of the demo shows what the demo prints", async () => {
  bridge = await TestBridge.start();
  const [example] = blocks("lab/demo/README.md", "text");
  const sidecar = { publicUrl: "http://127.0.0.1:8080", folder: "<folder>" };
  const printed = intro(sidecar, {
    ...{ panel: "http://127.0.0.1:8090", exampleSite: "http://localhost:8091" },
    development: { origins: [], key: undefined, sites: [] },
    ...{ player: "Steve", interactive: true, servers: [], isConsole: false },
  })
    .join("\n")
    .trim()
    .replaceAll("\\", "/");
  if (process.platform !== "win32") expect(printed).toBe(example?.text);
});
