import { relative } from "node:path";
import TestSequencer from "@jest/test-sequencer";

/** Beginnings of the names of files that take long, the longest first: a run is not to end with waiting for one of them. */
const LONG = [
  "prove/whole",
  "chaos/run",
  "web/phone",
  "demo/process",
  "redis/",
  "e2e/restarts",
  "web/",
  "docs/cookbook",
  "demo/",
  "e2e/",
  "setup/",
  "doctor/",
];

export default class extends TestSequencer {
  /**
   * @override
   * @param {Parameters<TestSequencer["sort"]>[0]} tests
   */
  sort(tests) {
    /** @param {{ path: string }} test */
    const rank = ({ path }) => {
      const name = relative(`${import.meta.dirname}/..`, path).replaceAll("\\", "/");
      const at = LONG.findIndex(start => name.startsWith(start));
      return at < 0 ? LONG.length : at;
    };
    return [...tests].sort((a, b) => rank(a) - rank(b));
  }
}
