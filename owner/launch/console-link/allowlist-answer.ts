import { orElse } from "../../../cli/errno.ts";
import { isObject } from "../../../shared/guard.ts";
import type { Result } from "../../../shared/result.ts";
import type { GameLine } from "./game-lines.ts";

// The answer of another command may have the same form.
const START = /^(?:###\* ?)?\{(?!"command":"(?!allowlist"|whitelist"))/;
const END = "*###";

/** Longest answer, in characters: 100,000 names. */
const MAX_LENGTH = 16_000_000;

export type AnswerReader = ReturnType<typeof createAnswerReader>;

/** Reads the answer to `allowlist list`: JSON in one line or several, which some versions put between `###*` and `*###`. */
export function createAnswerReader() {
  let text = "";

  function names(): Result<string[]> | undefined {
    if (text.length > MAX_LENGTH) return { fault: "AnswerTooLong" };
    const isMarked = text.startsWith("###*");
    if (!text.endsWith(isMarked ? END : "}")) return undefined;
    const json = isMarked ? text.slice("###*".length, -END.length) : text;
    const answer: unknown = orElse(() => JSON.parse(json), undefined);
    if (!isObject(answer)) return isMarked ? { fault: "AnswerNotReadable" } : undefined;
    const entries = Array.isArray(answer.result) ? answer.result : [];
    const all = entries.map(entry => (isObject(entry) ? entry.name : undefined));
    return { value: all.filter(name => typeof name === "string") };
  }

  return {
    /** Takes a line of the game. undefined: it is no part of the answer. `names`: the names on the list, once all lines are there. */
    take({ text: line, isFirst }: GameLine): { names: Result<string[]> | undefined } | undefined {
      // Lines of others begin with a time.
      const isPart = text === "" ? START.test(line) : !isFirst && line !== "";
      if (!isPart) return undefined;
      text += text === "" ? line : `\n${line}`;
      return { names: names() };
    },
  };
}
