// The same where the game has no `@minecraft/server-gametest`: importing a module that is not there stops the whole script, so
// this is a file of its own, dist/prove_pack/without-gametest.js.
import { startScript } from "./start.ts";

startScript(undefined);
