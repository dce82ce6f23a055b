import { resolve } from "node:path";
import type { Config } from "./config.ts";
import { MESSAGE_KEYS, type MessageKey } from "./messages.ts";
import type { Values } from "./settings.ts";

/** Puts checked values into the shape that the rest of the program uses. */
export function assemble(values: Values, configFolder: string): Config {
  const folder = resolve(configFolder);
  return {
    configFolder: folder,
    api: {
      host: values["modules.api.host"],
      port: values["modules.api.port"],
      corsOrigins: values["modules.api.cors-origins"],
      adminApiKey: values["modules.api.admin-api-key"],
      refreshMs: values["modules.api.metrics-refresh-interval"],
      heartbeatMs: values["modules.api.heartbeat-interval"],
      verificationMs: values["modules.api.verification-timeout"],
      linkForm: values["modules.api.link-form"],
      cookie: {
        name: values["modules.api.session-cookie.name"],
        maxAgeSeconds: values["modules.api.session-cookie.max-age"],
      },
      trustProxy: values["modules.api.trust-proxy"],
      limits: {
        bodyBytes: values["modules.api.limits.body-bytes"],
        websocketClients: values["modules.api.limits.websocket-clients"],
        websocketClientsPerAddress: values["modules.api.limits.websocket-clients-per-address"],
        websocketBufferBytes: values["modules.api.limits.websocket-buffer-bytes"],
        messageBytes: values["modules.api.limits.message-bytes"],
        messageLength: values["modules.api.limits.message-length"],
        messagesPerSecond: values["modules.api.limits.messages-per-second"],
        messagesBurst: values["modules.api.limits.messages-burst"],
        messagesPerMinutePerAddress: values["modules.api.limits.messages-per-minute-per-address"],
        linkRequestsPerMinute: values["modules.api.limits.link-requests-per-minute"],
        linkRequestsPerMinutePerAddress: values["modules.api.limits.link-requests-per-minute-per-address"],
        requestsPerMinute: values["modules.api.limits.requests-per-minute"],
      },
    },
    web: {
      enabled: values["modules.web.enabled"],
      title: values["modules.web.title"],
      frameOrigins: values["modules.web.frame-origins"],
    },
    bridge: { host: values["bridge.host"], port: values["bridge.port"], token: values["bridge.token"] },
    storage: { kind: values["storage.kind"], folder: resolve(folder, values["storage.folder"]) },
    server: { process: processOf(values["server.process"], folder) },
    log: { level: values["log.level"], format: values["log.format"] },
    messages: Object.fromEntries(MESSAGE_KEYS.map(key => [key, values[`messages.${key}`]])) as Record<
      MessageKey,
      string
    >,
  };
}

const processOf = (value: string, folder: string): string =>
  value === "auto" || /^\d+$/.test(value) ? value : resolve(folder, value);
