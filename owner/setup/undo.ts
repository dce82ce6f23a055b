import { dirname, resolve } from "node:path";
import { readConfig } from "../../sidecar/config/read.ts";
import { isFault } from "../bds/fault.ts";
import { decodeText, encodeText } from "../bds/text.ts";
import { type Change, type Item, type Plan, stateOf } from "./change.ts";
import type { Disk } from "./disk.ts";
import { entryIn, infoOf, withoutEntry } from "./entries.ts";
import { shownPath } from "./files.ts";
import { fullPath, keptBytes, takenOut } from "./journal.ts";
import { type Entry, isElsewhere, type Journal } from "./journal-file.ts";
import { isMadeOf, isWithEntry } from "./settings.ts";

/** Who has what of the sidecar's configuration. */
export interface Sharing {
  /** folder of another server that has this sidecar, for which that file stays; undefined: none is known */
  other: string | undefined;
  /** the entry of `servers` whose token this server has, which setup has made; undefined: there is none */
  own: string | undefined;
}

/**
 * What takes back everything that setup has done. Files that were changed since keep those changes.
 * @param config the sidecar's configuration: the only file outside the server's folder that is looked at
 */
export function planUndo(
  root: string,
  config: string,
  journal: Journal,
  disk: Disk,
  { other, own }: Sharing,
): Plan {
  const changes: Change[] = [];
  const items: Item[] = [];
  // The other way round than they were made: a pack is taken off the lists before it goes.
  for (const entry of [...journal.entries].reverse()) {
    const path = fullPath(root, entry.path);
    const isOutside = isElsewhere(root, entry);
    if (isOutside && path !== disk.target(resolve(config))) {
      items.push({ place: path, lines: ["stays as it is: name it with --config to have it taken back too"] });
      continue;
    }
    const before = disk.read(path);
    const state = stateOf(before);
    if (state === entry.before.state) continue;
    const kept = entry.after.includes(state)
      ? { bytes: keptBytes(root, entry.before.state, disk) }
      : undefined;
    const isShared = isOutside && other !== undefined;
    const isEntry = own !== undefined && isOutside && isOwnEntry(before, kept?.bytes, own);
    const isOurs =
      kept !== undefined &&
      (!isOutside || isEntry || (!isShared && isWayBack(path, before, kept.bytes, own)));
    if (!isOurs && entry.kind === "yaml" && (own !== undefined || isShared)) {
      const after = own === undefined ? undefined : withoutOwn(before, own, journal);
      const lines = leftIn(own, after !== undefined, isShared ? other : undefined);
      if (after !== undefined)
        changes.push({ path, kind: "yaml", before, after, mode: disk.modeOf(path) ?? entry.before.mode });
      items.push({ place: path, lines });
      continue;
    }
    const after = isOurs ? kept.bytes : takenOut(root, entry, before, disk);
    const mode = (isOutside ? disk.modeOf(path) : undefined) ?? entry.before.mode;
    if (stateOf(after) !== state) changes.push({ path, kind: entry.kind, before, after, mode });
    const line = isOurs ? restored(entry) : left(entry, before);
    const place = isOurs ? packOr(path) : path;
    const item = items.find(each => each.place === place);
    if (item === undefined) items.push({ place, lines: [line] });
    else if (!item.lines.includes(line)) item.lines.push(line);
  }
  return { changes, items: items.map(item => ({ ...item, place: shownPath(root, item.place) })) };
}

/**
 * Whether a configuration differs from the one before in nothing but what setup changes in it. What is kept of it lies
 * where the owner of the server may write, who need not be that of the sidecar.
 */
function isWayBack(
  path: string,
  now: Uint8Array | undefined,
  before: Uint8Array | undefined,
  own: string | undefined,
): boolean {
  if (now === undefined || before === undefined) return false;
  const [is, was] = [decodeText(now), decodeText(before)];
  if (isFault(is) || isFault(was) || "faults" in readConfig(was.text, {}, dirname(path))) return false;
  return isMadeOf(was.text, is.text, own);
}

/** The same where it is its entry of `servers` alone, of which nobody else has anything. */
function isOwnEntry(now: Uint8Array | undefined, before: Uint8Array | undefined, own: string): boolean {
  if (now === undefined || before === undefined) return false;
  const [is, was] = [decodeText(now), decodeText(before)];
  return !isFault(is) && !isFault(was) && isWithEntry(was.text, is.text, own);
}

/**
 * The configuration without what setup has entered there for a game server; undefined where its owner has changed that since,
 * or has named it elsewhere in the file.
 */
function withoutOwn(
  now: Uint8Array | undefined,
  own: string,
  { filled = {} }: Journal,
): Uint8Array | undefined {
  const is = decodeText(now ?? new Uint8Array());
  if (isFault(is)) return undefined;
  const { entry } = entryIn(is.text, own);
  const info = infoOf(entry);
  const isOurs =
    entry !== undefined &&
    Object.keys(entry).every(key => key === "name" || key === "info") &&
    Object.keys(info).every(key =>
      Object.entries(filled).some(([at, value]) => at === `server.${key}` && value === info[key]),
    );
  const after = isOurs ? withoutEntry(is.text, own) : undefined;
  // A key may be for it: the sidecar would not start.
  const isTaken = after !== undefined && "text" in after && "config" in readConfig(after.text, {}, "/");
  return isTaken ? encodeText({ ...is, text: after.text }) : undefined;
}

/** What becomes of a configuration that has more in it than what setup has done for this server. */
function leftIn(own: string | undefined, isTakenOut: boolean, other: string | undefined): string[] {
  const rest =
    other === undefined
      ? "was changed since: stays as it is"
      : `stays as it is: the server ${other} has this sidecar, too`;
  if (own === undefined) return [rest];
  if (isTakenOut) return [`servers: ${own} is taken out`, `the rest ${rest}`];
  return [
    rest,
    `servers: ${own} stays, as it was changed or is named elsewhere since: take it out where no game server has it any more`,
  ];
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
