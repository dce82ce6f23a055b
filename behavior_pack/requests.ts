import { MAX_BODY_BYTES, MAX_REQUESTS_IN_FLIGHT } from "../shared/limits.ts";
import type { Result } from "../shared/result.ts";
import { byteSize } from "./encode.ts";
import { errorName } from "./notices.ts";
import type { Answer, Bridge, Clock, Endpoint } from "./ports.ts";

/** How long after its timeout a request that was never settled is given up, in milliseconds. */
const GRACE_MS = 10_000;

// After a long freeze the answers that came meanwhile get this many ticks to be delivered.
const GRACE_TICKS = 20;

interface Open {
  until: number;
  untilTick: number;
  end(reply: Result<Answer>): void;
}

const fail = (done: (reply: Result<Answer>) => void, fault: string): void => done({ fault });

export type Requests = ReturnType<typeof createRequests>;

/** Requests in flight, never more than the limit. */
export function createRequests(clock: Clock, bridge: Pick<Bridge, "cancelAll">) {
  const open = new Set<Open>();
  let lookedAt = 0;

  return {
    /**
     * Sends a body. `done` is called once, at once when the request cannot be sent at all; a fault is the name of what
     * went wrong.
     */
    post(
      endpoint: Endpoint,
      path: string,
      body: string,
      timeoutSeconds: number,
      done: (reply: Result<Answer>) => void,
    ) {
      if (open.size >= MAX_REQUESTS_IN_FLIGHT) return fail(done, "TooManyRequests");
      if (byteSize(body) > MAX_BODY_BYTES) return fail(done, "BodyTooLarge");
      const request: Open = {
        until: clock.now() + timeoutSeconds * 1000 + GRACE_MS,
        untilTick: clock.tick() + GRACE_TICKS,
        end(reply) {
          if (open.delete(request)) done(reply);
        },
      };
      open.add(request);
      try {
        endpoint.post(path, body, timeoutSeconds).then(
          answer => request.end({ value: answer }),
          error => fail(request.end, errorName(error)),
        );
      } catch (error) {
        fail(request.end, errorName(error));
      }
    },
    /** Gives up what has been open for too long. To be called every tick. */
    step() {
      const now = clock.now();
      const setBack = lookedAt - now;
      lookedAt = now;
      if (open.size === 0) return;
      // A clock that was set back must not make requests last longer.
      if (setBack > 0) for (const request of open) request.until -= setBack;
      const tick = clock.tick();
      const late: Open[] = [];
      for (const request of open) if (now >= request.until && tick >= request.untilTick) late.push(request);
      if (late.length === 0) return;
      // Ends the late ones for the game too, so that they do not take up its own limit.
      bridge.cancelAll();
      for (const request of late) fail(request.end, "NoAnswer");
    },
    inFlight: () => open.size,
  };
}
