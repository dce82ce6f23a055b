#!/usr/bin/env node
// Entry of every npm script. Kept to syntax that old versions of Node can read, so that they get a message and
// not a stack trace; everything else is loaded after the check.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `This needs Node 20.19 or later, and this is Node ${process.versions.node}. See https://nodejs.org`,
  );
  if (/^test(:|$)/.test(String(process.argv[2]))) console.log("0 passed, 1 failed");
  process.exit(1);
}
import("./setup/main.mjs").then(({ main }) => main(process.argv.slice(2)));
