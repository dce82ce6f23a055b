import { describe, it } from "@jest/globals";

/** What `needs` gives: the way to write a test, a suite, or several of them, for which something is needed. */
interface Needing {
  it(name: string, test: Parameters<typeof it>[1]): void;
  describe(name: string, tests: () => void): void;
  all(tests: () => void): void;
}

/**
 * Tests that are skipped unless what they need is here. The names of skipped ones say what was missing, and the run adds that
 * up; lint refuses a test that is skipped in another way.
 */
export function needs(what: string, isHere: boolean): Needing {
  const all = (tests: () => void): void => (isHere ? tests() : describe.skip(`[needs ${what}]`, tests));
  return {
    it: (name, test) => all(() => it(name, test)),
    describe: (name, tests) => all(() => describe(name, tests)),
    all,
  };
}
