import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { SCOPES } from "../../shared/public/words.ts";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { curl, isUsual, SHOWN, script } from "../../sidecar/features/docs/page/snippets.ts";
import { callsOf } from "../../sidecar/features/docs/words.ts";
import { ADMIN_KEY_HEADER } from "../../sidecar/kernel/http/keys.ts";
import { openApi } from "../../sidecar/routes.ts";
import { webFiles } from "../../web/testing/stage.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";
import { checkedFetch } from "../helpers/client.ts";
import { testConfig } from "../helpers/sidecar.ts";
import { readCall } from "./curl.ts";

const calls = callsOf(openApi(testConfig().modules.api)).map(
  call => [`${call.method} ${call.path}`, call] as const,
);
const others = calls.filter(([name]) => !["GET /chat", "GET /events"].includes(name));

/** The keys by the names that the examples have for them. */
const KEYS = {
  ADMIN_API_KEY: "key-in-admin-api-key-0123456789",
  MODERATOR_KEY: "key-of-a-moderator-0123456789",
  PLAYERS_KEY: "key-for-players-0123456789",
};
const env = {
  WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: KEYS.ADMIN_API_KEY,
  WEB_BRIDGE_MODULES_API_ADMIN_KEYS: JSON.stringify([
    {
      name: "moderator",
      sha256: sha256Of(KEYS.MODERATOR_KEY),
      scopes: SCOPES.filter(scope => !isUsual(scope) && scope !== "players:read"),
    },
    { name: "players", sha256: sha256Of(KEYS.PLAYERS_KEY), scopes: ["players:read"] },
  ]),
};

let bridge: TestBridge;
let cookie: string;
beforeAll(async () => {
  bridge = await TestBridge.start(["Steve"], { webFiles, env });
  ({ cookie } = await Browser.open(bridge));
});
afterAll(() => bridge.stop());

describe("the examples of the API page", () => {
  it("exist for every call", () => {
    for (const [name, call] of calls)
      if (name !== "GET /chat")
        for (const text of [curl(call, ADMIN_KEY_HEADER), script(call, ADMIN_KEY_HEADER)])
          expect([name, text]).toEqual([name, expect.stringContaining(SHOWN)]);
  });

  it("send a key without the cookie, and can print the empty 401 of a wrong key", () => {
    const call = calls.find(([name]) => name === "POST /kick")?.[1];
    if (call === undefined) throw new Error("no POST /kick");
    expect(curl(call, ADMIN_KEY_HEADER)).not.toContain("-b ");
    expect(script(call, ADMIN_KEY_HEADER)).not.toContain("credentials");
    expect(script(call, ADMIN_KEY_HEADER)).toContain("await response.text()");
  });

  it.each(others)(
    "are the same in curl and JavaScript, with a key that has the scope, and return a documented status: %s",
    async (_name, call) => {
      let pending: Promise<Response> | undefined;
      let sent: object = {};
      const fetchHere = (url: string, init: RequestInit = {}): Promise<Response> => {
        const { credentials, method = "GET", headers = {}, body } = init;
        const sendsCookies = credentials === "include";
        sent = { method, url: url.replace(SHOWN, ""), headers, body, sendsCookies };
        // Uncompressed: ticks pass while a busy machine has no thread free to decompress a large response.
        const identity = { "Accept-Encoding": "identity" };
        const own = { ...identity, ...headers, ...(sendsCookies && { Cookie: cookie }) };
        pending = checkedFetch(url.replace(SHOWN, bridge.base), {
          method,
          headers: own,
          ...(body && { body }),
        });
        return pending;
      };
      const lines: unknown[][] = [];
      const text = script(call, ADMIN_KEY_HEADER);
      const run = new Function("fetch", "process", "console", `return (async () => {${text}})()`);
      const process = { env: KEYS };
      const done: Promise<void> = run(fetchHere, process, { log: (...line: unknown[]) => lines.push(line) });
      const { status } = await bridge.during(pending ?? Promise.reject(new Error("nothing was asked")));
      expect(Object.keys(call.operation.responses)).toContain(`${status}`);
      // A proxy lets no browser through that is not linked.
      const isOfProxies = call.path === "/session/forward";
      expect([200, 202, 400, 404, 409, 422, ...(isOfProxies ? [401] : [])]).toContain(status);
      await done;
      expect(lines).toHaveLength(1);
      const {
        path,
        query,
        keepsCookies: _,
        ...example
      } = readCall(curl(call, ADMIN_KEY_HEADER), process.env);
      expect({ ...example, url: `${path}${query}` }).toEqual(sent);
    },
  );
});
