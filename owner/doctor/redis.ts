import type { Verdict } from "./finding.ts";
import type { CheckedSidecar } from "./target.ts";

/** Checks the Redis of the configuration, where there is one in it. With one sidecar alone none of that is loaded. */
export const checkRedis = async (sidecar: CheckedSidecar): Promise<Verdict[]> =>
  sidecar.config.storage.kind === "redis" ? (await import("./redis-checks.ts")).checkRedis(sidecar) : [];
