import { relative } from "node:path";
import TestSequencer from "@jest/test-sequencer";

/** Path prefixes of slow test files, the slowest first, so that a run does not end with waiting for one of them. */
const LONG = [
  "prove/whole",
  "lab/chaos/run",
  "web/phone",
  "lab/demo/process",
  "test/redis/",
  "sidecar/kernel/storage/redis/",
  "test/e2e/restarts",
  "web/",
  "test/docs/cookbook",
  "lab/demo/",
  "test/e2e/",
  "owner/setup/",
  "owner/doctor/",
];

export default class extends TestSequencer {
  /**
   * @override
   * @param {Parameters<TestSequencer["sort"]>[0]} tests
   */
  sort(tests) {
    /** @param {{ path: string }} test */
    const rank = ({ path }) => {
      const name = relative(`${import.meta.dirname}/../..`, path).replaceAll("\\", "/");
      const at = LONG.findIndex(start => name.startsWith(start));
      return at < 0 ? LONG.length : at;
    };
    return [...tests].sort((a, b) => rank(a) - rank(b));
  }
}
