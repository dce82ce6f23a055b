import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeServer } from "../../scripts/make-server.mjs";

/** What a made-up game server does besides starting and stopping. */
export interface FakeOptions {
  /** lines in the place of those that say that it is ready */
  says?: readonly string[];
  /** ends by itself after so many milliseconds */
  endsAfterMs?: number;
  /** does not end when it is told to */
  isDeaf?: boolean;
}

const READY = ["Version: 1.26.60.6", "Accepting clients on [::]:19132", "Server started."];

/**
 * A folder with a program that starts and stops as a game server does, makes a world, and runs no script. Beside it lies what no
 * trial may touch: a world of its owner, lists of players, settings of scripts.
 */
export async function fakeServer(options: FakeOptions = {}): Promise<string> {
  const root = join(mkdtempSync(join(tmpdir(), "fake server ")), "its folder");
  await makeServer(root, { game: "1.26.60", levelName: "world of its owner" });
  mkdirSync(join(root, "template"));
  cpSync(join(root, "worlds", "world of its owner", "level.dat"), join(root, "template", "level.dat"));
  const { says = READY, endsAfterMs, isDeaf = false } = options;
  writeFileSync(
    join(root, "bedrock_server"),
    `#!${process.execPath}
const { cpSync, existsSync, mkdirSync, readFileSync } = require("node:fs");
const level = /^level-name=(.*)$/m.exec(readFileSync("server.properties", "utf8"))[1].trim();
const world = "worlds/" + level;
if (!existsSync(world)) {
  mkdirSync(world + "/db", { recursive: true });
  cpSync("template/level.dat", world + "/level.dat");
}
const say = line => console.log("[2026-11-23 23:10:00:123 INFO] " + line);
for (const line of ${JSON.stringify(says)}) say(line);
${endsAfterMs === undefined ? "" : `setTimeout(() => process.exit(7), ${endsAfterMs});`}
let typed = "";
process.stdin.on("data", data => {
  typed += data;
  const lines = typed.split("\\n");
  typed = lines.pop();
  for (const line of lines.map(each => each.trim())) {
    if (line !== "stop") say("Unknown command: " + line + ". Please check that the command exists and that you have permission to use it.");
    else if (!${isDeaf}) {
      say("Server stop requested.");
      say("Quit correctly");
      process.exit(0);
    }
  }
});
`,
  );
  chmodSync(join(root, "bedrock_server"), 0o755);
  return root;
}
