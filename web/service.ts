import { createClient } from "../client/index.ts";

// What a cache holds may be an interval old; asking whether it has changed costs next to nothing.
export const client = createClient({ fetch: (url, init) => fetch(url, { ...init, cache: "no-cache" }) });
