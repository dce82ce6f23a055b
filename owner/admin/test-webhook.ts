import type { FeedEvent } from "../../shared/public/events.ts";
import type { StoredEventType } from "../../shared/public/words.ts";
import type { Webhook } from "../../sidecar/config/webhooks.ts";
import { createSender, isAccepted, requestedWaitMs } from "../../sidecar/features/webhooks/sender.ts";
import { idOf } from "../../sidecar/kernel/storage/stream-ids.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";

/** The result of an attempt. */
export interface Attempt {
  event: StoredEventType;
  outcome: "accepted" | "rejected" | "asked to wait" | "no answer";
  /** the status, or why there was no response */
  reason: string;
  /** duration in milliseconds */
  ms: number;
  /** the beginning of a rejecting response, without secrets */
  answer?: string;
}

interface TestDeps {
  clock: Clock;
  report(attempt: Attempt): void;
  wait(ms: number): Promise<void>;
}

/** Longest wait that a receiver may request, in milliseconds, and how often for one event. */
const MAX_WAIT_MS = 30_000;
const MAX_WAITS = 3;
/** Longest answer that is printed, in characters. */
const MAX_ANSWER_LENGTH = 200;
/** Shorter parts of an address are no secrets. */
const MIN_SECRET = 8;

const PLAYER = { name: "WebhookTest", uuid: "00000000-0000-4000-8000-000000000000" };
const TEXT = "this is a test of the webhook";

/** One of each event, in the order of a visit. */
const SAMPLES: ((at: number) => FeedEvent)[] = [
  at => ({ event: "server", at, state: "online" }),
  at => ({ event: "join", at, player: PLAYER }),
  at => ({ event: "chat", at, from: "game", content: `§§<${PLAYER.name}> §§${TEXT}`, player: PLAYER }),
  at => ({ event: "chat", at, from: "web", content: TEXT, label: null }),
  at => ({ event: "death", at, player: PLAYER }),
  at => ({ event: "leave", at, player: PLAYER }),
];

/**
 * Sends one of each event that a webhook subscribes to, as the sidecar would, and reports each
 * attempt. Ends at the first one without a response.
 * @returns how many were sent, and how many of them were accepted
 */
export async function testWebhook(
  hook: Webhook,
  { clock, report, wait }: TestDeps,
): Promise<{ sent: number; accepted: number }> {
  let answer = "";
  const sender = createSender(hook, clock, bytes => {
    answer = bytes.toString();
  });
  const never = new AbortController().signal;
  const epoch = clock.now();
  let [sent, accepted] = [0, 0];

  /** Whether there was a response. */
  async function attempt(id: string, event: FeedEvent, waits = 0): Promise<boolean> {
    const begin = clock.monotonic();
    answer = "";
    const { body, headers } = sender.format.next([{ id, event }], false, clock.now());
    const response = await sender.post(body, headers, never);
    const about = {
      event: event.event,
      reason: sender.describeAttempt(response),
      ms: Math.round(clock.monotonic() - begin),
    };
    if (isAccepted(response)) {
      accepted++;
      report({ ...about, outcome: "accepted" });
      return true;
    }
    const requestedMs = requestedWaitMs(response);
    if (requestedMs !== undefined && requestedMs <= MAX_WAIT_MS && waits < MAX_WAITS) {
      report({ ...about, outcome: "asked to wait" });
      await wait(requestedMs);
      return attempt(id, event, waits + 1);
    }
    const excerpt = harmless(answer, hook);
    if ("status" in response)
      report({ ...about, outcome: "rejected", ...(excerpt !== "" && { answer: excerpt }) });
    else report({ ...about, outcome: "no answer" });
    return "status" in response;
  }

  for (const make of SAMPLES) {
    const event = make(clock.now());
    if (!hook.events.includes(event.event)) continue;
    sent++;
    if (!(await attempt(idOf(epoch, sent), event))) break;
  }
  sender.close();
  return { sent, accepted };
}

/** How many events a test of a webhook sends. */
export const samplesFor = ({ events }: Pick<Webhook, "events">): number =>
  SAMPLES.filter(make => events.includes(make(0).event)).length;

/** A response on one line, without secrets of the address that the receiver may have quoted. */
function harmless(answer: string, { url, secret }: Webhook): string {
  const { pathname, searchParams } = new URL(url);
  const parts = [...pathname.split("/"), ...searchParams.values(), secret ?? ""];
  const secrets = parts.filter(part => part.length >= MIN_SECRET);
  const bare = secrets.reduce((text, part) => text.replaceAll(part, "***"), answer);
  const line = bare.replace(/\s+/g, " ").trim();
  return line.length > MAX_ANSWER_LENGTH ? `${line.slice(0, MAX_ANSWER_LENGTH)}...` : line;
}
