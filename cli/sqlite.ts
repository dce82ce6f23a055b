import type { DatabaseSync } from "node:sqlite";

/**
 * Opens a database file with Node's SQLite, and makes it when it is missing.
 * @param timeout how long a statement waits for another process's write, in milliseconds
 * @throws the error of SQLite; `codeOf` names it
 */
export function openSqlite(file: string, timeout = 0): DatabaseSync {
  sqlite ??= load();
  return new sqlite.DatabaseSync(file, { timeout });
}

/** Loaded with the first database: a Node without it can still report that. */
let sqlite: typeof import("node:sqlite") | undefined;

/**
 * Loads Node's SQLite without its warning that the module may change, which Node 22 and early releases of 24 print: it is not
 * for owners.
 */
function load(): typeof import("node:sqlite") {
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
