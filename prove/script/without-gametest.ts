// For a game without `@minecraft/server-gametest`: an import of a missing module stops the whole script. Bundled into
// dist/prove_pack/without-gametest.js.
import { startScript } from "./start.ts";

startScript(undefined);
