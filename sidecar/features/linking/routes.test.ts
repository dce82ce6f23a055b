import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Outcome } from "../../../shared/facts.ts";
import type { Answer } from "../../../test/helpers/client.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { row } from "../../../test/helpers/fake-pack.ts";
import { serving } from "../../../test/helpers/serving.ts";
import type { Options } from "../../../test/helpers/sidecar.ts";

const side = serving();
const { pack } = side;
let cookie: string;
async function start(limits = "", options: Options = {}): Promise<void> {
  await side.api(`trust-proxy: true, limits: {${limits}}`, ["Steve", "Alex"], options);
  ({ cookie } = await side.session());
}
beforeEach(() => start());

const link = (body: unknown = { username: "Steve" }, headers: Record<string, string> = {}): Promise<Answer> =>
  side.ask("/link-player", { cookie, body, headers });
/** Responses to requests by their outcome in the game. */
async function ended(pending: Promise<Answer>, status: Outcome["status"], more: Partial<Outcome> = {}) {
  await pack.carryOut(status, more);
  return pending;
}
const said = ({ status, json, headers }: Answer): unknown[] => [status, json, headers.get("retry-after")];
const LIMITED = errorBody("rate_limited");
const UNEXPECTED = errorBody("unexpected_result");

describe("POST /link-player", () => {
  it.each([
    ["null", "null"],
    ["a text", '"Steve"'],
    ["a number as username", '{"username":1}'],
    ["an object as username", '{"username":{}}'],
    ["Latin-1", Buffer.from('{"username":"José"}', "latin1")],
    ["invalid UTF-8", new Uint8Array([...Buffer.from('{"username":"'), 0xff, ...Buffer.from('"}')])],
  ])("answers invalid_body to %s", async (_what, body) => {
    expect(said(await link(body))).toEqual([400, errorBody("invalid_body"), null]);
  });

  it.each([
    ...[
      "application/json;",
      "application/json ; ",
      "Application/JSON;charset=UTF-8",
      "application/json; charset=utf8",
    ],
    ...[
      'application/json; charset="utf-8"',
      'application/json; Charset = "UTF8" ;',
      "application/json;;charset=utf-8;",
    ],
    // Parameters without a meaning for JSON, as .NET and gateways add them.
    ...["application/json; odata.metadata=minimal", 'application/json; charset=utf-8; v="1"'],
  ])("accepts JSON sent as %j", async type => {
    const answer = await ended(link('{"username":"Nobody"}', { "Content-Type": type }), "offline");
    expect(said(answer)).toEqual([422, errorBody("player_offline", "username"), null]);
  });

  it.each([
    ...["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", ""],
    ...[
      "application/json; charset=iso-8859-1",
      'application/json; charset="utf-8',
      "application/json charset=utf8",
      "application/json; v=1; charset=utf-16",
    ],
    ...["application/jsonx", "application/json; charset=", "application/json, text/plain"],
  ])("answers invalid_body to JSON sent as %j", async type => {
    const answer = await link('{"username":"Steve"}', { "Content-Type": type });
    expect(said(answer)).toEqual([400, errorBody("invalid_body"), null]);
  });

  it.each(['{"username":null}', "{}", '{"username":""}', '{"username":" \\t"}', '{"other":1}'])(
    "answers missing_username to %s",
    async body => {
      expect(said(await link(body))).toEqual([400, errorBody("missing_username", "username"), null]);
    },
  );

  it("answers 413 to a body over the limit and accepts one at the limit", async () => {
    const body = (bytes: number) => `{"username":"${"x".repeat(bytes - 15)}"}`;
    expect(said(await link(body(16_384)))).toEqual([422, errorBody("player_offline"), null]);
    expect(said(await link(body(16_385)))).toEqual([413, errorBody("invalid_body"), null]);
  });

  it.each([
    ["done", 202, { status: "verification_sent" }, null],
    ["offline", 422, errorBody("player_offline"), null],
    ["busy", 429, LIMITED, "3"],
    ["blocked", 429, LIMITED, "3600"],
    ["failed", 500, UNEXPECTED, null],
  ] as const)("ignores unknown properties, and answers a request that is %s with %i", async (...outcome) => {
    const [how, status, json, later] = outcome;
    const player = how === "done" && { player: row("Steve").player };
    const more = { reason: "the dog ate it", ...player };
    const answer = await ended(link({ username: "Steve", admin: true }), how, more);
    expect(said(answer)).toEqual([status, json, later]);
    if (how !== "failed") return;
    expect(side.log.text).toContain("the dog ate it");
    expect(side.log.text).toContain(answer.headers.get("x-request-id") ?? "none");
  });

  it("answers 409 while the game has not answered an earlier request", async () => {
    const pending = link();
    await pack.take();
    expect(said(await link())).toEqual([409, { status: "already_pending" }, null]);
    side.clock.advance(10_000);
    expect((await pending).status).toBe(500);
  });

  it("answers 429 to a session that sends more than 20 requests a minute", async () => {
    const nobody = { username: "Nobody" };
    for (let i = 0; i < 20; i++) expect((await ended(link(nobody), "offline")).status).toBe(422);
    expect(said(await link(nobody))).toEqual([429, LIMITED, "3"]);
    side.clock.advance(3_000);
    expect((await ended(link(nobody), "offline")).status).toBe(422);
  });
});

describe("an address", () => {
  const from = (address: string): Promise<Answer> =>
    link({ username: "Nobody" }, { "X-Forwarded-For": address });

  it("is counted by its network if it is IPv6, and logged with the limit", async () => {
    await start("link-requests-per-minute-per-address: 1, link-requests-burst: 1");
    expect((await ended(from("2001:db8::1"), "offline")).status).toBe(422);
    expect(said(await from("2001:db8::ffff"))).toEqual([429, LIMITED, "60"]);
    expect(said(await from("2001:db8:0:1::1"))).toEqual([429, LIMITED, "1"]);
    side.clock.advance(5_000);
    const counted = (address: string, limit: string) =>
      expect.objectContaining({ fields: { address, refused: 1, limits: { [limit]: 1 } } });
    expect(side.log.lines).toContainEqual(counted("2001:db8:0:0", "link-address"));
    expect(side.log.lines).toContainEqual(counted("2001:db8:0:1", "link-everybody"));
  });
});

const steve = row("Steve").player;
const linked = async () => (await side.ask("/linked-player", { cookie })).json;
const unlink = () => side.said("/unlink-player", { method: "POST", cookie });

describe("the link of a session", () => {
  it("is accepted with the player's data while the player is online, until it is ended", async () => {
    await side.link(cookie);
    const players = (await side.ask("/players")).json as object[];
    expect(await linked()).toEqual({ status: "accepted", playerData: players[0] });
    await pack.report({ is: "left", id: steve.id });
    expect(await linked()).toEqual({ status: "accepted" });
    await pack.snapshot("Steve");
    expect(await linked()).toHaveProperty("playerData");
    side.clock.advance(15_000);
    expect(await linked()).toEqual({ status: "accepted" });
    expect(await unlink()).toEqual([200, { status: "unlinked" }]);
    expect(await linked()).toEqual({ status: "not_linked" });
    expect((await pack.take())[0]?.body).toMatchObject({ do: "tell", player: steve });
    expect(await unlink()).toEqual([400, errorBody("not_linked")]);
  });
});

describe("a link request", () => {
  const cancel = () => side.said("/link-request", { method: "DELETE", cookie });

  it("can be cancelled while it is pending, once", async () => {
    expect(await cancel()).toEqual([404, errorBody("no_request")]);
    await side.requestLink(cookie);
    expect(await cancel()).toEqual([200, { status: "cancelled" }]);
    expect(await linked()).toEqual({ status: "not_linked" });
    expect(await cancel()).toEqual([404, errorBody("no_request")]);
  });

  it("has a reason when declined: by the player, or because it timed out", async () => {
    const session = async () => (await side.ask("/session", { cookie })).json;
    const request = await side.requestLink(cookie);
    await pack.report({ is: "answered", request, accepted: false });
    expect(await linked()).toEqual({ status: "declined", reason: "declined" });
    expect(await session()).toMatchObject({ status: "declined", reason: "declined" });
    await side.requestLink(cookie);
    side.clock.advance(120_000);
    expect(await linked()).toEqual({ status: "declined", reason: "timed_out" });
    expect(await session()).toMatchObject({ status: "declined", reason: "timed_out" });
  });
});
