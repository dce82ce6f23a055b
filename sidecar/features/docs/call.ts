import type { ServiceErrorCode } from "../../../shared/public/words.ts";
import type { FieldError } from "../../kernel/http/errors.ts";
import type { Parameter, StreamEvent } from "./events.ts";
import type { BodyName, Example } from "./examples.ts";
import type { HeaderName } from "./headers.ts";

/** A body that is a text of another type. */
export interface Text {
  type: "image/svg+xml" | "text/html";
  description: string;
  example: Example;
}

/** What is told of one answer. */
export interface Told {
  description: string;
  /** schema of the body, with its examples; none: the body is empty */
  body?: BodyName;
  /** the body has this one's form where something else is asked for */
  otherBody?: BodyName;
  headers?: HeaderName[];
  /** carries none of the headers that all others do */
  bare?: true;
  /** events of the stream that is the other form of the body */
  stream?: Record<string, StreamEvent>;
  /** a body that is no JSON */
  text?: Text;
}

/** A call, as the table of calls below has it. */
export interface Call {
  id: string;
  tag: TagName;
  summary: string;
  description: string;
  /** how often it may be made, where that is not as with most calls; blank: the description tells it */
  rate?: string;
  parameters?: Parameter[];
  request?: BodyName;
  /** answers that are no errors of the table of errors, by status */
  answers: Record<number, Told>;
  /** what a cache may keep: adds ETag, 304 and Cache-Control */
  cached?: boolean;
  /** errors besides those that every call may answer, and those of its request and of what it asks for */
  errors?: ServiceErrorCode[];
  /** of the errors that every call may answer, one that this never does */
  never?: ServiceErrorCode;
  /** errors about fields of the body, which may have another status than theirs */
  fieldErrors?: FieldError[];
  security?: "session" | "adminKey" | "maybeSession";
}

/** By method and path. */
export type Calls = Record<`${"get" | "post" | "delete"} /${string}`, Call>;

export const WITHOUT_GAME = "Answered without a game server too.";

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
type TagName = keyof typeof TAGS;
