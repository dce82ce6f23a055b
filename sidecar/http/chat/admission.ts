import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorAnswer, errorAnswer, writeError } from "../errors.ts";
import { allow } from "../headers.ts";
import type { ListenerDeps } from "../routes/deps.ts";
import { printable } from "../throttled-log.ts";
import type { Clients } from "./clients.ts";

/** Decides who may open a chat socket. */
export function createAdmission(deps: ListenerDeps, clients: Clients) {
  const { addresses, api, checkHost, checkOrigin, log, metrics, webChat } = deps;
  const { websocketClients, websocketClientsPerAddress } = api.limits;
  const { later } = addresses;
  const full = errorAnswer("too_many_connections", later);
  const overRate = errorAnswer("rate_limited", later);
  let closed = false;
  return {
    full,
    overRate,
    /** What an upgrade is refused with; undefined when it may be taken. */
    refusal(req: IncomingMessage, address: string, isOverRate: boolean): ErrorAnswer | undefined {
      if (isOverRate) return overRate;
      if (!checkHost(req)) return errorAnswer("host_not_allowed");
      if (checkOrigin(req) === "refused") return errorAnswer("origin_not_allowed");
      if (req.url?.split("?")[0] !== "/chat" || webChat.mode() === "off") return errorAnswer("not_found");
      if (req.method !== "GET") return errorAnswer("method_not_allowed", allow({ get: true }));
      const isFull =
        clients.count() >= websocketClients || clients.countOf(address) >= websocketClientsPerAddress;
      return closed || isFull ? full : undefined;
    },
    /** Answers an upgrade that is refused, as the router would, and ends its connection. */
    refuse(req: IncomingMessage, raw: Duplex, answer: ErrorAnswer): void {
      metrics.socketRefused(answer.code);
      log.warn({ reason: answer.code, origin: printable(req.headers.origin) }, "refused a WebSocket upgrade");
      writeError(raw, answer);
    },
    /** Refuses everybody from now on. */
    close(): void {
      closed = true;
    },
  };
}
