#!/usr/bin/env node
// Entry of every npm script. It uses only syntax that old versions of Node can parse, so that they get a newer one instead of a
// stack trace; everything else is loaded after the check.
import { fileURLToPath } from "node:url";
import { isTooOld } from "./least-node.mjs";

const args = process.argv.slice(2);
if (isTooOld(process.versions.node))
  import("./newer-node.mjs").then(({ runWithNewer }) => runWithNewer(fileURLToPath(import.meta.url), args));
else import("./tasks.mjs").then(({ main }) => main(args));
