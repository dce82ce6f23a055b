/** Headers of every public answer, whichever way it is sent. One that may be kept says so in a `Cache-Control` of its own. */
export const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  Vary: "Origin",
} as const;

/** How long a connection stays open for its next request: above the usual 60 s of proxies, so that the proxy closes it. */
export const KEEP_ALIVE_MS = 65_000;

/** The header that says in how many seconds to try again. */
export const retryAfter = (seconds: number): { "Retry-After": string } => ({
  "Retry-After": String(seconds),
});

/** The header that names the methods of a path: those that it has a handler for, and what follows from them. */
export function allow(handled: { get?: unknown; post?: unknown; delete?: unknown }): { Allow: string } {
  const methods = [
    ...(handled.get ? ["GET", "HEAD"] : []),
    ...(handled.post ? ["POST"] : []),
    ...(handled.delete ? ["DELETE"] : []),
    "OPTIONS",
  ];
  return { Allow: methods.join(", ") };
}
