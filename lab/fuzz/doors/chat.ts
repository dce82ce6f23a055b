import { damaged, oddCopy } from "../damage.ts";
import type { Dice } from "../dice.ts";
import type { Input, Target } from "../input.ts";
import { requestText } from "../request.ts";

const MESSAGES = [
  { type: "CHAT", content: "hello" },
  { type: "PING", content: "" },
  { type: "PONG" },
  { type: "VERIFICATION", content: "x" },
  { type: "CHAT", content: "§kx\u202e\ufe0f" },
] as const;
const TEXT = 0x1;
const OPCODES = [TEXT, TEXT, TEXT, TEXT, 0x0, 0x2, 0x3, 0x8, 0x9, 0xa, 0xf] as const;

/** A frame of a client by RFC 6455, section 5.2, under a mask of zeros. */
function frame(opcode: number, payload: Buffer, isFinal: boolean, isMasked: boolean): Buffer {
  const { length } = payload;
  const long = length > 125;
  const head = Buffer.alloc(2 + (long ? 8 : 0) + (isMasked ? 4 : 0));
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (long ? 127 : length);
  if (long) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** An upgrade of `/chat` with frames behind it, most of them messages. */
export function chatInput(dice: Dice, { cookie }: Target): Input {
  const upgrade = requestText("GET", "/chat", {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...(dice.happens(0.3) && { Cookie: cookie }),
    ...(dice.happens(0.1) && { "Sec-WebSocket-Protocol": "x" }),
    ...(dice.happens(0.2) && { "Sec-WebSocket-Extensions": "permessage-deflate" }),
  });
  const one = (): Buffer => {
    const sound = dice.pick(MESSAGES);
    const json = Buffer.from(JSON.stringify(dice.happens(0.4) ? sound : oddCopy(sound, dice)) ?? "");
    const payload = dice.happens(0.2) ? damaged(json, dice) : json;
    return frame(dice.pick(OPCODES), payload, dice.happens(0.9), dice.happens(0.98));
  };
  const frames = Buffer.concat(Array.from({ length: 1 + dice.below(6) }, one));
  const sent = dice.happens(0.15) ? damaged(frames, dice) : frames;
  if (dice.happens(0.1))
    return { door: "chat", kind: "damaged upgrade", pieces: [damaged(upgrade, dice), sent], isWhole: false };
  return { door: "chat", kind: "frames", pieces: [upgrade, sent], isWhole: true };
}
