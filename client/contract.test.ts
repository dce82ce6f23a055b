import { describe, expect, it } from "@jest/globals";
import type { Schema } from "../shared/public/schema-guards.ts";
import { MESSAGE_TYPES } from "../shared/public/words.ts";
import { asyncApi } from "../sidecar/features/docs/asyncapi.ts";
import { openApi } from "../sidecar/routes.ts";
import { testConfig } from "../test/helpers/sidecar.ts";
import { type Answer, type Client, ERROR_CODES } from "./index.ts";

/** The values of a property that a schema allows. */
const valuesOf = ({ properties }: { properties?: unknown } = {}, key: string): unknown[] => {
  const { enum: many, const: one } = (properties as Record<string, Schema>)[key] ?? {};
  return Array.isArray(many) ? many : [one];
};

const { api } = testConfig().modules;
const rest = openApi(api);
const { schemas } = rest.components;

// The types themselves come from the same declarations as the schemas: client/bundle.test.ts compares what is built.
describe("the client", () => {
  it("has every type of message of the AsyncAPI description, and no other", () => {
    const described = Object.values(asyncApi(api).channels.chat.messages);
    expect(new Set(described.flatMap(({ payload }) => valuesOf(payload, "type")))).toEqual(
      new Set(MESSAGE_TYPES),
    );
  });

  it("has every code of the OpenAPI description, and no other", () => {
    const answers = [
      ...Object.values(rest.paths).flatMap(path => Object.values(path).map(one => one.responses)),
      rest["x-other-answers"],
    ].flatMap(one => Object.values(one));
    const codes = answers.flatMap(({ content }) => {
      const { properties } = content?.["application/json"]?.schema ?? {};
      const { error } = (properties ?? {}) as { error?: { enum: string[] } };
      return error?.enum ?? [];
    });
    expect([...new Set(codes)].sort()).toEqual([...ERROR_CODES].sort());
  });

  it("has a call for every operation, with the names in its response", () => {
    type Word<T> = T extends { status: infer S extends string } ? S : never;
    /** All words of a union; the compiler wants every one. */
    const words = <T extends string>(all: Record<T, true>): string[] => Object.keys(all);
    const calls: Record<keyof Client, string> = {
      status: "getStatus",
      players: "getPlayers",
      server: "getServer",
      servers: "getServers",
      history: "getHistory",
      knownPlayers: "getKnownPlayers",
      knownPlayer: "getKnownPlayer",
      settings: "getSettings",
      events: "getEvents",
      initialize: "initialize",
      linkPlayer: "linkPlayer",
      linkedPlayer: "getLinkedPlayer",
      session: "getSession",
      label: "getSessionLabel",
      sessionOf: "getSessionOf",
      cancelLinkRequest: "cancelLinkRequest",
      unlinkPlayer: "unlinkPlayer",
      sites: "getSites",
      endSite: "endSite",
      permissions: "getPermissions",
      whitelist: "getWhitelist",
      addToWhitelist: "addToWhitelist",
      removeFromWhitelist: "removeFromWhitelist",
      kick: "kick",
      announce: "announce",
      bans: "getBans",
      ban: "ban",
      unban: "unban",
      mutes: "getMutes",
      mute: "mute",
      unmute: "unmute",
      audit: "getAudit",
      health: "getHealth",
      readiness: "getReadiness",
    };
    // The chat is called by `createChat`, the stream by `createEvents`; the badge is for `<img>`, a page for people, the
    // descriptions for other programs.
    const others = ["openChat", "getBadge", "getDocs", "getOpenApi", "getAsyncApi"];
    // `unban` makes two calls: by name with a body, by uuid with none.
    others.push("unbanByUuid");
    // Proxies call one, and the page of a sign-in the others, which answer no other page.
    others.push("forward", "getSignIn", "askForSignIn", "signInAs", "signInSilently", "cancelSignIn");
    // What is about one of several game servers is called on `server(name)`.
    const described = Object.entries(rest.paths)
      .filter(([path]) => !path.startsWith("/servers/"))
      .flatMap(([, path]) => Object.values(path));
    expect([...Object.values(calls), ...others].sort()).toEqual(described.map(one => one.operationId).sort());
    const said = (...names: string[]): unknown[] => names.flatMap(name => valuesOf(schemas[name], "status"));
    expect(said("VerificationSent")).toEqual(words<Word<Answer<"linkPlayer">>>({ verification_sent: true }));
    expect(said("LinkRequestCancelled")).toEqual(
      words<Word<Answer<"cancelLinkRequest">>>({ cancelled: true }),
    );
    expect(said("Unlinked")).toEqual(words<Word<Answer<"unlinkPlayer">>>({ unlinked: true }));
    expect(said("SiteEnded")).toEqual(words<Word<Answer<"endSite">>>({ ended: true }));
    expect(said("Whitelisted")).toEqual(words<Word<Answer<"addToWhitelist">>>({ whitelisted: true }));
    expect(said("Removed")).toEqual(words<Word<Answer<"removeFromWhitelist">>>({ removed: true }));
    expect(said("Kicked")).toEqual(words<Word<Answer<"kick">>>({ kicked: true }));
    expect(said("Announced")).toEqual(words<Word<Answer<"announce">>>({ announced: true }));
    expect(said("Banned")).toEqual(words<Word<Answer<"ban">>>({ banned: true }));
    expect(said("Unbanned")).toEqual(words<Word<Answer<"unban">>>({ unbanned: true }));
    expect(said("Health")).toEqual(words<Word<Answer<"health">>>({ ok: true }));
    expect(said("Ready", "NotReady")).toEqual(
      words<Word<Answer<"readiness">>>({ ready: true, unavailable: true }),
    );
  });
});
