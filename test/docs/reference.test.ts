import { expect, it } from "@jest/globals";
import { COMMAND, referencePage } from "../../lab/reference/page.ts";
import type { AsyncApi } from "../../sidecar/contracts/asyncapi.ts";
import type { OpenApi } from "../../sidecar/contracts/openapi.ts";
import { ask } from "../helpers/client.ts";
import { startTestSidecar } from "../helpers/sidecar.ts";
import { text } from "./pages.ts";

// Blocks of docs/reference.md: * json, * text

it("the reference is what a service without a configuration tells", async () => {
  const side = await startTestSidecar();
  const [rest, chat] = [await ask(side.base, "/openapi.json"), await ask(side.base, "/asyncapi.json")];
  await side.stop();
  const page = referencePage(rest.json as OpenApi, chat.json as AsyncApi);
  expect([`docs/reference.md is not up to date: ${COMMAND}`, text("docs/reference.md")]).toEqual([
    `docs/reference.md is not up to date: ${COMMAND}`,
    page,
  ]);
});

it("the reference names every call, code and type of message", async () => {
  const page = text("docs/reference.md");
  const side = await startTestSidecar();
  const [rest, chat] = [await ask(side.base, "/openapi.json"), await ask(side.base, "/asyncapi.json")];
  await side.stop();
  for (const [path, methods] of Object.entries((rest.json as OpenApi).paths))
    for (const method of Object.keys(methods))
      expect(page).toContain(`\n### ${method.toUpperCase()} \`${path}\`\n`);
  for (const name of Object.keys((rest.json as OpenApi).components.schemas))
    expect(page).toContain(`\n### Schema: ${name}\n`);
  for (const { title, name } of Object.values((chat.json as AsyncApi).channels.chat.messages))
    expect(page).toContain(`\n#### \`${name}\` ${title}\n`);
});

it("the reference tells a header of those errors only that carry it", async () => {
  const side = await startTestSidecar({ env: { WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "" } });
  const answer = await ask(side.base, "/whitelist");
  await side.stop();
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, null]);
  const page = text("docs/reference.md");
  const rows = (code: string): string[] =>
    page.split("\n").filter(line => line.startsWith(`| 503 \`${code}\` |`));
  expect(rows("admin_api_disabled").length * rows("server_unavailable").length).toBeGreaterThan(0);
  for (const row of rows("admin_api_disabled")) expect(row).not.toContain("With `Retry-After`.");
  for (const row of rows("server_unavailable")) expect(row).toContain("With `Retry-After`.");
});
