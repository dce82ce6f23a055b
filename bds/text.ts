import { Buffer } from "node:buffer";
import type { Fault } from "./fault.ts";

/** A text and the encoding that gives its bytes back. A byte order mark stays in the text. */
export interface Decoded {
  text: string;
  encoding: "utf8" | "latin1";
}

/** Decodes a settings file: UTF-8, or one byte a character where it is none, as old Windows editors write. */
export function decodeText(bytes: Uint8Array): Decoded | Fault {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { fault: "it is saved as UTF-16: save it as UTF-8" };
  if (bytes.includes(0)) return { fault: "it holds zero bytes, as no text does" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encoding: "utf8" };
  } catch {
    return { text: Buffer.from(bytes).toString("latin1"), encoding: "latin1" };
  }
}

/** The bytes of a text. Characters that Latin-1 does not have may only be given with UTF-8. */
export const encodeText = ({ text, encoding }: Decoded): Uint8Array => Buffer.from(text, encoding);

/** How many spaces and tabs a text begins or ends with. */
export function blanksAt(text: string, side: "start" | "end"): number {
  let count = 0;
  while (count < text.length && /[ \t]/.test(text.charAt(side === "start" ? count : text.length - 1 - count)))
    count++;
  return count;
}

/** The line end that a text uses first, `\n` when it has none. */
export const lineEndOf = (text: string): "\n" | "\r\n" =>
  /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
