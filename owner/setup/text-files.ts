import { relative } from "node:path";
import { type Fault, isFault } from "../../bds/fault.ts";
import { sameBytes } from "../../bds/files.ts";
import { type DecodedText, decodeText, encodeText } from "../../bds/text-encoding.ts";
import { type Change, type Kind, Refusal } from "./change.ts";
import type { Disk } from "./disk.ts";

/** A text file before a change. */
export interface TextFile {
  path: string;
  bytes: Uint8Array | undefined;
  text: string | undefined;
  encoding: DecodedText["encoding"];
}

/** Reads a text file through links. Throws `Refusal` when it is no text. */
export function readText(path: string, disk: Disk): TextFile {
  const real = disk.realPath(path);
  const bytes = disk.read(real);
  if (bytes === undefined) return { path: real, bytes, text: undefined, encoding: "utf8" };
  const decoded = decodeText(bytes);
  if (isFault(decoded)) throw new Refusal(`${path}: ${decoded.fault}`);
  return { path: real, bytes, ...decoded };
}

/** The change of a file's text; none when it is the same. Throws `Refusal` for a fault. */
export function changeText(
  file: TextFile,
  edited: { text: string } | Fault,
  kind: Kind,
  disk: Disk,
  mode = 0o644,
): Change[] {
  if (isFault(edited)) throw new Refusal(`${file.path}: ${edited.fault}: fix that, then run setup again`);
  const after = encodeText({ text: edited.text, encoding: file.encoding });
  return sameBytes(file.bytes, after) ? [] : [changeBytes(file.path, kind, file.bytes, after, disk, mode)];
}

/** A change that keeps the file's permission bits. */
export const changeBytes = (
  path: string,
  kind: Kind,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  disk: Disk,
  mode = 0o644,
): Change => ({ path, kind, before, after, mode: disk.modeOf(path) ?? mode });

/** A path for people: relative to the server's folder. */
export function displayPath(root: string, path: string): string {
  const from = relative(root, path);
  return from.startsWith("..") ? path : from;
}
