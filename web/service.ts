import { createClient } from "../client/index.ts";

/** Address of the service, with a slash at its end: the page is served by it, maybe below a path. */
export const BASE = new URL(".", location.href).href;

// What a cache holds may be an interval old; asking whether it has changed costs next to nothing.
export const client = createClient({
  base: BASE,
  fetch: (url, init) => fetch(url, { ...init, cache: "no-cache" }),
});
