import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkJson } from "../../shared/guard.ts";
import { type HistoryPoint, historyPoint } from "../../shared/public/game-server.ts";
import type { Log } from "../platform/log.ts";

/** More than such a file was allowed to grow to. */
const MOST_BYTES = 1024 * 1024;

/**
 * Hands over the plots that an earlier version has kept in the file `history.jsonl` of a folder, a point in each line, and
 * removes the file once `keep` returns: what is broken off in between is taken over again.
 * @param keep throws when the points are not on the disk
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
    if (!found.isFile() || found.size > MOST_BYTES) throw new Error(`${path}: is no file of this service`);
    const lines = readFileSync(path, "utf8").split("\n");
    keep(
      lines.map(line => checkJson(historyPoint, line)).flatMap(read => ("value" in read ? [read.value] : [])),
    );
    rmSync(path);
  } catch (error) {
    log.warn({ error }, "the plots of an earlier version cannot be taken over");
  }
}
