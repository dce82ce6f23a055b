import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Answer } from "../../../test/helpers/client.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { ADMIN_KEY } from "../../../test/helpers/sidecar.ts";
import type { AuditEntry } from "../moderation/audit.ts";

const KEY = { "X-Service-Api-Key": ADMIN_KEY };
const METHODS = ["GET", "POST", "DELETE"];

const side = serving();
const { pack } = side;
let audit: AuditEntry[];
async function start(api = ""): Promise<void> {
  audit = [];
  await side.api(api, [], { audit: { write: async entry => void audit.push(entry) } });
}
beforeEach(() => start());

const whitelist = (method: string, body?: unknown, headers: Record<string, string> = KEY): Promise<Answer> =>
  side.ask("/whitelist", { method, headers, ...(body !== undefined && { body }) });
const said = ({ status, json }: Answer): unknown[] => [status, json];

describe.each(METHODS)("%s /whitelist", method => {
  const body = (playerName: unknown): unknown => (method === "GET" ? undefined : { playerName });

  it("answers 500 with a reason in the log only if the game fails", async () => {
    const pending = whitelist(method, body("Steve"));
    await pack.carryOut("failed", { reason: "no allowlist" });
    expect(said(await pending)).toEqual([500, errorBody("unexpected_result")]);
    expect(side.log.text).toContain("no allowlist");
  });
});

describe("/whitelist", () => {
  it.each(["POST", "DELETE"])("takes no name for %s that is no text", async method => {
    expect(said(await whitelist(method, { playerName: 1 }))).toEqual([400, errorBody("invalid_body")]);
  });

  it.each([
    ["POST", ""],
    ["POST", "x".repeat(33)],
    ["POST", undefined],
    ["DELETE", ""],
    ["DELETE", undefined],
  ])(
    "answers %s with the name %j with invalid_name, and sends the game nothing",
    async (method, playerName) => {
      expect(said(await whitelist(method, { playerName }))).toEqual([400, errorBody("invalid_name")]);
      expect(audit).toEqual([]);
    },
  );

  it.each([
    ["POST", "Steve", "done", 202, { status: "whitelisted" }, "whitelisted"],
    ["DELETE", "Ari Vale", "done", 200, { status: "removed" }, "removed"],
    ["DELETE", "Steve", "absent", 404, errorBody("not_whitelisted", "playerName"), "not_whitelisted"],
    [
      "DELETE",
      "Ari Vale",
      "absent",
      400,
      {
        error: "invalid_name",
        field: "playerName",
        message: expect.stringMatching(/^The name is not on the whitelist, and cannot be added: /),
      },
      "invalid_name",
    ],
  ] as const)(
    "answers %s with %s, which is %s, with %i",
    async (method, name, ended, status, json, outcome) => {
      const pending = whitelist(method, { playerName: name });
      await pack.carryOut(ended);
      expect(said(await pending)).toEqual([status, json]);
      expect(audit).toMatchObject([{ key: "admin", address: "127.0.0.1", name, outcome }]);
    },
  );
});
