import { describe, expect, it } from "@jest/globals";
import { SCOPES, USUAL_SCOPES } from "../../../shared/public/words.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { serving } from "../../../test/helpers/serving.ts";
import type { Options } from "../../../test/helpers/sidecar.ts";
import { ERRORS } from "../../kernel/http/errors.ts";
import { openApi } from "../../routes.ts";
import { asyncApi } from "./asyncapi.ts";
import { callId } from "./page/calls.ts";
import { callsOf, scopeOf } from "./words.ts";

const webFiles = [
  { path: "index.html", content: Buffer.from("<title>x</title>") },
  { path: "assets/docs.css", content: Buffer.from("p{}") },
  { path: "assets/docs.js", content: Buffer.from("export{}") },
];

const side = serving();
const start = (options: Options = {}): Promise<void> => side.start({ webFiles, ...options });
const ask = (headers: Record<string, string> = {}, method = "GET") => side.ask("/docs", { method, headers });
const html = async (): Promise<string> => (await ask()).text;
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, one]) => one ?? "");

describe("the API page", () => {
  it("has every call, message, error and schema, each with an anchor that links can use", async () => {
    await start();
    const page = await html();
    const ids = all(page, / id="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const { api } = side.config.modules;
    const rest = openApi(api);
    const named = (what: string, of: object): string[] => Object.keys(of).map(name => `${what}-${name}`);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...callsOf(rest).map(callId),
        ...named("schema", rest.components.schemas),
        ...named("message", asyncApi(api).channels.chat.messages),
        ...named("webhook", rest.webhooks),
      ]),
    );
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`<code>${code}</code>`);
    const links = all(page, / href="#([^"]*)"/g);
    expect(links.filter(link => !ids.includes(link))).toEqual([]);
    for (const call of callsOf(rest)) expect(links).toContain(callId(call));
    expect(ids).toContain("post-kick");
  });

  it("has closed parts only, apart from what holds for all calls", async () => {
    await start();
    const page = await html();
    expect(page).toContain("<details");
    expect(page).not.toMatch(/<details[^>]* open/);
    const [open = ""] = page.replace(/<details.*<\/details>/gs, "").split("</main>");
    expect(all(open, /<h2[^>]*>([^<]*)/g)).toEqual(["All calls"]);
  });

  it("names the scope of each call that needs a key, and says when admin-api-key does not have it", async () => {
    await start();
    const page = await html();
    const callOf = (id: string): string =>
      page.slice(page.indexOf(` id="${id}"`), page.indexOf("</details>", page.indexOf(` id="${id}"`)));
    const withKey = callsOf(openApi(side.config.modules.api)).filter(({ operation }) =>
      operation.security.some(one => "adminKey" in one),
    );
    expect(withKey.length).toBeGreaterThan(5);
    for (const call of withKey) {
      const scope = scopeOf(call.operation);
      if (call.path === "/permissions") {
        expect(callOf(callId(call))).toContain("an admin key</a>, or the session of a moderator.");
        continue;
      }
      expect(SCOPES).toContain(scope);
      expect(callOf(callId(call))).toContain(`with the scope <code>${scope}</code>`);
    }
    const make = "--scopes players:kick --write";
    expect(callOf("post-kick")).toContain("<code>admin-api-key</code> does not have it");
    expect(callOf("post-kick")).toContain(make);
    expect(callOf("get-whitelist")).not.toContain("does not have it");
    expect(callOf("sessions-and-keys")).not.toContain("every scope");
    for (const scope of USUAL_SCOPES) expect(callOf("sessions-and-keys")).toContain(`<code>${scope}</code>`);
  });

  it("loads only its own style and script, by relative paths, under a policy as strict as the web console's", async () => {
    await start();
    const { headers, status } = await ask();
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const page = await html();
    const links = all(page, / (?:href|src)="([^"#][^"]*)"/g);
    expect(links.filter(link => /^[a-z]+:|^\//.test(link))).toEqual([]);
    expect(links).toEqual(expect.arrayContaining(webFiles.slice(1).map(({ path }) => path)));
    expect(page).not.toMatch(/<style|style="|<script(?! type="module" src="assets\/docs)| on\w+="/);
  });

  it("can be framed by the origins that can frame the web console", async () => {
    await start({ env: { WEB_BRIDGE_MODULES_WEB_FRAME_ORIGINS: "https://www.example.com" } });
    expect((await ask()).headers.get("content-security-policy")).toContain(
      "; frame-ancestors https://www.example.com; ",
    );
  });

  it("is off when the web console is off or was not built", async () => {
    await start({ env: { WEB_BRIDGE_MODULES_WEB_ENABLED: "false" } });
    expect(await ask()).toMatchObject({ status: 404, json: errorBody("not_found") });
    expect((await ask({}, "POST")).status).toBe(405);
    await start({ webFiles: [] });
    expect((await ask()).status).toBe(404);
  });
});
