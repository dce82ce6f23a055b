import { quoted } from "../../cli/commands.ts";
import { gameVersion, likelyVersion } from "../bds/game-version.ts";
import { isProved } from "../bds/proved.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import type { Target } from "./target.ts";

const ID = "game-version";
/** Of the advice to try a copy, which stands once and last. */
export const PROVED = "proved";
const PAGE = "docs/after-an-update.md";

/** Whether the game is one that the pack runs on. */
export function checkGame({ server, around, behavior }: Target): Finding {
  const { is, isDoubtful, what } = gameVersion(server, behavior.manifest, around.files);
  switch (is) {
    case "unknown":
      return skipped(ID, `version of the game: ${what}`);
    case "right":
      return ok(ID, what);
    case "newer":
      return note(ID, `${what}: when the pack does not start, see ${PAGE}`);
    case "older":
      return isDoubtful
        ? note(ID, `${what}: when it is no newer one, update the game`)
        : problem(ID, what, `update the game, or, when you just have, start it once and stop it (${PAGE})`);
  }
}

/** Whether somebody has tried this game for real; nothing is said without a world, or of one that the pack does not run on. */
export function checkProved({ server, around, behavior }: Target): Finding[] {
  if (around.files.kindOf(server.world.levelDat) !== "file") return [];
  const version = likelyVersion(server, around.files);
  const { is } = gameVersion(server, behavior.manifest, around.files);
  if (version === undefined || is === "older" || isProved(version, around.platform)) return [];
  const command = `${around.programs.prove} --server ${quoted(server.root)}`;
  const none = `not yet tested on a real server with game ${version.join(".")}`;
  return [note(PROVED, `${none}: ${command} tries a copy in three minutes (${PAGE})`)];
}
