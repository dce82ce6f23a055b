import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "jest-environment-node";

const TEMPORARY = tmpdir();
const TEMPORARY_NAME = process.platform === "win32" ? "TEMP" : "TMPDIR";

/** Each test file has its own temporary folder, so its servers and sidecars find none of another file. */
export default class extends TestEnvironment {
  #folder;

  /**
   * @param {ConstructorParameters<typeof TestEnvironment>[0]} config
   * @param {ConstructorParameters<typeof TestEnvironment>[1]} context
   */
  constructor(config, context) {
    const folder = mkdtempSync(join(TEMPORARY, "test-"));
    // Permissions of the system's own folder: some tests run programs as other users.
    chmodSync(folder, 0o1777);
    process.env[TEMPORARY_NAME] = folder;
    super(config, context);
    this.#folder = folder;
    // Seven megabytes of script, which each worker loads once, not for each test file.
    this.global.loadPlaywright = () => import("playwright-core");
  }

  /** @override */
  async teardown() {
    await super.teardown();
    process.env[TEMPORARY_NAME] = TEMPORARY;
    try {
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // On Windows a file that is still open cannot be removed.
      if (process.platform !== "win32") throw error;
    }
  }

  /**
   * Jest runs hooks in the order of registration. The checks of `../helpers/breaches.ts` have to run after the hooks of the tests,
   * when their sockets are closed.
   * @param {{ name: string }} event
   * @param {{ rootDescribeBlock: { hooks: { fn: Function }[] } }} state
   */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name !== "run_start") return;
    const isCheck = (/** @type {{ fn: Function }} */ { fn }) => Number(fn.name === "failOnBreaches");
    rootDescribeBlock.hooks.sort((a, b) => isCheck(a) - isCheck(b));
  }
}
