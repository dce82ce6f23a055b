import type { Schema } from "../../../shared/public/declare.ts";
import type { SchemaName } from "../../../shared/public/schemas.ts";
import type { Config } from "../../config/settings.ts";
import type { HeaderName } from "./described-headers.ts";

// What the documents say of a route, beside what it does.

export type ApiSettings = Config["modules"]["api"];

/** What may depend on how the service is set. */
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

/** Something that a request may carry besides its body. */
export interface Parameter {
  name: string;
  in: "query" | "header" | "path";
  required: boolean;
  description: string;
  schema: Schema;
  example: unknown;
  /** how a list is written: with commas */
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
  ...{ name, in: "path", required: true, description },
  schema: { type: "string" },
  example,
});

/** A body that is a text of another type than JSON. */
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

/** One answer of a route that is no error. */
export interface AnswerDescription {
  description: string;
  /** schema of the body; none: the body is empty */
  body?: SchemaName;
  /** the body has this one's form where something else is asked for */
  otherBody?: SchemaName;
  headers?: readonly HeaderName[];
  /** carries none of the headers that all others do */
  bare?: true;
  /** events of the stream that is the other form of the body */
  stream?: Readonly<Record<string, EventDescription>>;
  text?: TextBody;
}
