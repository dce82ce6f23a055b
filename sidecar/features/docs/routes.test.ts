import { describe, expect, it } from "@jest/globals";
import { errorBody } from "../../../test/helpers/errors.ts";
import { serving } from "../../../test/helpers/serving.ts";
import type { Options } from "../../../test/helpers/sidecar.ts";
import { ERRORS } from "../../kernel/http/errors.ts";
import { openApi } from "../../routes.ts";
import { asyncApi } from "./asyncapi.ts";
import { callsOf } from "./words.ts";

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

describe("the page of the interface", () => {
  it("has every call, message, error and schema, each under an anchor that a link can lead to", async () => {
    await start();
    const page = await html();
    const ids = all(page, / id="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const { api } = side.config.modules;
    const rest = openApi(api);
    const named = (what: string, of: object): string[] => Object.keys(of).map(name => `${what}-${name}`);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...callsOf(rest).map(({ operation }) => operation.operationId),
        ...named("schema", rest.components.schemas),
        ...named("message", asyncApi(api).channels.chat.messages),
        ...named("webhook", rest.webhooks),
      ]),
    );
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`<code>${code}</code>`);
    const links = all(page, / href="#([^"]*)"/g);
    expect(links.filter(link => !ids.includes(link))).toEqual([]);
    for (const { operation } of callsOf(rest)) expect(links).toContain(operation.operationId);
  });

  it("loads nothing but its own style and script, from where it is, under a policy as strict as the console's", async () => {
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

  it("may be framed by those who may frame the console", async () => {
    await start({ env: { WEB_BRIDGE_MODULES_WEB_FRAME_ORIGINS: "https://www.example.com" } });
    expect((await ask()).headers.get("content-security-policy")).toContain(
      "; frame-ancestors https://www.example.com; ",
    );
  });

  it("is off with the console, and where that was not built", async () => {
    await start({ env: { WEB_BRIDGE_MODULES_WEB_ENABLED: "false" } });
    expect(await ask()).toMatchObject({ status: 404, json: errorBody("not_found") });
    expect((await ask({}, "POST")).status).toBe(405);
    await start({ webFiles: [] });
    expect((await ask()).status).toBe(404);
  });
});
