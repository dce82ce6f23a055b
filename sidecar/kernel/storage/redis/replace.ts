import type { Turn } from "../ports.ts";
import { untilAgreed } from "./agree.ts";
import type { Connection } from "./connection.ts";
import replace from "./lua/replace.lua";
import { maybeText, textOf } from "./reply.ts";
import { script } from "./script.ts";

// What is kept like this has bounds, or ends soon: what the game tells goes on in a Redis that is full.
const REPLACE = script(replace, { isFenced: true, mayOverfill: true });

interface Decided<T> {
  /** blank: nothing is stored */
  text: string;
  /** how long it is stored, in milliseconds; for good where none is given */
  forMs?: number;
  answer: T;
}

/**
 * Changes the text of a key, blank where there is none: `decide` may be called more than once. `tell` names a stream and a
 * kind under which everybody is told of the new text; `told` gets its place there.
 */
export async function replaceText<T>(
  redis: Connection,
  key: string,
  decide: (stored: string) => Decided<T>,
  turn: Turn | undefined,
  tell?: { stream: string; kind: string; told(place: string): void },
): Promise<T> {
  let stored = maybeText(await redis.ask("GET", redis.key(key))) ?? "";
  return untilAgreed(key, async () => {
    const { text, forMs, answer } = decide(stored);
    if (text === stored && forMs === undefined && !tell) return { answer };
    const keys = tell ? [key, tell.stream] : [key];
    const reply = await redis.run(REPLACE, keys, [stored, text, forMs ?? "", tell?.kind ?? ""], turn);
    if (typeof reply === "string") tell?.told(reply);
    if (!Array.isArray(reply)) return { answer };
    stored = textOf(reply[0]);
    return undefined;
  });
}
