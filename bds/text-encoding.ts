import { Buffer } from "node:buffer";
import type { Fault } from "./fault.ts";

/** A text and the encoding that gives its bytes back. A byte order mark stays in the text. */
export interface DecodedText {
  text: string;
  /** `mixed`: UTF-8 but for some lines, whose other bytes stand in the text as `plainText` reads them */
  encoding: "utf8" | "latin1" | "mixed";
}

/** Where the bytes begin that are no UTF-8: a half of a pair of characters, which UTF-8 cannot have. */
const ODD = 0xdc00;
const ODD_BYTES = /([\udc80-\udcff])/u;

/**
 * Decodes a settings file: UTF-8, or one byte a character where it is none, as old Windows editors write. Lines of that kind
 * beside others of UTF-8 are told apart.
 */
export function decodeText(bytes: Uint8Array): DecodedText | Fault {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { fault: "it is saved as UTF-16: save it as UTF-8" };
  if (bytes.includes(0)) return { fault: "it holds zero bytes, as no text does" };
  const whole = utf8In(bytes);
  if (whole !== undefined) return { text: whole, encoding: "utf8" };
  const old = Buffer.from(bytes).toString("latin1");
  const lines = old.split(/(?<=[\r\n])/).map(line => ({ line, text: utf8In(Buffer.from(line, "latin1")) }));
  // A line of ASCII alone is the same in both.
  if (lines.every(({ line, text }) => text === undefined || text === line))
    return { text: old, encoding: "latin1" };
  const text = lines.map(({ line, text }) => text ?? line.replace(/[\x80-\xff]/g, byte => moved(byte, ODD)));
  return { text: text.join(""), encoding: "mixed" };
}

function utf8In(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const moved = (char: string, by: number): string => String.fromCharCode(char.charCodeAt(0) + by);

/** Whether a line of a text of mixed encodings is one of those that are not UTF-8. */
export const isNotUtf8 = (line: string): boolean => ODD_BYTES.test(line);

/** A text of mixed encodings for people: lines that are not UTF-8 have one character a byte. */
export const plainText = (text: string): string =>
  text.replace(/[\udc80-\udcff]/gu, byte => moved(byte, -ODD));

/** The bytes of a text. Characters that Latin-1 does not have may only be given with the other encodings. */
export function encodeText({ text, encoding }: DecodedText): Uint8Array {
  if (encoding !== "mixed") return Buffer.from(text, encoding);
  const parts = text.split(ODD_BYTES);
  return Buffer.concat(
    parts.map(part => (isNotUtf8(part) ? Buffer.from(plainText(part), "latin1") : Buffer.from(part))),
  );
}

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
