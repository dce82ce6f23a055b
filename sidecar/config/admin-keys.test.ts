import { describe, expect, it } from "@jest/globals";
import { USUAL_SCOPES } from "../../shared/public/words.ts";
import { configFrom, faultsFrom } from "../../test/helpers/config.ts";
import { type AdminKey, allKeys, sha256Of } from "./admin-keys.ts";
import { readConfig } from "./read.ts";

const HEX = sha256Of("a key");

const listed = (...entries: object[]): string => `modules.api.admin-keys: ${JSON.stringify(entries)}`;
const entry = (more: object = {}): object => ({
  name: "ci",
  sha256: HEX,
  scopes: ["whitelist:read"],
  ...more,
});

describe("admin-keys", () => {
  it("have a name, a digest and scopes", () => {
    expect(
      configFrom(listed(entry({ scopes: ["links:read", "whitelist:read"] }))).modules.api.adminKeys,
    ).toEqual([entry({ scopes: ["whitelist:read", "links:read"] })]);
  });

  it.each([
    ["the reserved name", entry({ name: "admin" }), '[0].name: "admin": expected text of 1 to 64 characters'],
    [
      "the name of a moderator without a key",
      entry({ name: "player:Steve" }),
      '[0].name: "player:Steve": expected text of 1 to 64 characters',
    ],
    [
      "the name of an operator in the game",
      entry({ name: "game:Steve" }),
      '[0].name: "game:Steve": expected text of 1 to 64 characters',
    ],
    ["no name", entry({ name: "" }), '[0].name: "": expected text'],
    ["a name of two lines", entry({ name: "a\nb" }), "[0].name: "],
    ["upper case", entry({ sha256: HEX.toUpperCase() }), "[0].sha256: (hidden): expected the SHA-256"],
    ["a key instead of its digest", entry({ sha256: "secret key" }), "[0].sha256: (hidden): expected"],
    ["the digest of nothing", entry({ sha256: sha256Of("") }), "[0].sha256: (hidden): expected"],
    ["an unknown scope", entry({ scopes: ["whitelist"] }), '[0].scopes: ["whitelist"]: expected a list'],
    ["no scope", entry({ scopes: [] }), "[0].scopes: []: expected a list of at least one of "],
    ["a key beside it", entry({ key: "secret key" }), "[0]: key: "],
  ])("reject %s", (_what, given, fault) => {
    const [first = ""] = faultsFrom(listed(given));
    expect(first).toContain(`modules.api.admin-keys${fault}`);
    expect(`${first}`).not.toContain("secret key");
  });

  it("reject a duplicate name or key", () => {
    expect(faultsFrom(listed(entry(), entry({ sha256: sha256Of("b") })))).toEqual([
      'modules.api.admin-keys[1].name: "ci": expected a value other than that of [0]',
    ]);
    expect(faultsFrom(listed(entry(), entry({ name: "b" })))).toEqual([
      "modules.api.admin-keys[1].sha256: (hidden): expected a value other than that of [0]",
    ]);
  });

  it("come after admin-api-key, which has the default scopes", () => {
    const own = { name: "admin", sha256: sha256Of("abc"), scopes: [...USUAL_SCOPES], servers: undefined };
    const keys: AdminKey[] = [{ name: "ci", sha256: HEX, scopes: ["links:read"], servers: undefined }];
    expect(allKeys({ adminApiKey: "abc", adminKeys: keys })).toEqual([own, ...keys]);
    expect(allKeys({ adminApiKey: "", adminKeys: keys })).toEqual(keys);
  });
});

describe("moderators", () => {
  const read = (...entries: object[]) =>
    readConfig(`modules.api.moderators: ${JSON.stringify(entries)}`, {}, "/nowhere");

  it("have a player, by uuid or name, and only moderation scopes", () => {
    const steve = { player: "Steve", scopes: ["players:kick", "chat:mute"] };
    const found = read(steve);
    expect("config" in found && found.config.modules.api.moderators).toEqual([
      { ...steve, player: "steve", servers: undefined },
    ]);
    for (const scope of ["whitelist:write", "links:read", "players:read", "audit:read"])
      expect(read({ player: "Steve", scopes: [scope] })).toMatchObject({
        faults: [expect.stringContaining("modules.api.moderators[0].scopes")],
      });
    expect(read({ player: " ", scopes: ["players:kick"] })).toMatchObject({
      faults: [expect.stringContaining("modules.api.moderators[0].player")],
    });
    expect(read({ ...steve, servers: ["lobby"] })).toMatchObject({
      faults: [expect.stringContaining('modules.api.moderators[0].servers: "lobby"')],
    });
  });

  it.each([
    ["Steve", "steve"],
    ["Zo\u00eb", "ZOE\u0308"],
    ["25f6be79-78bb-5d2a-9d14-dde1a1ccd90a", "25F6BE79-78BB-5D2A-9D14-DDE1A1CCD90A"],
  ])("are each there once, in upper or lower case: %s and %s", (one, other) => {
    const entries = [one, other].map(player => ({ player, scopes: ["players:kick"] }));
    expect(read(...entries)).toMatchObject({
      faults: [
        `modules.api.moderators[1].player: ${JSON.stringify(other)}: expected a value other than that of [0]`,
      ],
    });
  });
});
