import { describe, expect, it } from "@jest/globals";
import { USUAL_SCOPES } from "../../../shared/public/words.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { ADMIN_KEY, keyOf, keysOf } from "../../../test/helpers/sidecar.ts";

const LOBBY = 'servers: [{ name: lobby, token: "token-of-the-lobby-0123456789-abcdefgh" }]';
const MODERATORS =
  "modules: {api: {moderators: [{player: Steve, scopes: [players:kick, chat:mute], servers: [lobby]}]}}";

const side = serving();
const permissions = (headers: Record<string, string> = {}) => side.said("/permissions", { headers });
const withKey = (key: string) => permissions({ "X-Service-Api-Key": key });
const refusals = (): number =>
  side.log.of("warn").filter(({ message }) => message.startsWith("Rejected a request")).length;

describe("GET /permissions", () => {
  it("answers the scopes of a key, and its game servers unless it is for all of them", async () => {
    const env = keysOf(
      keyOf("ari", ["players:kick", "bans:read"], ["lobby"]),
      keyOf("bo", ["links:read"], ["lobby", "main"]),
    );
    await side.start({ yaml: LOBBY, env });
    expect(await withKey("key of the ari")).toEqual([
      200,
      { scopes: ["players:kick", "bans:read"], servers: ["lobby"] },
    ]);
    expect(await withKey("key of the bo")).toEqual([200, { scopes: ["links:read"], servers: null }]);
    expect(await withKey(ADMIN_KEY)).toEqual([200, { scopes: [...USUAL_SCOPES], servers: null }]);
    expect(refusals()).toBe(0);
  });

  it("answers 401 without a valid key, and 503 where there is none, as other calls do", async () => {
    await side.start();
    for (const answer of [await permissions(), await withKey("wrong")]) expect(answer[0]).toBe(401);
    expect(refusals()).toBe(2);
    side.sidecar.setKeys([]);
    expect(await withKey(ADMIN_KEY)).toMatchObject([503, { error: "admin_api_disabled" }]);
  });

  it("answers the scopes of the player linked to a browser, unless there is a key or another page asks", async () => {
    await side.start({ yaml: `${LOBBY}\n${MODERATORS}` }, ["Steve"]);
    const { cookie } = await side.session();
    expect((await permissions({ Cookie: cookie }))[0]).toBe(401);
    await side.link(cookie);
    expect(await permissions({ Cookie: cookie })).toEqual([
      200,
      { scopes: ["players:kick", "chat:mute"], servers: ["lobby"] },
    ]);
    expect((await permissions({ Cookie: cookie, "X-Service-Api-Key": "wrong" }))[0]).toBe(401);
    expect(await permissions({ Cookie: cookie, "Sec-Fetch-Site": "same-site" })).toMatchObject([
      403,
      { error: "origin_not_allowed" },
    ]);
    side.sidecar.setModerators([]);
    expect((await permissions({ Cookie: cookie }))[0]).toBe(401);
  });
});
