import type { Task } from "../../shared/console-link/messages.ts";
import { check, type Guard } from "../../shared/guard.ts";
import type { Result } from "../../shared/result.ts";
import type { Poll } from "../ports.ts";

/** Does a task on the game's console. `done` is called once, with its result or the name of an error. */
export type RunTask = (task: Task, done: (result: Result<unknown>) => void) => void;

/** Guard of the result of a task that changes something. */
export const isDone: Guard<true> = (value, path = "body") =>
  value === true ? undefined : `${path}: expected true`;

const named = (name: string): Error => Object.assign(new Error(), { name });

/** Begins a task; its answer throws if the console could not do it. */
export function begin<T>(run: RunTask, task: Task, guard: Guard<T>): Poll<T> {
  let result: Result<T> | undefined;
  run(task, done => {
    result = "value" in done ? check(guard, done.value) : done;
  });
  return () => {
    if (result !== undefined && "fault" in result) throw named(result.fault);
    return result?.value;
  };
}
