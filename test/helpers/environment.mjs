import { TestEnvironment } from "jest-environment-node";

export default class extends TestEnvironment {
  /**
   * The checks of `every-test.ts` come after the hooks of the tests, when their sockets are closed: Jest runs hooks in the
   * order of their registration.
   * @param {{ name: string }} event
   * @param {{ rootDescribeBlock: { hooks: { fn: Function }[] } }} state
   */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name !== "run_start") return;
    const isCheck = (/** @type {{ fn: Function }} */ { fn }) => Number(fn.name === "failOnBreaches");
    rootDescribeBlock.hooks.sort((a, b) => isCheck(a) - isCheck(b));
  }
}
