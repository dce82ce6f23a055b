import { unexpectedWord } from "./commands.ts";
import { messageOf } from "./errno.ts";

/** Exit codes. `failed`: refused, or something is wrong. */
export const EXIT = { done: 0, failed: 1, misused: 2 };

/**
 * Options of every command, as `parseArgs` takes them.
 * @param config the sidecar's configuration if none is given
 */
export const ownOptions = (config: string) =>
  ({ config: { type: "string", default: config }, help: { type: "boolean", default: false } }) as const;

/** Options of every command that works on a server's folder. */
export const serverOptions = (config: string) =>
  ({
    ...ownOptions(config),
    server: { type: "string" },
    json: { type: "boolean", default: false },
  }) as const;

interface ParsedArguments<V> {
  values: V;
  positionals: string[];
}

/**
 * Parses the command line of such a command. Returns the exit code instead if help or an error was printed.
 * @param read calls `parseArgs`
 */
export function readArguments<V extends { server?: string; help: boolean }>(
  command: string,
  usage: string,
  read: () => ParsedArguments<V>,
): { args: V & { server: string } } | { exit: number } {
  const parsed = readOptions(usage, read);
  if ("exit" in parsed) return parsed;
  const { values, positionals } = parsed;
  const [extra] = positionals;
  if (extra !== undefined) return { exit: misused(unexpectedWord(extra, command), usage) };
  if (values.server === undefined || values.server === "")
    return { exit: misused("--server is missing", usage) };
  // A backslash before the closing quote makes the quote part of the argument on Windows.
  return { args: { ...values, server: values.server.replace(/"$/, "") } };
}

/** Parses a command line. Returns the exit code instead if help or an error was printed. */
export function readOptions<V extends { help: boolean }>(
  usage: string,
  read: () => ParsedArguments<V>,
): ParsedArguments<V> | { exit: number } {
  let parsed: ParsedArguments<V>;
  try {
    parsed = read();
  } catch (error) {
    return { exit: misused(messageOf(error), usage) };
  }
  if (!parsed.values.help) return parsed;
  console.log(usage);
  return { exit: EXIT.done };
}

/** Prints why a command line is wrong, and the first lines of the usage: the options below would hide the reason. */
export function misused(why: string, usage: string): number {
  const [calls] = usage.split("\n\n");
  console.error(`${why}\n\n${calls}\nAdd --help to see all options.`);
  return EXIT.misused;
}
