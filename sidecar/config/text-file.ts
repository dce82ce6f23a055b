import { closeSync, openSync, readSync } from "node:fs";
import type { Result } from "../../shared/result.ts";

/** Largest configuration, in bytes: many times the size of one with every key and its comment. */
const MAX_BYTES = 1024 * 1024;

/** The content of a file or a pipe; undefined: it is larger than a configuration. */
export function bytesOf(path: string): Uint8Array | undefined {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(MAX_BYTES + 1);
    for (let length = 0; length < bytes.length; ) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

const SAVE = "save it as UTF-8";

/** The text of a file, without a byte order mark. */
export function textIn(bytes: Uint8Array): Result<string> {
  const isUtf16 = [0xfeff, 0xfffe].includes((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0));
  if (isUtf16) return { fault: `it is saved as UTF-16: ${SAVE}` };
  if (bytes.includes(0)) return { fault: "it is not a text file: it contains zero bytes" };
  try {
    return { value: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const [before = ""] = new TextDecoder().decode(bytes).split("\ufffd", 1);
    return { fault: `line ${before.split("\n").length} is not UTF-8: ${SAVE}` };
  }
}
