import { MAX_BODY_BYTES, MAX_REQUESTS_IN_FLIGHT } from "../../shared/limits.ts";
import type { Result } from "../../shared/result.ts";
import { byteSize } from "../encode.ts";
import { errorName } from "../notices.ts";
import type { Answer, Bridge, Clock, Endpoint } from "../ports.ts";

/** How long after its timeout a request that was never settled is given up, in milliseconds. */
const GRACE_MS = 10_000;

// After a long freeze the answers that came meanwhile get this many ticks to be delivered.
const GRACE_TICKS = 20;

type Done = (reply: Result<Answer>) => void;

interface Open {
  until: number;
  untilTick: number;
  readonly done: Done;
}

const failed = (fault: string): Result<Answer> => ({ fault });

/** What an answer holds now. It is an object of the game, which may not be readable. */
function readAnswer(answer: Answer): Result<Answer> {
  try {
    const { status, body } = answer;
    return { value: { status, body } };
  } catch (error) {
    return failed(errorName(error));
  }
}

/** Bytes that a UTF-16 code unit takes in UTF-8 at most. */
const BYTES_PER_UNIT = 3;

export type Requests = ReturnType<typeof createRequests>;

/** Requests in flight, never more than the limit. */
export function createRequests(clock: Clock, bridge: Pick<Bridge, "cancelAll">) {
  const open = new Set<Open>();
  let lookedAt = 0;
  // None is open for too long before this wall time.
  let lateAt = Infinity;

  // Not a part of the request, which it would have to hold: the engine counts references, and leaves circles for later.
  function end(request: Open, reply: Result<Answer>): void {
    if (open.delete(request)) request.done(reply);
  }

  return {
    /**
     * Sends a body. `done` is called once, at once when the request cannot be sent at all; a fault is the name of what
     * went wrong.
     */
    post(endpoint: Endpoint, path: string, body: string, timeoutSeconds: number, done: Done) {
      if (open.size >= MAX_REQUESTS_IN_FLIGHT) return done(failed("TooManyRequests"));
      // Only what could be too long is counted.
      if (body.length * BYTES_PER_UNIT > MAX_BODY_BYTES && byteSize(body) > MAX_BODY_BYTES)
        return done(failed("BodyTooLarge"));
      const until = clock.now() + timeoutSeconds * 1000 + GRACE_MS;
      const request: Open = { until, untilTick: clock.tick() + GRACE_TICKS, done };
      open.add(request);
      lateAt = Math.min(lateAt, until);
      try {
        endpoint.post(path, body, timeoutSeconds).then(
          answer => end(request, readAnswer(answer)),
          error => end(request, { fault: errorName(error) }),
        );
      } catch (error) {
        end(request, { fault: errorName(error) });
      }
    },
    /** Gives up what has been open for too long at wall time `now`. To be called every tick. */
    step(now: number) {
      const setBack = lookedAt - now;
      lookedAt = now;
      // A clock that was set back must not make requests last longer.
      if (setBack > 0) {
        for (const request of open) request.until -= setBack;
        lateAt -= setBack;
      }
      if (now < lateAt) return;
      const tick = clock.tick();
      const late: Open[] = [];
      lateAt = Infinity;
      for (const request of open)
        if (now >= request.until && tick >= request.untilTick) late.push(request);
        else lateAt = Math.min(lateAt, request.until);
      if (late.length === 0) return;
      // Ends the late ones for the game too, so that they do not take up its own limit.
      bridge.cancelAll();
      for (const request of late) end(request, failed("NoAnswer"));
    },
    inFlight: () => open.size,
  };
}
