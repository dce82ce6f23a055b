import type { Task } from "../../../shared/console-link/messages.ts";
import type { Result } from "../../../shared/result.ts";
import type { Clock } from "../../../sidecar/platform/clock.ts";
import { type AnswerReader, createAnswerReader } from "./allowlist-answer.ts";
import type { GameLine } from "./game-lines.ts";

/** How long the game may take to answer `allowlist list`, in milliseconds. */
const ANSWER_MS = 5_000;

/** How long its answer is still not shown after that, in milliseconds: the game may have hung. */
const LATE_MS = 115_000;

const TIMEOUT = { fault: "Timeout" };

/** Takes an answer that nobody waits for any more. */
const hide = (): void => undefined;

/** The command of an owner who wants to see the list. */
const LIST = /^\s*\/?(?:allowlist|whitelist)\s+list\s*$/;

interface TasksDeps {
  clock: Pick<Clock, "after">;
  /** Types a line on the game's console. */
  type(line: string): void;
}

interface AwaitedAnswer {
  reader: AnswerReader;
  cancel(): void;
  /** undefined: the owner has asked */
  settle: ((names: Result<string[]>) => void) | undefined;
}

/** Does tasks of the pack with commands on the game's console. */
export function createConsoleTasks({ clock, type }: TasksDeps) {
  /** answers to `allowlist list` that have not arrived, in the order of the commands */
  const awaited: AwaitedAnswer[] = [];

  function awaitAnswer(settle: AwaitedAnswer["settle"]): void {
    const answer: AwaitedAnswer = {
      reader: createAnswerReader(),
      cancel: clock.after(ANSWER_MS, () => {
        answer.settle = settle && hide;
        answer.cancel = clock.after(LATE_MS, () => end(answer, TIMEOUT));
        settle?.(TIMEOUT);
      }),
      settle,
    };
    awaited.push(answer);
  }

  function end(answer: AwaitedAnswer, names: Result<string[]>): void {
    answer.cancel();
    awaited.splice(awaited.indexOf(answer), 1);
    answer.settle?.(names);
  }

  function list(settle: (names: Result<string[]>) => void): void {
    awaitAnswer(settle);
    type("allowlist list\n");
  }

  function run(task: Task, done: (result: Result<unknown>) => void): void {
    if (task.do !== "allowlist" && !isTypable(task.name)) done({ fault: "NameNotTypable" });
    else if (task.do === "allowlist") list(done);
    else if (task.do === "listed")
      list(names => done("fault" in names ? names : { value: names.value.includes(task.name) }));
    else {
      type(`${commandOf(task)}\n`);
      done({ value: true });
    }
  }

  return {
    /** Does a task. `done` gets its result, once, or the name of an error. */
    run,
    /** Takes the complete lines that the owner types, which reach the game in this order. */
    typed(lines: string) {
      for (const line of lines.split("\n")) if (LIST.test(line)) awaitAnswer(undefined);
    },
    /** Takes a line of the game. Returns true if it is part of an answer that the owner has not asked for. */
    take(line: GameLine): boolean {
      const [answer] = awaited;
      if (answer === undefined || line.by !== "game") return false;
      const read = answer.reader.take(line);
      if (read === undefined) return false;
      if (read.names !== undefined) end(answer, read.names);
      return answer.settle !== undefined;
    },
    /** Whether an unfinished line may be part of such an answer. */
    isAwaiting(): boolean {
      const settle = awaited[0]?.settle;
      return settle !== undefined && settle !== hide;
    },
    stop() {
      for (const answer of [...awaited]) end(answer, { fault: "Stopped" });
    },
  };
}

/** The command of a task that changes something. */
function commandOf(task: Exclude<Task, { do: "allowlist" | "listed" }>): string {
  if (task.do === "allowlist-add") return `allowlist add "${task.name}"`;
  if (task.do === "allowlist-remove") return `allowlist remove "${task.name}"`;
  return `kick "${task.name}" ${typableReason(task.reason ?? "")}`.trimEnd();
}

/** Characters that could end a text in quotes, or its line. */
const UNSAFE = /["\\\p{Cc}\u2028\u2029]/u;

/** Whether a name may be typed in quotes. A name with a leading `@` would be a selector. */
const isTypable = (name: string): boolean => !name.startsWith("@") && !UNSAFE.test(name);

/** The reason as one line, without selectors: the game would put names, or kick more players, instead of an `@e`. */
const typableReason = (reason: string): string =>
  reason
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("@", "\uFF20")
    .trim();
