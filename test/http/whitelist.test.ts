import { beforeEach, describe, expect, it } from "@jest/globals";
import type { AuditEntry } from "../../sidecar/kernel/storage/ports.ts";
import type { Answer } from "../helpers/client.ts";
import { serving } from "../helpers/serving.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";

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

  it.each([
    ["missing", {}],
    ["wrong", { "X-Service-Api-Key": `${ADMIN_KEY}x` }],
    ["empty", { "X-Service-Api-Key": "" }],
    ["in another header", { Authorization: ADMIN_KEY }],
  ])("answers 401 without a word where the key is %s, whatever is sent", async (_what, headers) => {
    const answer = await whitelist(method, method === "GET" ? undefined : "{", { ...headers });
    expect([answer.status, answer.text]).toEqual([401, ""]);
    expect(side.log.text).not.toContain(ADMIN_KEY);
  });

  it("answers 503 without a game server", async () => {
    side.clock.advance(15_000);
    expect(said(await whitelist(method, body("Steve")))).toEqual([503, { error: "server_unavailable" }]);
    expect(audit).toEqual([]);
  });

  it("answers 500 with a reason in the log only where the game fails", async () => {
    const asked = whitelist(method, body("Steve"));
    await pack.carryOut("failed", { reason: "no allowlist" });
    expect(said(await asked)).toEqual([500, { error: "unexpected_result" }]);
    expect(side.log.text).toContain("no allowlist");
  });
});

describe.each(["POST", "DELETE"])("the body of %s /whitelist", method => {
  it.each(["{", "", "[]", '{"playerName":1}'])("is invalid as %j", async body => {
    expect(said(await whitelist(method, body))).toEqual([400, { error: "invalid_body" }]);
  });

  it("is refused over its limit", async () => {
    expect((await whitelist(method, { playerName: "x".repeat(20_000) })).status).toBe(413);
  });
});

describe("/whitelist", () => {
  it.each([
    ["POST", ""],
    ["POST", "x".repeat(33)],
    ["POST", undefined],
    ["DELETE", ""],
    ["DELETE", undefined],
  ])("answers %s of the name %j with invalid_name, and asks the game nothing", async (method, playerName) => {
    expect(said(await whitelist(method, { playerName }))).toEqual([400, { error: "invalid_name" }]);
    expect(audit).toEqual([]);
  });

  it.each([
    ["POST", "Steve", "done", 202, { status: "whitelisted" }, "whitelisted"],
    ["DELETE", "Ari Vale", "done", 200, { status: "removed" }, "removed"],
    ["DELETE", "Steve", "absent", 404, { error: "not_whitelisted" }, "not_whitelisted"],
    ["DELETE", "Ari Vale", "absent", 400, { error: "invalid_name" }, "invalid_name"],
  ] as const)(
    "answers %s of %s, which is %s, with %i",
    async (method, name, ended, status, json, outcome) => {
      const asked = whitelist(method, { playerName: name });
      await pack.carryOut(ended);
      expect(said(await asked)).toEqual([status, json]);
      expect(audit).toMatchObject([{ key: "admin", address: "127.0.0.1", name, outcome }]);
    },
  );
});
