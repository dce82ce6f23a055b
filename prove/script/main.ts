// The pack with the probes beside it. Bundled into dist/prove_pack/main.js.
import * as gametest from "@minecraft/server-gametest";
import { startScript } from "./start.ts";

startScript(gametest);
