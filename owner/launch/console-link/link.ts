import { Buffer } from "node:buffer";
import {
  COMMAND,
  frameWord,
  keyOf,
  keyOfLine,
  keyWord,
  MAX_WORD_PAYLOAD,
  readAsk,
  readFrameLine,
} from "../../../shared/console-link/frames.ts";
import {
  type FromLaunch,
  type FromPack,
  readFromPack,
  writeFromLaunch,
} from "../../../shared/console-link/messages.ts";
import { createStream, type Stream, type StreamTimes } from "../../../shared/console-link/stream.ts";
import { dropOldest } from "../../../shared/drop-oldest.ts";
import type { Clock } from "../../../sidecar/platform/clock.ts";

/** In milliseconds. */
const TIMES: StreamTimes = { resend: 1_000, ack: 100 };

/**
 * Commands that are typed before the pack has acknowledged the first of them. How many the game takes in a tick is not known: so as
 * many are typed as it takes, and this is how long a message waits behind a long one where it takes one.
 */
const WINDOW = 8;

/**
 * How long the pack may acknowledge nothing before nothing more is typed for it, in milliseconds: its script has ended, or the game
 * hangs.
 */
const LOST_MS = 60_000;

/** How often to look whether something has to be sent again, in milliseconds. */
const LOOK_MS = 50;

/** Runs of the pack that have asked for a key and not used it yet. Other packs may print forged lines. */
const MAX_ASKING = 16;

/** Most answers to them in a second: the game may take few commands. */
const MAX_ANSWERS = 8;

/** Shortest time between two answers to the same pack, in milliseconds. */
const ANSWER_MS = 500;

/** Characters of a key, at either end, by which a line that was torn within it is recognised. */
const HALF_KEY = 11;

interface LinkDeps {
  clock: Pick<Clock, "monotonic" | "after">;
  /** 20 hexadecimal digits that cannot be guessed */
  random(): string;
  /** Types a line on the game's console. */
  type(line: string): void;
  /** A message of the pack. `reply` sends to the run of the pack that sent it. */
  received(message: FromPack, reply: (message: FromLaunch) => void): void;
}

export type ConsoleLink = ReturnType<typeof createConsoleLink>;

/** The end of the console link at `launch`: reads lines of the pack, and types commands for it. */
export function createConsoleLink({ clock, random, type, received }: LinkDeps) {
  /** keys by the ids of the packs that asked */
  const asking = new Map<string, { key: string; answeredAt: number }>();
  let current: { key: string; stream: Stream } | undefined;
  let earlierKey: string | undefined;
  let cancelLook: (() => void) | undefined;
  /** times of the last answers */
  let answered: number[] = [];

  function answer(id: string): void {
    const now = clock.monotonic();
    answered = answered.filter(at => now - at < 1_000);
    if (answered.length >= MAX_ANSWERS) return;
    const known = asking.get(id);
    if (known !== undefined && now - known.answeredAt < ANSWER_MS) return;
    answered.push(now);
    const key = known?.key ?? keyOf(random());
    asking.set(id, { key, answeredAt: now });
    dropOldest(asking, MAX_ASKING);
    type(`${COMMAND} ${keyWord(key, id)}\n`);
  }

  /** The session with this key. A key that the pack uses for the first time begins a new one. */
  function sessionOf(key: string): { key: string; stream: Stream } | undefined {
    if (current?.key === key) return current;
    const id = [...asking].find(([, each]) => each.key === key)?.[0];
    if (id === undefined) return undefined;
    asking.delete(id);
    earlierKey = current?.key;
    // The payload is a text with a character for each byte.
    current = { key, stream: createStream({ times: TIMES, maxPayload: MAX_WORD_PAYLOAD, window: WINDOW }) };
    return current;
  }

  function flush(): void {
    if (current === undefined) return;
    const { key, stream } = current;
    const now = clock.monotonic();
    if (stream.stuckFor(now) > LOST_MS) return;
    for (let frame = stream.next(now); frame !== undefined; frame = stream.next(now)) {
      const encoded = Buffer.from(frame.payload, "latin1").toString("base64url");
      type(`${COMMAND} ${frameWord(key, frame, encoded)}\n`);
    }
    if (cancelLook !== undefined || stream.isIdle()) return;
    cancelLook = clock.after(LOOK_MS, () => {
      cancelLook = undefined;
      flush();
    });
  }

  function sendTo(session: { stream: Stream }, message: FromLaunch): void {
    // For a script that has ended, messages would pile up.
    if (session !== current || session.stream.stuckFor(clock.monotonic()) > LOST_MS) return;
    session.stream.send(Buffer.from(writeFromLaunch(message), "utf8").toString("latin1"));
    flush();
  }

  const isSecret = (text: string): boolean => {
    const keys = [current?.key, earlierKey, ...[...asking.values()].map(({ key }) => key)];
    return keys.some(
      key =>
        key !== undefined && (text.includes(key.slice(0, HALF_KEY)) || text.includes(key.slice(-HALF_KEY))),
    );
  };

  return {
    /** Takes a line that a script has printed. Returns true if it belongs to the link. */
    takeLine(line: string): boolean {
      const id = readAsk(line);
      if (id !== undefined) {
        answer(id);
        return true;
      }
      const key = keyOfLine(line);
      const session = key === undefined ? undefined : sessionOf(key);
      if (session === undefined) return false;
      const frame = readFrameLine(session.key, line);
      if (frame === undefined) return true;
      for (const text of session.stream.receive(frame, clock.monotonic())) {
        const message = readFromPack(text);
        if (message !== undefined) received(message, reply => sendTo(session, reply));
      }
      flush();
      return true;
    },
    /** Whether a text has a part of a key in it, and may not be shown. */
    isSecret,
    /** Sends a message to the pack that is running. */
    send(message: FromLaunch) {
      if (current !== undefined) sendTo(current, message);
    },
    /** Whether a pack has used its key. */
    isOpen: (): boolean => current !== undefined,
    stop() {
      current = undefined;
      asking.clear();
      cancelLook?.();
    },
  };
}
