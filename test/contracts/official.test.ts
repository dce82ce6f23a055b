import specs from "@asyncapi/specs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { ask } from "../helpers/client.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let side: TestSidecar;
beforeAll(async () => {
  side = await startTestSidecar();
});
afterAll(() => side.stop());
const served = async (path: string): Promise<Record<string, unknown>> =>
  (await ask(side.base, path)).json as Record<string, unknown>;

/** Why a document does not match AsyncAPI's published schema; undefined if it does. */
function asyncFaults(document: object): string | undefined {
  // It includes the schema of schemas.
  const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
  addFormats.default(ajv);
  const schema: object = specs.schemas["3.0.0"];
  const validate = ajv.compile(schema);
  return validate(document) ? undefined : ajv.errorsText(validate.errors);
}

describe("the official schemas", () => {
  it("accept the served OpenAPI document, and no damaged one", async () => {
    const document = await served("/openapi.json");
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
    expect(await new Validator().validate({ ...document, paths: [] })).toMatchObject({ valid: false });
  });

  it.each([
    ["/healthz", "421"],
    ["/readyz", "421"],
    ["/session/forward", "403"],
  ])("find no error at %s that every host or origin can get: %s", async (path, status) => {
    const paths = (await served("/openapi.json")).paths as Record<string, { get: { responses: object } }>;
    expect(Object.keys(paths[path]?.get.responses ?? {})).toContain("429");
    expect(Object.keys(paths[path]?.get.responses ?? {})).not.toContain(status);
  });

  it("accept the served AsyncAPI document, and no damaged one", async () => {
    const document = await served("/asyncapi.json");
    expect(asyncFaults(document)).toBeUndefined();
    expect(asyncFaults({ ...document, operations: { shout: { action: "shout" } } })).toContain("action");
  });
});
