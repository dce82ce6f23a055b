import type { LinkForm } from "../../shared/frames.ts";
import type { MessageKey } from "./messages.ts";

/** The checked configuration. Every value has been read from the file, the environment or the defaults. */
export interface Config {
  /** folder of the configuration file, absolute; relative paths in it count from here */
  configFolder: string;
  /** the public listener */
  api: {
    host: string;
    /** 0: any free port */
    port: number;
    /** exact origins, as browsers send them */
    corsOrigins: string[];
    /** blank: the administrative endpoints are off */
    adminApiKey: string;
    /** how often the pack sends a snapshot */
    refreshMs: number;
    heartbeatMs: number;
    /** how long a player may answer a link request */
    verificationMs: number;
    linkForm: LinkForm;
    cookie: { name: string; maxAgeSeconds: number };
    /** as Express takes it under that name */
    trustProxy: boolean | number | string[];
    limits: {
      /** largest body of a request, in bytes */
      bodyBytes: number;
      websocketClients: number;
      websocketClientsPerAddress: number;
      /** unsent bytes after which a slow reader is closed */
      websocketBufferBytes: number;
      /** largest WebSocket message, in bytes */
      messageBytes: number;
      /** longest CHAT, in UTF-16 code units */
      messageLength: number;
      /** per WebSocket connection */
      messagesPerSecond: number;
      messagesBurst: number;
      /** CHAT only, of all connections of an address together */
      messagesPerMinutePerAddress: number;
      /** per browser session */
      linkRequestsPerMinute: number;
      linkRequestsPerMinutePerAddress: number;
      /** per address */
      requestsPerMinute: number;
    };
  };
  /** the web console, served by the public listener */
  web: {
    enabled: boolean;
    title: string;
    /** exact origins whose pages may frame the console */
    frameOrigins: string[];
  };
  /** the listener for the pack; a blank token is made up on first start, see `bridgeToken` */
  bridge: { host: string; port: number; token: string };
  /** `folder` is absolute */
  storage: { kind: "embedded"; folder: string };
  /** `auto`, a process id, or the absolute path of a pid file */
  server: { process: string };
  log: { level: LogLevel; format: LogFormat };
  messages: Record<MessageKey, string>;
}

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

export const LINK_FORMS: LinkForm[] = ["buttons", "chest"];
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export const LOG_FORMATS = ["auto", "pretty", "json"] as const;
