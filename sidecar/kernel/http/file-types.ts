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

/** The media type of a file, by the ending of its path; JSON for one that is not known. */
export const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf("."))] ?? "application/json; charset=utf-8";
