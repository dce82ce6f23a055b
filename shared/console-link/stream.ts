import type { Frame } from "./frames.ts";

/** Messages in one direction and the acknowledgements of the other. Times are in the unit of the caller, such as ticks. */
export interface StreamTimes {
  /** how long a frame may stay without an acknowledgement before it is sent again, and twice that from then on */
  resend: number;
  /** how long an acknowledgement may wait for a frame that carries it */
  ack: number;
}

interface StreamOptions {
  times: StreamTimes;
  /** longest text of a part */
  maxPayload: number;
  /** parts that are sent without an acknowledgement */
  window: number;
}

/** A frame that is not acknowledged yet. */
interface SentFrame {
  readonly frame: Frame;
  /** when it was sent last */
  at: number;
  /** how long it waits for its acknowledgement from then on */
  wait: number;
}

/** Parts that are acknowledged at once, before the other end has to wait. */
const MAX_OWED = 4;

/** Parts ahead of a missing one that are kept. */
const MAX_AHEAD = 64;

export type Stream = ReturnType<typeof createStream>;

/**
 * One end of a channel that delivers every message once and in order, over a line that may lose, repeat, delay or damage frames.
 * A damaged frame counts as lost.
 */
export function createStream({ times, maxPayload, window }: StreamOptions) {
  const waiting: string[] = [];
  /** how much of the first waiting message has been sent */
  let offset = 0;
  let sent: SentFrame[] = [];
  let lastSeq = 0;
  /** time of the last progress: a first frame, or an acknowledgement of one */
  let movedAt = 0;

  let received = 0;
  let ackedSeq = 0;
  /** time since which an acknowledgement waits; undefined: none does */
  let owedSince: number | undefined;
  let isAckUrgent = false;
  const ahead = new Map<number, Frame>();
  let parts: string[] = [];

  function takeAck(ack: number, now: number): void {
    const left = sent.filter(({ frame }) => frame.seq > ack);
    if (left.length === sent.length) return;
    sent = left;
    movedAt = now;
    for (const each of left) each.wait = times.resend;
  }

  function nextPart(): Frame | undefined {
    const message = waiting[0];
    if (message === undefined || sent.length >= window) return undefined;
    const payload = message.slice(offset, offset + maxPayload);
    offset += payload.length;
    const isLast = offset >= message.length;
    if (isLast) {
      waiting.shift();
      offset = 0;
    }
    lastSeq++;
    return { seq: lastSeq, ack: received, isLast, payload };
  }

  /** The frame with the newest acknowledgement. */
  function withAck(frame: Frame): Frame {
    owedSince = undefined;
    isAckUrgent = false;
    ackedSeq = received;
    return frame.ack === received ? frame : { ...frame, ack: received };
  }

  return {
    /** Queues a message. */
    send(message: string) {
      waiting.push(message);
    },
    /** Takes a frame of the other end. Returns the messages that are complete now, in order. */
    receive(frame: Frame, now: number): string[] {
      takeAck(frame.ack, now);
      if (frame.seq === 0) return [];
      owedSince ??= now;
      // The other end has not got the last acknowledgement.
      if (frame.seq <= ackedSeq) isAckUrgent = true;
      if (frame.seq > received && frame.seq <= received + MAX_AHEAD) ahead.set(frame.seq, frame);
      const messages: string[] = [];
      for (let next = ahead.get(received + 1); next !== undefined; next = ahead.get(received + 1)) {
        received++;
        ahead.delete(received);
        parts.push(next.payload);
        if (!next.isLast) continue;
        messages.push(parts.join(""));
        parts = [];
      }
      if (received - ackedSeq >= MAX_OWED) isAckUrgent = true;
      return messages;
    },
    /** The next frame to send at this time; undefined: none is due. To be called until it returns none, or as often as fits. */
    next(now: number): Frame | undefined {
      const late = sent.find(({ at, wait }) => now - at >= wait);
      if (late !== undefined) {
        late.at = now;
        late.wait = 2 * times.resend;
        return withAck(late.frame);
      }
      const part = nextPart();
      if (part !== undefined) {
        if (sent.length === 0) movedAt = now;
        sent.push({ frame: part, at: now, wait: times.resend });
        return withAck(part);
      }
      if (owedSince === undefined || (!isAckUrgent && now - owedSince < times.ack)) return undefined;
      return withAck({ seq: 0, ack: received, isLast: true, payload: "" });
    },
    /** Whether nothing is to be sent, now or later. */
    isIdle: (): boolean => sent.length === 0 && waiting.length === 0 && owedSince === undefined,
    /** How long the other end has not acknowledged what was sent to it; 0: nothing is unacknowledged. */
    stuckFor: (now: number): number => (sent.length === 0 ? 0 : now - movedAt),
  };
}
