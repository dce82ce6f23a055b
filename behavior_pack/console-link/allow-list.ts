import { allowlistNames } from "../../shared/console-link/messages.ts";
import { bool } from "../../shared/guard.ts";
import type { AllowList, Poll } from "../ports.ts";
import { begin, isDone, type RunTask } from "./tasks.ts";

/** Tasks that `launch` has at the same time. */
const MAX_RUNNING = 4;

/** The allowlist of the server, read and changed on its console. */
export function createConsoleAllowList(run: RunTask): AllowList {
  const waiting: (() => void)[] = [];
  let running = 0;
  let isStarting = false;

  function startNext(): void {
    // Without a link, a task fails at once: a loop instead of a call for each keeps the stack small.
    if (isStarting) return;
    isStarting = true;
    while (running < MAX_RUNNING) {
      const start = waiting.shift();
      if (start === undefined) break;
      running++;
      start();
    }
    isStarting = false;
  }

  const runInTurn: RunTask = (task, done) => {
    waiting.push(() =>
      run(task, result => {
        running--;
        done(result);
        startNext();
      }),
    );
    startNext();
  };

  const isListed = (name: string): Poll<boolean> => begin(runInTurn, { do: "listed", name }, bool);

  return {
    names: () => begin(runInTurn, { do: "allowlist" }, allowlistNames),
    count(name) {
      const listed = isListed(name);
      return () => {
        const answer = listed();
        return answer === undefined ? undefined : Number(answer);
      };
    },
    holds: isListed,
    lists: isListed,
    add: name => begin(runInTurn, { do: "allowlist-add", name }, isDone),
    remove: name => begin(runInTurn, { do: "allowlist-remove", name }, isDone),
  };
}
