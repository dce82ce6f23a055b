import { SERVERS } from "./busy-servers.ts";
import { type Options, SIDECARS, startOneSidecar, type TestSidecar } from "./one-sidecar.ts";
import { startBesideOthers } from "./several-servers.ts";

export * from "./one-sidecar.ts";

// The client of Redis is hundreds of files: they are loaded for those tests only that run with several sidecars.
const several = SIDECARS > 1 ? await import("./several-sidecars.ts") : undefined;

const start = (options: Options): Promise<TestSidecar> =>
  several ? several.startSeveralSidecars(options) : startOneSidecar(options);

/**
 * The real sidecar on free ports of the loopback, with a clock that the test moves; several where the run is about that, or for
 * several game servers.
 */
export const startTestSidecar = (options: Options = {}): Promise<TestSidecar> =>
  SERVERS > 1 ? startBesideOthers(options, start) : start(options);
