import type { Schema } from "../../../shared/public/schema-guards.ts";
import type { SchemaName } from "../../../shared/public/schemas.ts";
import type { Config } from "../../config/settings.ts";
import type { HeaderName } from "./described-headers.ts";

export type ApiSettings = Config["modules"]["api"];

export type PerSettings<T extends string> = T | ((api: ApiSettings) => T);

export const textFor = (text: PerSettings<string>, api: ApiSettings): string =>
  typeof text === "string" ? text : text(api);

/** Sections of the documents. */
export const TAGS = {
  "Game server": "What anybody may see.",
  Linking: "A browser session and the player to whom it is linked.",
  "Signing in": "Other sites ask who somebody is, and the player says so.",
  Whitelist: "For administrators: the game's own allowlist.",
  Moderation: "For moderators: what they do in the game.",
  Chat: "The WebSocket.",
  Webhooks: "What the service sends to addresses of its owner's choice.",
  Service: "Whether it is well, and how it is described.",
} as const;
export type TagName = keyof typeof TAGS;

export const WITHOUT_GAME = "Answered without a game server too.";

export interface Example {
  summary: string;
  value: unknown;
}

export interface Parameter {
  name: string;
  in: "query" | "header" | "path";
  required: boolean;
  description: string;
  schema: Schema;
  example: unknown;
  /** a list is written with commas */
  style?: "form";
  explode?: false;
}

/** A parameter of the query, which may be left out. */
export const queryParameter = (
  name: string,
  description: string,
  schema: Schema,
  example: unknown,
): Parameter => ({ name, in: "query", required: false, description, schema, example });

/** A part of the path. */
export const pathParameter = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

/** A body of another type than JSON. */
export interface TextBody {
  type: "image/svg+xml" | "text/html";
  description: string;
  example: Example;
}

/** An event of a stream: whether it has an id, and what its line of data is. */
export interface EventDescription {
  description: string;
  id: boolean;
  data: { $ref: string };
}

/** An answer of a route that is no error. */
export interface AnswerDescription {
  description: string;
  /** schema of the body; none: the body is empty */
  body?: SchemaName;
  /** schema of the body in another form that can be asked for */
  otherBody?: SchemaName;
  headers?: readonly HeaderName[];
  /** without the headers of all other answers */
  bare?: true;
  /** events, where the body may also be a stream */
  stream?: Readonly<Record<string, EventDescription>>;
  text?: TextBody;
}
