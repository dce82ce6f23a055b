import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeServer } from "../../scripts/make-server.mjs";
import type { DeviationName } from "./deviations.ts";

/** The replaced game. */
const GAME = "1.26.60";

/** Creates the folder of a game server that was never started, with a stand-in as its program. */
export async function makeStandIn(folder: string, deviation?: DeviationName): Promise<void> {
  await makeServer(folder, { game: GAME, levelName: "Bedrock level", world: false });
  rmSync(join(folder, "behavior_packs/broken"), { recursive: true });
  putStandIn(folder, deviation);
}

/** Path of the built program, from a program in `dist` and from here. */
const PLACES = ["./stand-in.js", "../../dist/tools/stand-in.js"];

/**
 * Puts a stand-in into the folder of a game server, instead of its program. The folder can be copied as long as the build
 * stays where it is.
 */
export function putStandIn(folder: string, deviation?: DeviationName): void {
  const built = PLACES.map(place => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (built === undefined) throw new Error("dist/tools/stand-in.js is missing: run the build first");
  const program = join(folder, "bedrock_server");
  writeFileSync(program, script(process.execPath, built));
  chmodSync(program, 0o755);
  writeFileSync(join(folder, "deviation.txt"), deviation ?? "");
}

/**
 * The system identifies a process by its executable, so that is a link to Node with the name of the game's program. The
 * program removes it once it runs.
 */
const script = (node: string, built: string): string => `#!/bin/sh
# Stands for a game server. It is none: see lab/stand-in.
here=$(cd "$(dirname "$0")" && pwd)
own="$here/.stand-in-$$"
mkdir "$own" && { ln '${node}' "$own/bedrock_server" 2>/dev/null || cp '${node}' "$own/bedrock_server"; } || exit 1
STAND_IN_OWN="$own" exec "$own/bedrock_server" '${built}' "$here"
`;
