import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { ask } from "../helpers/client.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

const configPath = fileURLToPath(new URL("../../redocly.yaml", import.meta.url));
const config = await loadConfig({ configPath });

/** Problems of a document, one per line, with rule and location. */
async function lint(source: string): Promise<string> {
  const problems = await lintFromString({ source, config });
  return problems
    .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ""}: ${message}`)
    .join("\n");
}

let side: TestSidecar;
beforeAll(async () => {
  side = await startTestSidecar();
});
afterAll(() => side.stop());
const served = async (path: string): Promise<string> => (await ask(side.base, path)).text;

describe("the linter", () => {
  it.each(["/openapi.json", "/asyncapi.json"])("finds nothing in %s as served", async path => {
    expect(await lint(await served(path))).toBe("");
  });

  it.each([
    [
      "/openapi.json",
      "an example that does not match",
      '"onlinePlayerCount":2',
      '"onlinePlayerCount":-2',
      "invalid-media",
    ],
  ])("would find in %s %s", async (path, _what, right, wrong, rule) => {
    const source = await served(path);
    expect(source).toContain(right);
    expect(await lint(source.replace(right, wrong))).toContain(rule);
  });
});
