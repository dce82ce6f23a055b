import { describe, it } from "@jest/globals";

/** The result of `needs`: a way to write a test, a suite, or several of them, that need something. */
interface TestsWith {
  it(name: string, test: Parameters<typeof it>[1]): void;
  describe(name: string, tests: () => void): void;
  all(tests: () => void): void;
}

/**
 * Tests that are skipped if a requirement is missing. The name of a skipped test has the missing requirement, and the run lists
 * them; lint rejects tests that are skipped in another way.
 */
export function needs(what: string, isHere: boolean): TestsWith {
  const all = (tests: () => void): void => (isHere ? tests() : describe.skip(`[needs ${what}]`, tests));
  return {
    it: (name, test) => all(() => it(name, test)),
    describe: (name, tests) => all(() => describe(name, tests)),
    all,
  };
}
