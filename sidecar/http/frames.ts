import type { ChatMessage, MessageType } from "../../client/types.ts";

const TEXT_FRAME = 0x81;

/**
 * A message as the bytes of one unfragmented, unmasked WebSocket text frame (RFC 6455, section 5.2). Made once, it
 * is written to any number of sockets.
 */
export function messageFrame(type: MessageType, content: string): Buffer {
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

/** What a client may ask for; undefined when the text is not a message that clients may send. */
export function readMessage(
  text: string,
  maxContent: number,
): { type: "CHAT"; content: string } | { type: "PING" } | { type: "PONG" } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { type, content } = value as Record<string, unknown>;
  if (type === "PING" || type === "PONG") return { type };
  if (type !== "CHAT" || typeof content !== "string" || content.length > maxContent) return undefined;
  return { type, content };
}
