import type { ConsoleQuirks } from "./quirks.ts";
import type { LogLevel } from "./types.ts";

/** Bytes of a script's line, with its time and level, beyond which the next line begins with NUL. */
const LONG_BYTES = 4096;

export type Write = (level: LogLevel, line: string) => void;

/**
 * Writes lines with their time and level, as a server does on its console. A line of a script is followed by a blank one.
 * @param print gets each line without its end
 * @param now milliseconds
 */
export function createServerOutput(
  print: (line: string) => void,
  now: () => number,
  { noBlankLines = false }: ConsoleQuirks = {},
): Write {
  let isAfterLong = false;
  return (level, line) => {
    const stamped = `[${stamp(new Date(now()))} ${level.toUpperCase()}] ${line}`;
    const isScript = line.startsWith("[Scripting]");
    print(isAfterLong ? `\0${stamped}` : stamped);
    isAfterLong = isScript && Buffer.byteLength(stamped) > LONG_BYTES;
    if (isScript && !noBlankLines) print("");
  };
}

/** `2026-11-20 12:00:00:000`, in local time. */
function stamp(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${day} ${time}:${String(date.getMilliseconds()).padStart(3, "0")}`;
}
