/**
 * Headers of a page: it may load only the service's own files and what `more` allows, and only pages of these origins may frame it.
 */
export const pagePolicy = (
  frameOrigins: readonly string[],
  more: readonly string[] = [],
): Record<string, string> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
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
