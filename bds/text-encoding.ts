import { Buffer } from "node:buffer";
import type { Fault } from "./fault.ts";

/** A text, with the encoding in which it was stored. A byte order mark stays in the text. */
export interface DecodedText {
  text: string;
  /** `mixed`: UTF-8 with lines of Latin-1, whose bytes are code units from U+DC80 to U+DCFF */
  encoding: "utf8" | "latin1" | "mixed";
}

/** First code unit for bytes that are not UTF-8: half a surrogate pair, which UTF-8 cannot have. */
const ODD = 0xdc00;
const ODD_BYTES = /([\udc80-\udcff])/u;

/** Decodes a settings file: UTF-8, or Latin-1 as old Windows editors write it. A file may have lines of both. */
export function decodeText(bytes: Uint8Array): DecodedText | Fault {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { fault: "it is saved as UTF-16: save it as UTF-8" };
  if (bytes.includes(0)) return { fault: "it is not a text file: it contains zero bytes" };
  const whole = utf8In(bytes);
  if (whole !== undefined) return { text: whole, encoding: "utf8" };
  const old = Buffer.from(bytes).toString("latin1");
  const lines = old.split(/(?<=[\r\n])/).map(line => ({ line, text: utf8In(Buffer.from(line, "latin1")) }));
  // A line of ASCII is the same in both encodings.
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

/** Whether a line of a mixed text is not UTF-8. */
export const isNotUtf8 = (line: string): boolean => ODD_BYTES.test(line);

/** A mixed text for people: lines that are not UTF-8 as Latin-1. */
export const plainText = (text: string): string =>
  text.replace(/[\udc80-\udcff]/gu, byte => moved(byte, -ODD));

/** The bytes of a text. With `latin1` it may only have characters of Latin-1. */
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

/** The first line end of a text, `\n` when it has none. */
export const lineEndOf = (text: string): "\n" | "\r\n" =>
  /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
