import type { IncomingMessage } from "node:http";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { perMinute } from "../../platform/rate.ts";
import { pathForLog, printable, throttledLog } from "../../platform/throttled-log.ts";
import { clientAddress, type Trust } from "./client-address.ts";
import { comparedWith, ownHost } from "./origin.ts";

type RefusalCode = "host_not_allowed" | "origin_not_allowed";

/** Logs a request that is refused for its host or its origin, with what that was compared with. */
export type RefusedRequestLog = (req: IncomingMessage, code: RefusalCode) => void;
export function createRefusedRequestLog(
  { clock, log, ownerLog }: { clock: Clock; log: Log; ownerLog: Log },
  trust: Trust,
): RefusedRequestLog {
  const rarely = throttledLog(ownerLog, clock, perMinute(1));
  return (req, code) => {
    if (code === "host_not_allowed") {
      const fields = { host: printable(ownHost(req, trust)), address: printable(clientAddress(req, trust)) };
      rarely.warn(fields, "refused a request for a host that is not in modules.api.hosts");
      return;
    }
    const fields = { origin: printable(req.headers.origin), own: printable(comparedWith(req, trust)) };
    log.warn({ ...fields, path: pathForLog(req.url) }, "refused a request of an origin that is not listed");
  };
}
