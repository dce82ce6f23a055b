import { checkJson, type Infer, object, tagged } from "../../../../shared/guard.ts";
import { type ChatMessage, clientMessages, type SERVER_MESSAGES } from "../../../../shared/public/chat.ts";
import type { MessageType } from "../../../../shared/public/words.ts";
import { type WebLine, webLine } from "../rules/chat.ts";

const TEXT_FRAME = 0x81;

/**
 * A message as the bytes of one unfragmented, unmasked WebSocket text frame (RFC 6455, section 5.2). Made once, it
 * is written to any number of sockets.
 */
export function messageFrame<T extends MessageType>(
  type: T,
  content: Infer<(typeof SERVER_MESSAGES)[T]>,
): Buffer {
  const payload = Buffer.from(JSON.stringify({ type, content } satisfies ChatMessage));
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([TEXT_FRAME, length]), payload]);
  if (length < 65_536) {
    const head = Buffer.from([TEXT_FRAME, 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return Buffer.concat([head, payload]);
  }
  const head = Buffer.alloc(10);
  head[0] = TEXT_FRAME;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** What a client may send. */
type FromClient = { type: "CHAT"; line: WebLine } | { type: "PING" | "PONG" };

/**
 * Makes what reads the messages that clients may send; undefined when a text is none of them, or a line of which nothing
 * could be seen.
 */
export function createMessageReader(maxContent: number): (json: string) => FromClient | undefined {
  const { CHAT, PING, PONG } = clientMessages(maxContent);
  const guard = tagged("type", {
    CHAT: object({ content: CHAT }),
    PING: object({ content: PING }),
    PONG: object({ content: PONG }),
  });
  return json => {
    const message = checkJson(guard, json);
    if ("fault" in message) return undefined;
    const { value } = message;
    if (value.type !== "CHAT") return value;
    const line = webLine(value.content, maxContent);
    return line && { type: "CHAT", line };
  };
}
