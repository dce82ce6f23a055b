import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { ask } from "../helpers/client.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

const configPath = fileURLToPath(new URL("../../redocly.yaml", import.meta.url));
const config = await loadConfig({ configPath });

/** Problems of a document, a line each with its rule and its place. */
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
  it.each(["/openapi.json", "/asyncapi.json"])("finds nothing in %s as it is served", async path => {
    expect(await lint(await served(path))).toBe("");
  });

  it.each([
    ["a direction that AsyncAPI does not know", '"action":"send"', '"action":"shout"', "struct"],
    ["a channel without an address of the right type", '"address":"/chat"', '"address":1', "struct"],
    [
      "a reference to nothing",
      '"#/channels/chat/messages/ping"',
      '"#/channels/chat/messages/pin"',
      "unresolved",
    ],
    [
      "a word that is there twice",
      '"rate limited","not allowed',
      '"bad message","not allowed',
      "duplicated-enum",
    ],
    ["a licence without an address", '"url":"https', '"x-url":"https', "info-license"],
  ])("finds %s in the chat", async (_what, right, wrong, rule) => {
    const source = await served("/asyncapi.json");
    expect(source).toContain(right);
    expect(await lint(source.replace(right, wrong))).toContain(rule);
  });

  it("has a reason for each rule that is off", () => {
    const lines = readFileSync(configPath, "utf8").split("\n");
    const off = lines.flatMap((line, at) => (/: off$/.test(line) ? [lines[at - 1] ?? ""] : []));
    expect(off.length).toBeGreaterThan(3);
    for (const above of off) expect(above).toMatch(/^ +# .+\.$/);
  });

  describe("at length", () => {
    it.each([
      ["a word that OpenAPI does not know", '"operationId":', '"operationID":', "struct"],
      ["an answer without a description", '"description":"It is."', '"x-description":"It is."', "struct"],
      ["a type that JSON Schema does not know", '"type":"array"', '"type":"list"', "struct"],
      ["a reference to nothing", "#/components/schemas/Metrics", "#/components/schemas/Metric", "unresolved"],
      ["an example that does not fit", '"onlinePlayerCount":2', '"onlinePlayerCount":-2', "invalid-media"],
      ["two calls of one name", '"getPlayers"', '"getStatus"', "operationId-unique"],
      ["a key that is not described", '[{"adminKey":[]}]', '[{"masterKey":[]}]', "security-defined"],
      ["a call without a summary", '"summary":"Online players"', '"x-summary":""', "operation-summary"],
    ])("finds %s", async (_what, right, wrong, rule) => {
      const source = await served("/openapi.json");
      expect(source).toContain(right);
      expect(await lint(source.replace(right, wrong))).toContain(rule);
    });
  });
});
