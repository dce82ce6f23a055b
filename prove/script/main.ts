// The behavior pack as it is, with what the probes ask beside it. Bundled into dist/prove_pack/main.js.
import * as gametest from "@minecraft/server-gametest";
import { startScript } from "./start.ts";

startScript(gametest);
