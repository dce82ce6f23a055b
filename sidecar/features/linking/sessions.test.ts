import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { errorBody } from "../../../test/helpers/errors.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { keyOf, keysOf } from "../../../test/helpers/sidecar.ts";

const KEY = "key of the website";

const side = serving();
const { pack } = side;
let userId: string;
let cookie: string;
beforeEach(async () => {
  const panel = keyOf("panel", ["whitelist:read", "whitelist:write"]);
  const env = keysOf(keyOf("website", ["links:read"]), panel);
  await side.api("session-cookie: {max-age: 1h}", [], { env });
  ({ userId, cookie } = await side.session());
});

const own = async () => (await side.ask("/session", { cookie })).json;
const of = (id: string, key = KEY) => side.said(`/sessions/${id}`, { headers: { "X-Service-Api-Key": key } });

const NOTHING = { player: null, linkedAt: null, scopes: [] };
const UNKNOWN = [404, errorBody("unknown_session", "id")];

describe("a session", () => {
  it("that never sent a request is known only to its browser", async () => {
    expect(await own()).toEqual({ userId, status: "not_linked", ...NOTHING });
    expect(await of(userId)).toEqual(UNKNOWN);
  });

  it("has the status of the link, and the player once they have accepted, online or not", async () => {
    const request = await side.requestLink(cookie);
    const pending = { userId, status: "pending", ...NOTHING };
    expect([await own(), await of(userId)]).toEqual([pending, [200, pending]]);
    side.clock.advance(5_000);
    await pack.report({ is: "answered", request, accepted: true });
    const accepted = {
      userId,
      status: "accepted",
      player: { name: "Steve", uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      linkedAt: side.clock.now(),
      scopes: [],
    };
    const data = await own();
    expect(data).toEqual(accepted);
    await pack.snapshot();
    expect(await of(userId.toUpperCase())).toEqual([200, data]);
    side.clock.advance(60_000);
    expect(await of(userId)).toEqual([200, data]);
  });
});

describe("GET /session/label", () => {
  const label = async () => (await side.ask("/session/label", { cookie })).json;

  it("is the label of the session's messages in the feed, and reveals nothing of it", async () => {
    const [socket, nameless] = [await side.socket({ Cookie: cookie }), await side.socket()];
    socket.say("hi");
    await nameless.next();
    nameless.say("me too");
    await socket.next();
    const feed = await side.ask("/events?format=json&types=chat");
    expect(await label()).toEqual({ label: expect.stringMatching(/^[ghj-kmnp-tv-z]{8}$/) });
    expect(feed.json).toMatchObject([
      { content: "hi", ...((await label()) as object) },
      { content: "me too", label: null },
    ]);
    expect(feed.text).not.toContain(userId.slice(0, 8));
  });
});

describe("GET /sessions/<id>", () => {
  it.each([
    "x",
    "%00",
    "%",
    "%E0%A4%A",
    "..%2f..",
    "a%2Fb",
    `${randomUUID()}%0a`,
    "%C0%AE",
    "-",
    "x".repeat(5_000),
  ])("does not know %s", async id => {
    expect(await of(id)).toEqual(UNKNOWN);
  });

  it("logs only the first characters of a session", async () => {
    const headers = { Origin: "https://evil.example" };
    expect((await side.ask(`/sessions/${userId}`, { headers })).status).toBe(403);
    const [line] = side.log.of("warn").filter(({ fields }) => "origin" in fields);
    expect(line?.fields).toMatchObject({ path: `/sessions/${userId.slice(0, 8)}...` });
    expect(JSON.stringify(side.log.lines)).not.toContain(userId);
  });
});
