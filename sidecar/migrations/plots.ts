import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkJson } from "../../shared/guard.ts";
import { type HistoryPoint, historyPoint } from "../../shared/public/game-server.ts";
import type { Log } from "../platform/log.ts";

/** Larger than any such file. */
const MAX_BYTES = 1024 * 1024;

/**
 * Migrates the plots that an earlier version stored in the file `history.jsonl` of a folder, one point a line. The file is removed once
 * `keep` returns: an interrupted migration starts again.
 * @param keep throws if the points could not be written to disk
 */
export function takeOverPlots(
  folder: string,
  log: Pick<Log, "warn">,
  keep: (points: readonly HistoryPoint[]) => void,
): void {
  const path = join(folder, "history.jsonl");
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (!found.isFile() || found.size > MAX_BYTES) throw new Error(`${path}: not a file of this service`);
    const lines = readFileSync(path, "utf8").split("\n");
    keep(
      lines.map(line => checkJson(historyPoint, line)).flatMap(read => ("value" in read ? [read.value] : [])),
    );
    rmSync(path);
  } catch (error) {
    log.warn({ error }, "Could not migrate the plots of an earlier version");
  }
}
