import type { DatabaseSync } from "node:sqlite";

/**
 * Opens a database file with Node's SQLite, and makes it when it is missing.
 * @param timeout how long a statement waits for another process to finish writing, in milliseconds
 * @throws what SQLite says; `codeOf` names it
 */
export function openSqlite(file: string, timeout = 0): DatabaseSync {
  sqlite ??= load();
  return new sqlite.DatabaseSync(file, { timeout });
}

/** Loaded with the first database: a Node without it can still say what it lacks. */
let sqlite: ReturnType<typeof load> | undefined;

/**
 * Node 22 and early releases of 24 warn on the console that this module may change. A flag of the command would stop that, but
 * owners type the command, and the warning is not for them.
 */
function load() {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    const found = process.getBuiltinModule("node:sqlite");
    if (found === undefined) throw new Error("this Node has no SQLite: install Node from https://nodejs.org");
    return found;
  } finally {
    process.emitWarning = emitWarning;
  }
}
