import type { Verdict } from "./finding.ts";
import type { CheckedSidecar } from "./target.ts";

/** Checks the Redis of the configuration. Its code is loaded when it is needed. */
export const checkRedis = async (sidecar: CheckedSidecar): Promise<Verdict[]> =>
  sidecar.config.storage.kind === "redis" ? (await import("./redis-checks.ts")).checkRedis(sidecar) : [];
