/** Headers of every public answer. One that may be cached has its own `Cache-Control`. */
export const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  Vary: "Origin",
} as const;

/** How long a connection stays open for its next request: above the usual 60 s of proxies, so that the proxy closes it. */
export const KEEP_ALIVE_MS = 65_000;

export const retryAfter = (seconds: number): { "Retry-After": string } => ({
  "Retry-After": String(seconds),
});

/** The `Allow` header of a path with these handlers. */
export function allow(handled: { get?: unknown; post?: unknown; delete?: unknown }): { Allow: string } {
  const methods = [
    ...(handled.get ? ["GET", "HEAD"] : []),
    ...(handled.post ? ["POST"] : []),
    ...(handled.delete ? ["DELETE"] : []),
    "OPTIONS",
  ];
  return { Allow: methods.join(", ") };
}
