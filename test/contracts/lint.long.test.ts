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
