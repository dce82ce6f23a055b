import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { SCOPES, sha256Of } from "../../sidecar/config/admin-keys.ts";
import { curl, SHOWN, script } from "../../sidecar/contracts/docs/snippets.ts";
import { openApi } from "../../sidecar/contracts/openapi.ts";
import { callsOf, type Placed } from "../../sidecar/contracts/words.ts";
import { ADMIN_KEY_HEADER } from "../../sidecar/http/keys.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";
import { checkedFetch } from "../helpers/client.ts";
import { testConfig } from "../helpers/sidecar.ts";
import { webFiles } from "../web/stage.ts";
import { readCall } from "./curl.ts";

const calls = callsOf(openApi(testConfig().modules.api)).map(
  call => [`${call.method} ${call.path}`, call] as const,
);
const others = calls.filter(([name]) => !["GET /chat", "GET /events"].includes(name));

/** Stands in each call, and is for all that there are keys for. */
const KEY = "key-of-the-page-0123456789";
const KEYS = [{ name: "page", sha256: sha256Of(KEY), scopes: SCOPES }];
const env = { WEB_BRIDGE_MODULES_API_ADMIN_KEYS: JSON.stringify(KEYS) };

let bridge: TestBridge;
let cookie: string;
beforeAll(async () => {
  bridge = await TestBridge.start(["Steve"], { webFiles, env });
  ({ cookie } = await Browser.open(bridge));
});
afterAll(() => bridge.stop());

/** Asks as the game goes on, and expects what is told of this call. */
async function expectTold({ operation, path }: Placed, asked: Promise<Response>): Promise<void> {
  const { status } = await bridge.during(asked);
  expect(Object.keys(operation.responses)).toContain(`${status}`);
  // A browser that is linked to nobody is let through by no proxy.
  const isOfProxies = path === "/session/forward";
  expect([200, 202, 400, 404, 409, 422, ...(isOfProxies ? [401] : [])]).toContain(status);
}

describe("the calls to copy on the page of the interface", () => {
  it("are there for every call", () => {
    for (const [name, call] of calls)
      if (name !== "GET /chat")
        for (const text of [curl(call, ADMIN_KEY_HEADER), script(call, ADMIN_KEY_HEADER)])
          expect([name, text]).toEqual([name, expect.stringContaining(SHOWN)]);
  });

  it.each(others)("are answered as it says, in a script: %s", async (_name, call) => {
    let asked: Promise<Response> | undefined;
    const fetchHere = (
      url: string,
      { credentials, headers, ...init }: RequestInit = {},
    ): Promise<Response> => {
      const sent = { ...headers, ...(credentials === "include" && { Cookie: cookie }) };
      asked = checkedFetch(url.replace(SHOWN, bridge.base), { ...init, headers: sent });
      return asked;
    };
    const lines: unknown[][] = [];
    const text = script(call, ADMIN_KEY_HEADER);
    const run = new Function("fetch", "process", "console", `return (async () => {${text}})()`);
    const process = { env: { ADMIN_API_KEY: KEY } };
    const done: Promise<void> = run(fetchHere, process, { log: (...line: unknown[]) => lines.push(line) });
    await expectTold(call, asked ?? Promise.reject(new Error("nothing was asked")));
    await done;
    expect(lines).toHaveLength(1);
  });

  it.each(others)("are answered as it says, with curl: %s", async (_name, call) => {
    const line = curl(call, ADMIN_KEY_HEADER);
    const { method, path, query, headers, body, sendsCookies } = readCall(line, { ADMIN_API_KEY: KEY });
    expect([method, sendsCookies]).toEqual([
      call.method,
      JSON.stringify(call.operation.security).includes("session"),
    ]);
    const init = { method, headers: { ...headers, ...(sendsCookies && { Cookie: cookie }) } };
    await expectTold(
      call,
      checkedFetch(`${bridge.base}${path}${query}`, { ...init, ...(body !== undefined && { body }) }),
    );
  });
});
