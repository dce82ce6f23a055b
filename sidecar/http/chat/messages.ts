import { randomUUID } from "node:crypto";
import type { RawData } from "ws";
import type { Exception } from "../../../client/types.ts";
import type { ChatAnswer } from "../../app/chat.ts";
import { createRateLimiter, perMinute, type Rate, takeToken } from "../rate-limit.ts";
import type { ListenerDeps } from "../routes/deps.ts";
import type { Client, Clients } from "./clients.ts";
import { createMessageReader, messageFrame } from "./frames.ts";

const PONG = messageFrame("PONG", "heartbeat pong");
const EXCEPTIONS = {
  "bad message": messageFrame("EXCEPTION", "bad message"),
  "rate limited": messageFrame("EXCEPTION", "rate limited"),
  "server unavailable": messageFrame("EXCEPTION", "server unavailable"),
} satisfies Record<Exception, Buffer>;

/** What is done with the messages of clients, each of which may send as many as `rate` allows. */
export function createMessageHandler(
  deps: ListenerDeps,
  clients: Clients,
  rate: Rate,
): (client: Client, data: RawData, isBinary: boolean) => void {
  const { api, chat, clock, log, metrics } = deps;
  const read = createMessageReader(api.limits.messageLength);
  const chatOfAddress = createRateLimiter(perMinute(api.limits.messagesPerMinutePerAddress));

  function answer(client: Client, what: ChatAnswer | Exception): void {
    metrics.chatFromWeb(what);
    if (what !== "sent") clients.send(client, EXCEPTIONS[what]);
  }

  function relay(client: Client, content: string): void {
    chat.fromWeb(client.id, client.session, content).then(
      what => answer(client, what),
      (error: unknown) => {
        log.error({ requestId: randomUUID(), error }, "a chat line ended with an unexpected result");
        answer(client, "server unavailable");
      },
    );
  }

  return (client, data, isBinary) => {
    const allowed = takeToken(client.bucket, rate, clock.now());
    const message = allowed && !isBinary ? read(data.toString()) : undefined;
    if (!allowed) answer(client, "rate limited");
    else if (!message) answer(client, "bad message");
    else if (message.type === "PING") clients.send(client, PONG);
    else if (message.type === "PONG") return;
    else if (!chatOfAddress.take(client.address, clock.now())) answer(client, "rate limited");
    else relay(client, message.content);
  };
}
