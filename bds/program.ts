import { basename } from "node:path";

/** Names of the program with anything behind, except files that come with it. */
const PROGRAM = /^bedrock_server(?!.*(?:\.debug|\.pdb|\.txt|\.md|\.html?)$)/i;

/** Names of the program, with and without a version. */
const NAMED = /^bedrock_server(?:-\d+(?:\.\d+)*)?(?:\.exe)?$/i;

/** Whether a path names a game server's program, which may have been replaced while it runs. */
export const isProgram = (path: string): boolean => PROGRAM.test(basename(path).replace(/ \(deleted\)$/, ""));

/** The program to start, among the names in a folder: the one without a version, or the newest. */
export function programIn(names: readonly string[]): string | undefined {
  const programs = names.filter(name => NAMED.test(name));
  const plain = programs.find(name => !name.includes("-"));
  const newestFirst = programs.sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return plain ?? newestFirst[0];
}

/** Whether a program is the one for Windows; the other one is for Linux. */
export const isForWindows = (program: string): boolean => /\.exe$/i.test(program);
