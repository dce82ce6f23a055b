// Runs a command of the archive. An old Node can parse this file, so that the command reports it.
import { fileURLToPath } from "node:url";

const COMMANDS = {
  start: "start the sidecar; with --server <folder> also the game server in that folder",
  launch: "start a game server, and the sidecar with it",
  setup: "install the add-on in a game server, update it or remove it",
  doctor: "check the game server and the sidecar, and suggest a fix for each problem",
  key: "create keys for moderators and programs",
  config: "show or change settings",
  audit: "show the audit log",
  players: "export or erase what is stored about players",
  hook: "test a webhook",
  prove: "test a new version of the game with a copy of your game server",
};

const SELF = process.platform === "win32" ? ".\\web-bridge.cmd" : "./web-bridge";
const USAGE = `usage: ${SELF} <command> [options]

${Object.entries(COMMANDS)
  .map(([name, does]) => `  ${name.padEnd(9)}${does}`)
  .join("\n")}

${SELF} <command> --help shows the options of a command.`;

const [name = "", ...args] = process.argv.slice(2);

/** The program of the command, from here on. */
function programOf() {
  if (name !== "start") return `./tools/${name}.js`;
  if (args.some(word => /^--server(=|$)/.test(word))) return "./tools/launch.js";
  const home = fileURLToPath(new URL("../config.yml", import.meta.url));
  process.argv.splice(3, 0, "--config", process.env.WEB_BRIDGE_CONFIG || home);
  return "../main.js";
}

if (Object.keys(COMMANDS).includes(name)) {
  const program = programOf();
  // The programs read their arguments from the third on.
  process.argv.splice(2, 1);
  import(program).catch(error => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    console.error(`This archive is incomplete: ${error.message.split("\n")[0]}. Unpack it again.`);
    process.exitCode = 1;
  });
} else if (/^(-h|--help|help)$/.test(name)) console.log(USAGE);
else {
  const list = Object.keys(COMMANDS).join(", ");
  console.error(name === "" ? USAGE : `${name} is not a command. The commands are: ${list}.`);
  process.exitCode = 2;
}
