import { beforeEach, describe, expect, it } from "@jest/globals";
import { serving } from "../../../test/helpers/serving.ts";
import { keyOf, keysOf } from "../../../test/helpers/sidecar.ts";
import type { AuditEntry } from "./audit.ts";

const side = serving();
let audit: AuditEntry[];
beforeEach(async () => {
  audit = [];
  const env = keysOf(keyOf("moderator", ["chat:mute"]), keyOf("other", ["players:kick"]));
  await side.start({ env, audit: { write: async entry => void audit.push(entry) } });
});
const mutes = (method: string, body: object, of = "moderator") =>
  side.said("/mutes", { method, body, headers: { "X-Service-Api-Key": `key of the ${of}` } });
const mute = (label: unknown, more: object = {}) => mutes("POST", { label, ...more });
const list = (query = "") =>
  side.said(`/mutes${query}`, { headers: { "X-Service-Api-Key": "key of the moderator" } });
const unmute = (label: unknown) => mutes("DELETE", { label });

/** Whether a browser of this session may send a line. */
async function maySend(cookie: string): Promise<boolean> {
  const socket = await side.socket(cookie === "" ? {} : { Cookie: cookie });
  socket.say("hi");
  const { content } = await socket.next();
  return content === "server unavailable";
}

describe("POST /mutes", () => {
  it("mutes the browser with a label of the feed, for an hour or as long as requested", async () => {
    const { cookie } = await side.session();
    const { label } = (await side.ask("/session/label", { cookie })).json as { label: string };
    expect(await maySend(cookie)).toBe(true);
    expect(await mute(label.toUpperCase())).toEqual([200, { status: "muted" }]);
    expect(await maySend(cookie)).toBe(false);
    side.clock.advance(3_600_000);
    expect(await maySend(cookie)).toBe(true);
    await mute(label, { for: "7d" });
    side.clock.advance(7 * 86_400_000 - 1);
    expect(await maySend(cookie)).toBe(false);
    expect(await unmute(label)).toEqual([200, { status: "unmuted" }]);
    expect(await maySend(cookie)).toBe(true);
    const by = { key: "moderator", name: label };
    expect(audit).toMatchObject([
      { ...by, action: "chat.mute", outcome: "muted" },
      { ...by, action: "chat.mute", outcome: "muted" },
      { ...by, action: "chat.unmute", outcome: "unmuted" },
    ]);
  });

  it("mutes every browser without a session as --------", async () => {
    expect(await mute("--------", { for: null })).toEqual([200, { status: "muted" }]);
    expect(await maySend("")).toBe(false);
    expect(await maySend((await side.session()).cookie)).toBe(true);
  });

  it.each([undefined, null, 5, "", "kxwtmhz", "kxwtmhzrr", "abcdefgh", "-------"])(
    "takes %j for no label",
    async label => {
      expect(await mute(label)).toMatchObject([400, { error: "invalid_label" }]);
      expect(await unmute(label)).toMatchObject([400, { error: "invalid_label" }]);
    },
  );

  it.each(["", "0s", "8d", "604800001ms", "forever", 5])("takes %j for no duration", async written => {
    expect(await mute("kxwtmhzr", { for: written })).toMatchObject([400, { error: "invalid_body" }]);
    expect(audit).toEqual([]);
  });

  it("needs a key with the scope chat:mute", async () => {
    expect(await mutes("POST", { label: "kxwtmhzr" }, "other")).toMatchObject([403, { error: "forbidden" }]);
    expect((await mutes("DELETE", { label: "kxwtmhzr" }, "nobody"))[0]).toBe(401);
  });
});

it("DELETE /mutes answers 404 if the browser is not muted, and that is audited too", async () => {
  expect(await unmute("kxwtmhzr")).toMatchObject([404, { error: "not_muted" }]);
  expect(audit).toMatchObject([{ action: "chat.unmute", name: "kxwtmhzr", outcome: "not_muted" }]);
});

describe("GET /mutes", () => {
  it("lists who is muted now, and until when, by label", async () => {
    const [start, hour] = [side.clock.now(), 3_600_000];
    expect(await list()).toEqual([200, []]);
    await mute("qrstvwxy", { for: "2h" });
    await mute("--------");
    await mute("kxwtmhzr", { for: "2h" });
    expect(await list()).toEqual([
      200,
      [
        { label: "--------", until: start + hour },
        { label: "kxwtmhzr", until: start + 2 * hour },
        { label: "qrstvwxy", until: start + 2 * hour },
      ],
    ]);
    side.clock.advance(hour);
    await unmute("qrstvwxy");
    expect(await list()).toEqual([200, [{ label: "kxwtmhzr", until: start + 2 * hour }]]);
  });

  it("answers a page at a time, with the address of the next one", async () => {
    for (const label of ["qrstvwxy", "kxwtmhzr"]) await mute(label);
    const headers = { "X-Service-Api-Key": "key of the moderator" };
    const { json, headers: answered } = await side.ask("/mutes?limit=1", { headers });
    expect(json).toMatchObject([{ label: "kxwtmhzr" }]);
    const [, next = ""] = /^<([^>]+)>; rel="next"$/.exec(answered.get("link") ?? "") ?? [];
    expect(await list(next)).toMatchObject([200, [{ label: "qrstvwxy" }]]);
    expect(await list("?limit=0")).toMatchObject([400, { error: "invalid_query" }]);
  });

  it("needs a key with the scope chat:mute", async () => {
    const headers = { "X-Service-Api-Key": "key of the other" };
    expect(await side.said("/mutes", { headers })).toMatchObject([403, { error: "forbidden" }]);
  });
});
