import { LEAST } from "./least-node.mjs";

/**
 * The entry file of a program. It reports a Node that is too old, or a missing or damaged file, in one line instead of a stack
 * trace. Written in syntax that old versions of Node can parse.
 * @param {string} bundle path of the program's bundle from there, such as `./setup.program.js`
 */
export function entryOf(bundle) {
  const [major, minor] = LEAST.split(".");
  return `var version = process.versions.node.split(".");
if (version[0] < ${major} || (version[0] == ${major} && version[1] < ${minor})) {
  console.error("Node ${LEAST} or later is required, but this is Node " + process.versions.node + " (" + process.execPath + "). Get it from https://nodejs.org");
  process.exitCode = 1;
} else import("${bundle}").catch(function (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND" && !/compileSourceTextModule/.test(error.stack)) throw error;
  console.error("This program is incomplete or damaged: " + error.message.split("\\n")[0] + ". Unpack the archive again; in a copy of the repository, run: npm run build");
  process.exitCode = 1;
});
`;
}
