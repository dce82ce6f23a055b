import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "jest-environment-node";

/**
 * What Jest has made of a file. `children`: of a suite, in their order.
 * @typedef {{ name: string, mode?: string | null, children?: Block[] }} Block
 */

const TEMPORARY = tmpdir();
const TEMPORARY_NAME = process.platform === "win32" ? "TEMP" : "TMPDIR";

/** The folder for temporary files is each file's own: servers and sidecars in it have no neighbours that others have made. */
export default class extends TestEnvironment {
  #folder;
  #sidecars;

  /**
   * @param {ConstructorParameters<typeof TestEnvironment>[0]} config
   * @param {ConstructorParameters<typeof TestEnvironment>[1]} context
   */
  constructor(config, context) {
    const folder = mkdtempSync(join(TEMPORARY, "test-"));
    // As the common one: some tests have several users.
    chmodSync(folder, 0o1777);
    process.env[TEMPORARY_NAME] = folder;
    super(config, context);
    this.#folder = folder;
    // Seven megabytes of script: each process loads them once, not for each file of tests.
    this.global.loadPlaywright = () => import("playwright-core");
    this.#sidecars = config.projectConfig.testEnvironmentOptions.sidecars;
    if (this.#sidecars) this.global.process.env.TEST_SIDECARS = `${this.#sidecars}`;
  }

  /** @override */
  async teardown() {
    await super.teardown();
    process.env[TEMPORARY_NAME] = TEMPORARY;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * The checks of `every-test.ts` come after the hooks of the tests, when their sockets are closed: Jest runs hooks in the
   * order of their registration.
   * @param {{ name: string }} event
   * @param {{ rootDescribeBlock: Block & { hooks: { fn: Function }[] } }} state
   */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name !== "run_start") return;
    const isCheck = (/** @type {{ fn: Function }} */ { fn }) => Number(fn.name === "failOnBreaches");
    rootDescribeBlock.hooks.sort((a, b) => isCheck(a) - isCheck(b));
    if (this.#sidecars) this.#beforeSeveral(rootDescribeBlock);
  }

  /** @param {Block} root */
  #beforeSeveral(root) {
    const lacks = this.global.lacksRedis === true;
    if (lacks) skip(root);
    for (const child of root.children ?? [])
      child.name = `${lacks ? "[needs redis-server] " : ""}three sidecars: ${child.name}`;
  }
}

/** @param {Block} block */
function skip(block) {
  block.mode = "skip";
  for (const child of block.children ?? []) skip(child);
}
