import type { Segment } from "../../client/index.ts";
import { texts } from "../platform/texts.ts";
import type { Line } from "./chat-log.ts";

/** Joins or leaves in a row from which on they are grouped in one line. */
const MIN_GROUPED = 4;
/** Longest pause between two of them, in milliseconds. */
const PAUSE_MS = 60_000;

/** `Alex, Steve and 12 others joined`, with names as separate segments. */
function groupText(event: "join" | "leave", names: readonly string[]): Segment[] {
  const [first = "", second = ""] = names;
  const values: Record<string, string> = { "{first}": first, "{second}": second };
  return texts.grouped[event](names.length - 2)
    .split(/(\{\w+\})/)
    .filter(part => part !== "")
    .map(part => ({ text: values[part] ?? part }));
}

function merged(group: readonly Line[]): readonly Line[] {
  const last = group.at(-1);
  const names = [...new Set(group.flatMap(({ passing }) => (passing ? [passing.name] : [])))];
  if (!last?.passing || names.length < MIN_GROUPED) return group;
  const { event } = last.passing;
  // The last one outlives the others in the log.
  return [{ ...last, says: () => groupText(event, names) }];
}

/** The lines, with joins or leaves in a row grouped in the last of them. */
export function groupLines(lines: readonly Line[]): readonly Line[] {
  const groups: Line[][] = [];
  for (const line of lines) {
    const before = groups.at(-1)?.at(-1);
    const continues =
      line.passing !== undefined &&
      before?.passing?.event === line.passing.event &&
      before.server === line.server &&
      line.at - before.at <= PAUSE_MS;
    if (continues) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  return groups.flatMap(merged);
}
