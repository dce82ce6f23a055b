import commit from "./lua/commit.lua";
import { script } from "./script.ts";

export const COMMIT = script(commit, { isFenced: true });
/** For a Redis that is full, too. */
export const COMMIT_ALWAYS = script(commit, { isFenced: true, mayOverfill: true });

/** What a change is decided on: a text under a key, or in a field of a hash; undefined: none. */
export interface Check {
  key: string;
  /** blank: the key itself has the text */
  field: string;
  text: string | undefined;
}

/** A command of a change, and what stands behind its key. */
export interface Step {
  command: string;
  key: string;
  values: readonly (string | number)[];
}

/** What `commit.lua` is called with. */
export function commitValues(
  checks: readonly Check[],
  steps: readonly Step[],
): { keys: string[]; values: (string | number)[] } {
  const keys: string[] = [];
  const placeOf = (key: string): number => {
    if (!keys.includes(key)) keys.push(key);
    // Behind the key of the turn.
    return keys.indexOf(key) + 2;
  };
  const values = [
    checks.length,
    ...checks.flatMap(({ key, field, text }) => [placeOf(key), field, text === undefined ? "" : `=${text}`]),
    ...steps.flatMap(({ command, key, values }) => [command, values.length, placeOf(key), ...values]),
  ];
  return { keys, values };
}
