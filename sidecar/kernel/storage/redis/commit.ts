import commit from "./lua/commit.lua";
import { script } from "./script.ts";

export const COMMIT = script(commit, { isFenced: true });
/** Also works on a full Redis. */
export const COMMIT_ALWAYS = script(commit, { isFenced: true, mayOverfill: true });

/** A precondition of a change: the text of a key, or of a field of a hash; undefined: none. */
export interface Check {
  key: string;
  /** blank: the text of the key itself */
  field: string;
  text: string | undefined;
}

/** A command of a change, with the arguments after its key. */
export interface Step {
  command: string;
  key: string;
  values: readonly (string | number)[];
}

/** Keys and arguments for `commit.lua`. */
export function commitValues(
  checks: readonly Check[],
  steps: readonly Step[],
): { keys: string[]; values: (string | number)[] } {
  const keys: string[] = [];
  const indexOf = (key: string): number => {
    if (!keys.includes(key)) keys.push(key);
    // After the key of the lease.
    return keys.indexOf(key) + 2;
  };
  const values = [
    checks.length,
    ...checks.flatMap(({ key, field, text }) => [indexOf(key), field, text === undefined ? "" : `=${text}`]),
    ...steps.flatMap(({ command, key, values }) => [command, values.length, indexOf(key), ...values]),
  ];
  return { keys, values };
}
