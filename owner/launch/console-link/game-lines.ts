import { isStamped, plainLine } from "../../../bds/game-console.ts";

const SCRIPT = "[Scripting] ";

/** A line of the game's console, without time and level. */
export interface GameLine {
  text: string;
  /** `script`: printed by a script, without the tag */
  by: "game" | "script";
  /** whether it begins a text; false: it is a further line of one, or blank */
  isFirst: boolean;
}

/**
 * Separates what scripts have printed from what the game says, also where a script prints several lines: the later ones may look like
 * the game's.
 */
export function createGameLines(): (line: string) => GameLine {
  let by: GameLine["by"] = "game";
  /** whether the game puts a blank line behind a script's text: then everything before it is the script's */
  let hasBlanks = false;

  return line => {
    const text = plainLine(line);
    const isFirst = isStamped(line);
    if (isFirst && text.startsWith(SCRIPT)) {
      by = "script";
      return { text: text.slice(SCRIPT.length), by, isFirst };
    }
    const was = by;
    if (text === "") {
      if (was === "script" && !isFirst) hasBlanks = true;
      by = "game";
      return { text, by: was, isFirst: false };
    }
    if (isFirst && !hasBlanks) by = "game";
    return { text, by, isFirst: isFirst && by === "game" };
  };
}
