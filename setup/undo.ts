import { type Change, type Item, type Plan, stateOf } from "./change.ts";
import type { Disk } from "./disk.ts";
import { shownPath } from "./files.ts";
import { type Entry, fullPath, type Journal, keptBytes, takenOut } from "./journal.ts";

/** What takes back everything that setup has done. Files that were changed since keep those changes. */
export function planUndo(root: string, journal: Journal, disk: Disk): Plan {
  const changes: Change[] = [];
  const items: Item[] = [];
  // The other way round than they were made: a pack is taken off the lists before it goes.
  for (const entry of [...journal.entries].reverse()) {
    const path = fullPath(root, entry.path);
    const before = disk.read(path);
    const state = stateOf(before);
    if (state === entry.before.state) continue;
    const isOurs = entry.after.includes(state);
    const after = isOurs ? keptBytes(root, entry.before.state, disk) : takenOut(root, entry, before, disk);
    if (stateOf(after) !== state)
      changes.push({ path, kind: entry.kind, before, after, mode: entry.before.mode });
    const line = isOurs ? restored(entry) : left(entry, before);
    const place = isOurs ? packOr(path) : path;
    const item = items.find(each => each.place === place);
    if (item === undefined) items.push({ place, lines: [line] });
    else if (!item.lines.includes(line)) item.lines.push(line);
  }
  return { changes, items: items.map(item => ({ ...item, place: shownPath(root, item.place) })) };
}

/** The folder of the pack that a file is in: its files are not shown one by one. */
const packOr = (path: string): string => /^.*_packs[\\/][^\\/]+(?=[\\/])/.exec(path)?.[0] ?? path;

const restored = ({ before }: Entry): string =>
  before.state === "gone" ? "removed" : "as it was before setup";

function left({ kind }: Entry, now: Uint8Array | undefined): string {
  if (now === undefined) return "was deleted since: stays so";
  switch (kind) {
    case "json":
    case "properties":
      return "was changed since: only the web bridge's entries are taken out";
    case "level":
      return "was changed since, by the server for example: stays as it is, with the Beta APIs experiment on";
    case "pack":
    case "yaml":
      return "was changed since: stays as it is";
  }
}
