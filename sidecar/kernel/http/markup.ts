import { createHash } from "node:crypto";

/** Markup that is inserted unchanged. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values in a template: texts and numbers are escaped, markup is not; undefined and false are omitted. */
export type TemplateValue = string | number | Markup | undefined | false | readonly TemplateValue[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text escaped for HTML or XML content, or for a quoted attribute. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => ENTITIES[sign] ?? "");

function written(value: TemplateValue): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Markup) return value.text;
  return typeof value === "object" ? value.map(written).join("") : escaped(`${value}`);
}

/** Markup with escaped values, which keeps texts of owners and requests from becoming markup. */
export const markup = (strings: TemplateStringsArray, ...values: TemplateValue[]): Markup =>
  new Markup(strings.map((text, at) => text + written(values[at])).join(""));
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".webmanifest": "application/manifest+json; charset=utf-8",
};

/** The media type of a file by its extension; JSON by default. */
export const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf("."))] ?? "application/json; charset=utf-8";
/** What `script-src` needs to allow the inline scripts of a built page, and no others. */
export const inlineScripts = (built: string): readonly string[] =>
  [...built.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );

/**
 * Headers of a page: it can load only the service's own files and what `more` allows, and only pages of these origins can frame it.
 * @param scripts sources of scripts besides the service's files
 */
export const pagePolicy = (
  frameOrigins: readonly string[],
  more: readonly string[] = [],
  scripts: readonly string[] = [],
): Record<string, string> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(" "),
    "style-src 'self'",
    "img-src 'self'",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(" ")}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
});
