import { describe, expect, it } from "@jest/globals";
import {
  type Answer,
  type ChatMessage,
  type Client,
  ERROR_CODES,
  type Exception,
  type HistoryData,
  type HistoryPoint,
  type InitializationData,
  type LinkedPlayerResponse,
  type LinkStatus,
  type MessageType,
  type Metrics,
  type NotReady,
  type PlayerData,
  type ServerInfo,
  type ServiceSettings,
  type SessionData,
  type SessionLabel,
  type WebChatMode,
  type WhitelistNames,
} from "../../client/index.ts";
import type { EventObject, FeedEvent, FeedPlayer } from "../../client/types.ts";
import { asyncApi } from "../../sidecar/contracts/asyncapi.ts";
import { openApi } from "../../sidecar/contracts/openapi.ts";
import type { Schema } from "../../sidecar/contracts/schema.ts";
import { SCHEMAS } from "../../sidecar/contracts/schemas.ts";
import { testConfig } from "../helpers/sidecar.ts";

/**
 * Every key of a type with what it holds; `|null` marks one that null fits, `?` one that may be missing. The compiler
 * wants all of them.
 */
type Shape<T> = {
  [K in keyof T]-?: `${T[K] & {} extends string ? "string" : T[K] & {} extends number ? "number" : T[K] & {} extends boolean ? "boolean" : "object"}${null extends T[K] ? "|null" : ""}${undefined extends T[K] ? "?" : ""}`;
};

/** The same of a schema. */
function shapeOf(schema: Schema): Record<string, string> {
  const { properties, required } = schema as { properties: Record<string, Schema>; required: string[] };
  return Object.fromEntries(
    Object.entries(properties).map(([key, held]) => {
      if (held.$ref !== undefined) return [key, `object${required.includes(key) ? "" : "?"}`];
      const [type, orNull] = [held.type].flat();
      const kind = `${type}`.replace("integer", "number").replace("array", "object");
      return [key, `${kind}${orNull === undefined ? "" : "|null"}${required.includes(key) ? "" : "?"}`];
    }),
  );
}

/** What is told of an event in a stream. */
type Told<E extends FeedEvent["event"]> = Omit<Extract<FeedEvent, { event: E }>, "event">;

/** The values of a property that the schema allows. */
const valuesOf = (schema: { properties?: unknown }, key: string): unknown[] => {
  const { enum: many, const: one } = (schema.properties as Record<string, Schema>)[key] ?? {};
  return Array.isArray(many) ? many : [one];
};

const { api } = testConfig().modules;
const rest = openApi(api);
const {
  channels: {
    chat: { messages },
  },
  operations,
} = asyncApi(api);

/** All words of a union; the compiler wants every one. */
const words = <T extends string>(all: Record<T, true>): string[] => Object.keys(all);

describe("the types of the client", () => {
  it("have the keys and kinds of the OpenAPI schemas", () => {
    const metrics: Shape<Metrics> = {
      status: "string",
      tps: "number",
      onlinePlayerCount: "number",
      memoryUsedMB: "number",
      memoryMaxMB: "number",
      cpuUsage: "number",
    };
    const player: Shape<PlayerData> = {
      name: "string",
      uuid: "string",
      health: "number",
      deaths: "number",
      playerKills: "number",
      playtimeSeconds: "number",
    };
    const session: Shape<InitializationData> = { status: "string", userId: "string" };
    const link: Shape<LinkedPlayerResponse> = { status: "string", playerData: "object?" };
    const sessionOf: Shape<SessionData> = {
      userId: "string",
      status: "string",
      player: "object|null",
      linkedAt: "number|null",
      reason: "string?",
    };
    const label: Shape<SessionLabel> = { label: "string" };
    const history: Shape<HistoryData> = { intervalMs: "number", points: "object" };
    const point: Shape<HistoryPoint> = {
      at: "number",
      tps: "number|null",
      onlinePlayerCount: "number|null",
      memoryUsedMB: "number|null",
      cpuUsage: "number|null",
    };
    const info: Shape<ServerInfo> = {
      title: "string|null",
      address: "string|null",
      version: "string|null",
      maxPlayers: "number|null",
    };
    const settings: Shape<ServiceSettings> = {
      title: "string",
      accent: "string?",
      logo: "string?",
      joinAddress: "string?",
      maxPlayers: "number?",
      refreshMs: "number",
      heartbeatMs: "number",
      verificationMs: "number",
      messageLength: "number",
      messagesPerSecond: "number",
      messagesBurst: "number",
      webChat: "string",
      whitelistNames: "string",
      whitelist: "boolean",
    };
    const notReady: Shape<NotReady> = { status: "string", reason: "string" };
    const feedPlayer: Shape<FeedPlayer> = { name: "string", uuid: "string" };
    const said: Shape<Told<"chat">> = {
      at: "number",
      from: "string",
      content: "string",
      player: "object?",
      label: "string|null?",
    };
    const moved: Shape<Told<"join" | "leave">> = { at: "number", player: "object" };
    const died: Shape<Told<"death">> = { at: "number", player: "object", killer: "object?" };
    const server: Shape<Told<"server">> = { at: "number", state: "string" };
    expect(shapeOf(SCHEMAS.FeedPlayer)).toEqual(feedPlayer);
    expect(shapeOf(SCHEMAS.ChatEvent)).toEqual(said);
    expect(shapeOf(SCHEMAS.PlayerEvent)).toEqual(moved);
    expect(shapeOf(SCHEMAS.DeathEvent)).toEqual(died);
    expect(shapeOf(SCHEMAS.ServerEvent)).toEqual(server);
    expect(shapeOf(SCHEMAS.Metrics)).toEqual(metrics);
    expect(shapeOf(SCHEMAS.PlayerData)).toEqual(player);
    expect(shapeOf(SCHEMAS.InitializationData)).toEqual(session);
    expect(shapeOf(SCHEMAS.LinkedPlayerResponse)).toEqual(link);
    expect(shapeOf(SCHEMAS.SessionData)).toEqual(sessionOf);
    expect(shapeOf(SCHEMAS.SessionLabel)).toEqual(label);
    expect(shapeOf(SCHEMAS.NotReady)).toEqual(notReady);
    expect(shapeOf(SCHEMAS.ServiceSettings)).toEqual(settings);
    expect(shapeOf(SCHEMAS.ServerInfo)).toEqual(info);
    expect(shapeOf(SCHEMAS.History)).toEqual(history);
    expect(shapeOf(SCHEMAS.HistoryPoint)).toEqual(point);
  });

  it("have the words of the schemas", () => {
    const states = words<LinkStatus>({ not_linked: true, pending: true, declined: true, accepted: true });
    const sessions = words<InitializationData["status"]>({ new: true, existing: true });
    const names = words<EventObject["event"]>({
      chat: true,
      join: true,
      leave: true,
      death: true,
      server: true,
      gap: true,
    });
    const elements: readonly Schema[] = SCHEMAS.EventObject.oneOf;
    expect(elements.flatMap(element => valuesOf(element, "event"))).toEqual(names);
    expect(valuesOf(SCHEMAS.LinkedPlayerResponse, "status")).toEqual(states);
    expect(valuesOf(SCHEMAS.SessionData, "status")).toEqual(states);
    expect(valuesOf(SCHEMAS.InitializationData, "status")).toEqual(sessions);
    const modes = words<WebChatMode>({ everybody: true, linked: true, "read-only": true, off: true });
    expect(valuesOf(SCHEMAS.ServiceSettings, "webChat")).toEqual(modes);
    const rules = words<WhitelistNames>({ java: true, gamertag: true });
    expect(valuesOf(SCHEMAS.ServiceSettings, "whitelistNames")).toEqual(rules);
    const exceptions = words<Exception>({
      "bad message": true,
      "rate limited": true,
      "not allowed": true,
      "server unavailable": true,
    });
    expect(valuesOf(messages.exception?.payload ?? {}, "content")).toEqual(exceptions);
  });

  it("have every message of the AsyncAPI description, and what the client may be sent", () => {
    const message: Shape<ChatMessage> = { type: "string", content: "string" };
    const types = words<MessageType>({
      CHAT: true,
      PING: true,
      PONG: true,
      VERIFICATION: true,
      EXCEPTION: true,
    });
    const described = Object.entries(messages);
    expect(new Set(described.flatMap(([, { payload }]) => valuesOf(payload, "type")))).toEqual(
      new Set(types),
    );
    const sent = operations.sendToBrowser.messages.map(({ $ref }) => $ref.split("/").at(-1));
    for (const [name, { payload }] of described)
      if (sent.includes(name)) expect([name, shapeOf(payload)]).toEqual([name, message]);
  });

  it("have every code of the OpenAPI description, and no other", () => {
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

  it("have a call for every operation, with the words of its answer", () => {
    type Word<T> = T extends { status: infer S } ? S : never;
    const calls: Record<keyof Client, string> = {
      status: "getStatus",
      players: "getPlayers",
      server: "getServer",
      history: "getHistory",
      settings: "getSettings",
      events: "getEvents",
      initialize: "initialize",
      linkPlayer: "linkPlayer",
      linkedPlayer: "getLinkedPlayer",
      session: "getSession",
      label: "getSessionLabel",
      sessionOf: "getSessionOf",
      unlinkPlayer: "unlinkPlayer",
      whitelist: "getWhitelist",
      addToWhitelist: "addToWhitelist",
      removeFromWhitelist: "removeFromWhitelist",
      health: "getHealth",
      readiness: "getReadiness",
    };
    // The chat is called by `createChat`, the stream by `createEvents`; the badge is for `<img>`, a page for people, the descriptions for other programs.
    const others = ["openChat", "getBadge", "getDocs", "getOpenApi", "getAsyncApi"];
    const described = Object.values(rest.paths).flatMap(path => Object.values(path));
    expect([...Object.values(calls), ...others].sort()).toEqual(described.map(one => one.operationId).sort());
    const sent: Word<Answer<"linkPlayer">> = "verification_sent";
    const ended: Word<Answer<"unlinkPlayer">> = "unlinked";
    const added: Word<Answer<"addToWhitelist">> = "whitelisted";
    const removed: Word<Answer<"removeFromWhitelist">> = "removed";
    const up: Word<Answer<"health">> = "ok";
    const ready = words<Word<Answer<"readiness">>>({ ready: true, unavailable: true });
    expect(valuesOf(SCHEMAS.VerificationSent, "status")).toEqual([sent]);
    expect(valuesOf(SCHEMAS.Unlinked, "status")).toEqual([ended]);
    expect(valuesOf(SCHEMAS.Whitelisted, "status")).toEqual([added]);
    expect(valuesOf(SCHEMAS.Removed, "status")).toEqual([removed]);
    expect(valuesOf(SCHEMAS.Health, "status")).toEqual([up]);
    expect([SCHEMAS.Ready, SCHEMAS.NotReady].flatMap(one => valuesOf(one, "status"))).toEqual(ready);
  });
});
