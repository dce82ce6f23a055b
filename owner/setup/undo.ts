import { dirname, resolve } from "node:path";
import { isFault } from "../../bds/fault.ts";
import { readLevelDat } from "../../bds/level-dat.ts";
import { type Change, type Plan, type PlanItem, stateOf } from "./change.ts";
import type { Disk } from "./disk.ts";
import { fullPath, isOutsideServer, type Journal, type JournalEntry, savedBytes } from "./journal.ts";
import { displayPath } from "./text-files.ts";

interface UndoPlan extends Plan {
  /** whether a later undo can restore a remaining file, so that the journal stays */
  isPart: boolean;
}

/**
 * Plans to undo everything that setup has done. A file that has changed since then is left alone, with lines on what to undo by hand.
 * @param config the sidecar's configuration: the only file outside the server's folder that is looked at
 * @param reasonToKeep why that one stays in any case; undefined: it need not
 */
export function planUndo(
  root: string,
  config: string,
  { entries }: Journal,
  disk: Disk,
  reasonToKeep: string | undefined,
): UndoPlan {
  const changes: Change[] = [];
  let isPart = false;
  const items = new Map<string, PlanItem>();
  const say = (place: string, ...lines: string[]): void => {
    const item = items.get(place) ?? { place: displayPath(root, place), lines: [] };
    item.lines.push(...lines.filter(line => !item.lines.includes(line)));
    items.set(place, item);
  };
  // In reverse order: a pack leaves the lists before its files go.
  for (const entry of [...entries].reverse()) {
    const path = fullPath(root, entry.path);
    const isOutside = isOutsideServer(root, entry);
    if (isOutside && path !== disk.realPath(resolve(config))) {
      say(path, "is left as it is: to undo it too, pass it with --config");
      isPart = true;
      continue;
    }
    const before = disk.read(path);
    const state = stateOf(before);
    if (state === entry.before.state) continue;
    if (isOutside && reasonToKeep !== undefined) say(path, `is left as it is: ${reasonToKeep}`);
    else if (!entry.after.includes(state) && !isLostLevel(entry, path, before, disk))
      say(path, ...leftLines(entry, before));
    else {
      const after = savedBytes(root, entry.before.state, disk);
      const mode = disk.modeOf(path) ?? entry.before.mode;
      changes.push({ path, kind: entry.kind, before, after, mode });
      say(packOr(path), after === undefined ? "removed" : "as it was before setup");
    }
  }
  return { changes, items: [...items.values()], isPart };
}

/** Whether a world has lost its level.dat, so that the copy is the only one left. */
const isLostLevel = (
  { kind }: JournalEntry,
  path: string,
  now: Uint8Array | undefined,
  disk: Disk,
): boolean =>
  kind === "level" &&
  disk.kindOf(dirname(path)) === "folder" &&
  (now === undefined || isFault(readLevelDat(now)));

/** The folder of a file's pack: its files are not shown one by one. */
const packOr = (path: string): string => /^.*_packs[\\/][^\\/]+(?=[\\/])/.exec(path)?.[0] ?? path;

function leftLines({ kind, lines = [] }: JournalEntry, now: Uint8Array | undefined): string[] {
  if (now === undefined) return ["was deleted since then: left as it is"];
  if (kind === "level")
    return [
      "was changed since then, for example by the server: left as it is, with the Beta APIs experiment on",
    ];
  if (kind === "pack" || lines.length === 0) return ["was changed since then: left as it is"];
  return [
    "was changed since then: left as it is; undo by hand what setup has changed:",
    ...lines.map(line => `  ${line}`),
  ];
}
