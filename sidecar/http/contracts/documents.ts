/** A JSON Schema (2020-12), as far as it is used here. */
export type Schema = { readonly [key: string]: unknown };

export interface Reference {
  $ref: string;
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface Header {
  description: string;
  /** whether every answer of this status carries it */
  required: boolean;
  schema: Schema;
  example: string | number;
}

export interface Content {
  "application/json": { schema: Schema; examples: Record<string, Example> };
}

export interface Answer {
  description: string;
  headers: Record<string, Header | Reference>;
  /** none: the body is empty */
  content?: Content;
}

export interface Parameter extends Omit<Header, "example"> {
  name: string;
  in: "header";
  example: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  /** one of these is enough; an empty one asks for nothing */
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { description: string; required: true; content: Content };
  /** by status */
  responses: Record<string, Answer>;
}

export type Method = "get" | "post";

interface SecurityScheme {
  type: "apiKey";
  in: "cookie" | "header";
  name: string;
  description: string;
}

interface Info {
  title: string;
  version: string;
  description: string;
  license: { name: string; url?: string; identifier?: string };
}

interface Tag {
  name: string;
  description: string;
}

/** An OpenAPI 3.1 document, as far as it is used here. */
export interface OpenApi {
  openapi: string;
  info: Info;
  servers: { url: string; description: string }[];
  tags: Tag[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, SecurityScheme>;
  };
  /** answers to paths that do not exist and to methods that a path does not know, by status */
  "x-other-answers": Record<string, Answer>;
  /** beginnings of paths that belong to the web console and may change at any time */
  "x-private-paths": string[];
}

export interface Message {
  /** value of `type` */
  name: string;
  title: string;
  summary: string;
  description: string;
  contentType: string;
  payload: {
    type: "object";
    required: string[];
    properties: { type: Schema; content: Schema };
    additionalProperties?: false;
  };
  examples: { name: string; summary: string; payload: { type: string; content?: string } }[];
}

export interface ChatOperation {
  action: "send" | "receive";
  title: string;
  summary: string;
  description: string;
  channel: Reference;
  messages: Reference[];
}

/** An AsyncAPI 3 document, as far as it is used here. */
export interface AsyncApi {
  asyncapi: string;
  info: Info & { tags: Tag[] };
  defaultContentType: string;
  servers: Record<string, { host: string; protocol: string; description: string; variables: object }>;
  channels: {
    chat: {
      address: string;
      title: string;
      description: string;
      servers: Reference[];
      messages: Record<string, Message>;
      bindings: { ws: Schema };
    };
  };
  operations: Record<"sendToBrowser" | "receiveFromBrowser", ChatOperation>;
}
