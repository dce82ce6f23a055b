import { MESSAGE_TYPES } from "../frames.ts";

/** A JSON Schema (2020-12), as far as it is used here. */
export type Schema = { readonly [key: string]: unknown };

const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});
const constant = (key: string, value: string): Schema => object({ [key]: { type: "string", const: value } });
const count: Schema = { type: "integer", minimum: 0 };
const int64: Schema = { ...count, format: "int64" };
const uuid: Schema = { type: "string", format: "uuid" };

const playerData = object({
  name: { type: "string", minLength: 1, description: "Name that the game reports." },
  uuid: { ...uuid, description: "The same player always has the same one." },
  health: { ...count, description: "Current health, rounded." },
  deaths: count,
  playerKills: count,
  playtimeSeconds: int64,
});

/** A schema that null fits too. */
const orNull = ({ type, ...rest }: Schema): Schema => ({ type: [type, "null"], ...rest });
const tps: Schema = {
  type: "number",
  format: "double",
  minimum: 0,
  maximum: 20,
  description: "Average of the last minute.",
};

const historyPoint = object({
  at: { ...int64, description: "Milliseconds since 1970." },
  tps: orNull(tps),
  onlinePlayerCount: orNull(count),
  memoryUsedMB: orNull({ ...int64, description: "Null when not visible." }),
  cpuUsage: orNull({
    type: "number",
    format: "double",
    minimum: 0,
    maximum: 100,
    description: "Share of the whole machine; null when not visible.",
  }),
});

/** Every object of the public service. */
export const SCHEMAS = {
  Metrics: object({
    status: { type: "string", const: "Online" },
    tps,
    onlinePlayerCount: count,
    memoryUsedMB: { ...int64, description: "Resident memory of the game server; 0 when not visible." },
    memoryMaxMB: { ...int64, description: "Memory that the game server may use; 0 when not visible." },
    cpuUsage: {
      type: "number",
      format: "double",
      minimum: -1,
      maximum: 100,
      description: "Share of the whole machine; -1 when not visible.",
    },
  }),
  PlayerData: playerData,
  Players: { type: "array", items: { $ref: "#/components/schemas/PlayerData" } },
  HistoryPoint: {
    ...historyPoint,
    description: "All four null: from then on no game server reported, until the next point.",
  },
  History: object({
    intervalMs: { ...count, description: "Time that one point stands for." },
    points: {
      type: "array",
      maxItems: 720,
      items: { $ref: "#/components/schemas/HistoryPoint" },
      description: "Of the last hour, oldest first.",
    },
  }),
  InitializationData: object({ status: { type: "string", enum: ["new", "existing"] }, userId: uuid }),
  LinkRequest: {
    type: "object",
    required: ["username"],
    properties: {
      username: { type: "string", minLength: 1, description: "Exact name of an online player." },
    },
  },
  LinkedPlayerResponse: object(
    {
      status: { type: "string", enum: ["not_linked", "pending", "declined", "accepted"] },
      playerData: {
        $ref: "#/components/schemas/PlayerData",
        description: "Only when accepted and the player is online.",
      },
    },
    ["status"],
  ),
  WhitelistRequest: {
    type: "object",
    required: ["playerName"],
    properties: { playerName: { type: "string", pattern: "^[a-zA-Z0-9_]{1,16}$" } },
  },
  Whitelist: { type: "array", items: { type: "string" } },
  VerificationSent: constant("status", "verification_sent"),
  AlreadyPending: constant("status", "already_pending"),
  Unlinked: constant("status", "unlinked"),
  Whitelisted: constant("status", "whitelisted"),
  Health: constant("status", "ok"),
  Ready: constant("status", "ready"),
  NotReady: object({ status: { type: "string", const: "unavailable" }, reason: { type: "string" } }),
} satisfies Record<string, Schema>;

/** A message on `/chat`. */
export const chatMessage = object({
  type: { type: "string", enum: [...MESSAGE_TYPES] },
  content: { type: "string" },
});
