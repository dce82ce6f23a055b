import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { reasonOf } from "../../../cli/errno.ts";
import type { Result } from "../../../shared/result.ts";
import type { WebFile } from "./web-files.ts";

const MAX_LOGO_BYTES = 128 * 1024;

/** Kinds of images: the file extension, and a check of the first bytes. */
const KINDS: [ending: string, begins: (bytes: Buffer) => boolean][] = [
  ["png", bytes => bytes.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n"],
  ["jpg", bytes => bytes.toString("latin1", 0, 3) === "\xff\xd8\xff"],
  ["webp", bytes => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"],
  ["svg", bytes => isSvg(bytes.toString("utf8"))],
];

const isSvg = (text: string): boolean =>
  /^\uFEFF?\s*<(\?xml|!--|!DOCTYPE\s+svg|svg)\b/i.test(text) && /<svg[\s>]/.test(text);

/**
 * The owner's logo as a file of the web console, with a hash of its content in the name; undefined for a blank path. A fault says what
 * is wrong with the file of `modules.web.logo`.
 * @param path absolute
 */
export function readLogo(path: string): Result<WebFile | undefined> {
  if (path === "") return { value: undefined };
  const wrong = (what: string) => ({ fault: `modules.web.logo: ${path}: ${what}` });
  try {
    const about = statSync(path);
    if (!about.isFile()) return wrong("expected a file");
    if (about.size > MAX_LOGO_BYTES)
      return wrong(`expected at most ${MAX_LOGO_BYTES} bytes, found ${about.size}`);
    const content = readFileSync(path);
    const kind = KINDS.find(([, begins]) => begins(content));
    if (!kind) return wrong("expected an image in SVG, PNG, WebP or JPEG");
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
    return { value: { path: `assets/logo.${hash}.${kind[0]}`, content } };
  } catch (error) {
    return wrong(`cannot be read: ${reasonOf(error)}`);
  }
}
