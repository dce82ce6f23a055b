import { type Options, startOneSidecar, type TestSidecar } from "./one-sidecar.ts";
import { SIDECARS, startSeveralSidecars } from "./several-sidecars.ts";

export * from "./one-sidecar.ts";

/** The real sidecar on free ports of the loopback, with a clock that the test moves; several where the run is about that. */
export const startTestSidecar = (options: Options = {}): Promise<TestSidecar> =>
  SIDECARS > 1 ? startSeveralSidecars(options) : startOneSidecar(options);
