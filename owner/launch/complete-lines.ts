import { Buffer } from "node:buffer";

const LF = 0x0a;

/** Longest line that is held until its end comes, in bytes. A longer one is passed on in parts. */
const MAX_HELD = 64 * 1024;

/**
 * Holds bytes back until their line is complete, so that a command typed in between stands on a line of its own.
 * @returns takes bytes in chunks of any length, and returns those to send now
 */
export function createCompleteLines(): (bytes: Uint8Array) => Uint8Array {
  let held: Uint8Array[] = [];
  let length = 0;
  return bytes => {
    const end = bytes.lastIndexOf(LF) + 1;
    const isFull = length + bytes.length - end > MAX_HELD;
    const cut = isFull ? bytes.length : end;
    const ready = cut === 0 ? [] : [...held, bytes.subarray(0, cut)];
    if (cut > 0) [held, length] = [[], 0];
    const rest = bytes.subarray(cut);
    if (rest.length > 0) held.push(Buffer.from(rest));
    length += rest.length;
    return Buffer.concat(ready);
  };
}
