import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { TestEnvironment } from "jest-environment-node";
import { NOT_OF_THE_SECOND } from "./not-of-the-second.mjs";

/**
 * What Jest has made of a file. `children`: of a suite, in their order.
 * @typedef {{ name: string, mode?: string | null, children?: Block[] }} Block
 */

/**
 * Tests in a block of this name take long and hardly ever break: of a file that has one, `npm test` leaves it out, and
 * `npm run test:long` runs nothing else.
 */
export const AT_LENGTH = "at length";

const TEMPORARY = tmpdir();
const TEMPORARY_NAME = process.platform === "win32" ? "TEMP" : "TMPDIR";

/** The folder for temporary files is each file's own: servers and sidecars in it have no neighbours that others have made. */
export default class extends TestEnvironment {
  #folder;
  #file;
  /** words before the names of tests that stand in the place of one sidecar, or of one game server, for several */
  #several = "";
  #isShared = false;
  #isSecond = false;
  /** which tests of the file run: `short`, `long`, or all of them */
  #length;

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
    this.#file = relative(`${import.meta.dirname}/..`, context.testPath).replaceAll("\\", "/");
    const { env } = this.global.process;
    const { sidecars, servers, length } = config.projectConfig.testEnvironmentOptions;
    this.#length = length;
    if (sidecars) env.TEST_SIDECARS = `${sidecars}`;
    if (servers) env.TEST_SERVERS = `${servers}`;
    this.#isShared = Number(env.TEST_SIDECARS ?? 1) > 1;
    this.#isSecond = Number(env.TEST_SERVERS ?? 1) > 1;
    const what = [
      ...(this.#isSecond ? ["three servers"] : []),
      ...(this.#isShared ? ["three sidecars"] : []),
    ];
    this.#several = what.join(", ");
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
    if (this.#length) keep(rootDescribeBlock, this.#length === "long");
    if (this.#isSecond) this.#leaveOut(rootDescribeBlock);
    if (this.#several) this.#beforeSeveral(rootDescribeBlock);
  }

  /** @param {Block} root */
  #beforeSeveral(root) {
    const lacks = this.#isShared && this.global.lacksRedis === true;
    if (lacks) skip(root);
    for (const child of root.children ?? [])
      child.name = `${lacks ? "[needs redis-server] " : ""}${this.#several}: ${child.name}`;
  }

  /**
   * Tests that cannot be about one of several game servers are none of such a run.
   * @param {Block} root
   */
  #leaveOut(root) {
    for (const name of Object.keys(NOT_OF_THE_SECOND[this.#file] ?? {}))
      if (!without(root, name, "")) throw new Error(`not-of-the-second.mjs names what is no test: ${name}`);
  }
}

/**
 * Takes a test out of a block, by its name with those of the blocks that it is in.
 * @param {Block} block
 * @param {string} name
 * @param {string} before
 * @returns {boolean}
 */
function without(block, name, before) {
  const { children = [] } = block;
  const found = children.findIndex(child => `${before}${child.name}` === name);
  if (found < 0) return children.some(child => without(child, name, `${before}${child.name} `));
  children.splice(found, 1);
  return true;
}

/**
 * Keeps those tests of a block that are at length, or the others.
 * @param {Block} block
 * @param {boolean} isLong
 */
function keep(block, isLong) {
  const ofEach = block.children?.filter(child => {
    if (child.name === AT_LENGTH) return isLong;
    if (child.children === undefined) return !isLong;
    keep(child, isLong);
    return child.children.length > 0;
  });
  if (ofEach) block.children?.splice(0, block.children.length, ...ofEach);
}

/** @param {Block} block */
function skip(block) {
  block.mode = "skip";
  for (const child of block.children ?? []) skip(child);
}
