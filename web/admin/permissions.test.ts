import { describe, expect, it } from "@jest/globals";
import { allowedHere } from "./permissions.ts";

const SEVERAL = {
  servers: ["main", "lobby"].map(name => ({ name, title: null, gameChat: null })),
  staysForMs: 1_000,
};
const BANS = ["bans:write"] as const;

describe("on the chosen game server, a visitor may", () => {
  it("do what the scopes say where they hold for all game servers", () => {
    const scopes = ["players:kick", "players:read"] as const;
    expect(allowedHere({ scopes: [...scopes], servers: null }, SEVERAL, "lobby")).toEqual({
      scopes,
      ban: [],
    });
  });

  it("do what is about the whole service where the scopes hold for other game servers", () => {
    const given = { scopes: ["players:kick", "chat:mute", "audit:read"] as const, servers: ["lobby"] };
    const scopesOn = (name?: string) =>
      allowedHere({ ...given, scopes: [...given.scopes] }, SEVERAL, name).scopes;
    expect(scopesOn()).toEqual(["chat:mute", "audit:read"]);
    expect(scopesOn("lobby")).toEqual(given.scopes);
  });

  it.each([
    ["on all game servers, or there alone", null, SEVERAL, ["all", "here"]],
    ["there alone", ["main"], SEVERAL, ["here"]],
    ["nowhere", ["lobby"], SEVERAL, []],
    ["on the only one", null, {}, ["all"]],
  ])("ban %s", (_, servers, settings, ban) => {
    expect(allowedHere({ scopes: [...BANS], servers }, settings, undefined).ban).toEqual(ban);
  });

  it("not read known players where none are stored, and the page has no use for links", () => {
    const answer = { scopes: ["links:read" as const, "players:read" as const], servers: null };
    expect(allowedHere(answer, {}, undefined).scopes).toEqual([]);
  });
});
