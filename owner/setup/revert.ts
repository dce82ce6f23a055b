import { stripComments } from "jsonc-parser";
import { isFault } from "../bds/fault.ts";
import { type Edit, editJson, isBlank, isObject, isSame, type Path, parseJson } from "../bds/json-text.ts";
import { packIdOf } from "../bds/pack-list.ts";
import { readProperties, setProperties } from "../bds/properties.ts";

/**
 * Takes out of `now` what lies between `before` and `after`, and leaves everything else that was changed since.
 * `undefined`: nothing is left of a file that was not there before. A text that cannot be read stays as it is.
 */
export function revertJson(before: string | undefined, after: string, now: string): string | undefined {
  const [was, ours, is] = [before, after, now].map(text =>
    isBlank(text) ? { value: undefined } : parseJson(text),
  );
  if (was === undefined || ours === undefined || is === undefined) return now;
  if (isFault(was) || isFault(ours) || isFault(is)) return now;
  const left = revertValue(was.value, ours.value, is.value);
  if (left === undefined) {
    if (before === undefined && stripComments(now) === now) return undefined;
    const emptied = editJson(now, edits([], is.value, Array.isArray(is.value) ? [] : {}));
    return isFault(emptied) ? now : emptied.text;
  }
  const result = editJson(now, edits([], is.value, left));
  return isFault(result) ? now : result.text;
}

/** The same for server.properties. */
export function revertProperties(before: string, after: string, now: string): string {
  const [was, ours, is] = [readProperties(before), readProperties(after), readProperties(now)];
  const back: Record<string, string | undefined> = {};
  for (const [key, value] of ours)
    if (was.get(key) !== value && is.get(key) === value) back[key] = was.get(key);
  return setProperties(now, back);
}

function revertValue(was: unknown, ours: unknown, is: unknown): unknown {
  if (isSame(was, ours)) return is;
  if (isSame(is, ours)) return was;
  if (Array.isArray(ours) && Array.isArray(is))
    return revertList(Array.isArray(was) ? was : undefined, ours, is);
  if (isObject(ours) && isObject(is)) return revertObject(isObject(was) ? was : undefined, ours, is);
  return is;
}

function revertList(was: unknown[] | undefined, ours: unknown[], is: unknown[]): unknown[] | undefined {
  const before = was ?? [];
  const added = ours.filter(notIn(before));
  // A world's list of packs has a pack in one version: its entry is the same one in another version.
  const ids = new Set(added.flatMap(item => packIdOf(item) ?? []));
  const kept = is.filter(notIn(added)).filter(item => !ids.has(packIdOf(item) ?? ""));
  const left = [...kept, ...before.filter(notIn(ours)).filter(notIn(kept))];
  return was === undefined && left.length === 0 ? undefined : left;
}

/** Whether something is not in a list. */
function notIn(list: readonly unknown[]): (item: unknown) => boolean {
  const texts = new Set(list.map(each => JSON.stringify(each)));
  return item => !texts.has(JSON.stringify(item));
}

function revertObject(
  was: Record<string, unknown> | undefined,
  ours: Record<string, unknown>,
  is: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const left: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(is), ...Object.keys(was ?? {})])) {
    const value = revertValue(was?.[key], ours[key], is[key]);
    if (value !== undefined) left[key] = value;
  }
  return was === undefined && Object.keys(left).length === 0 ? undefined : left;
}

/** What turns one value into the other, in as small places as there are. */
function edits(path: Path, from: unknown, to: unknown): Edit[] {
  if (isSame(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) return listEdits(path, from, to);
  if (!isObject(from) || !isObject(to)) return [{ path, value: to }];
  const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...keys].flatMap(key => edits([...path, key], from[key], to[key]));
}

function listEdits(path: Path, from: unknown[], to: unknown[]): Edit[] {
  if (from.length === to.length)
    return from.flatMap((item, place) => edits([...path, place], item, to[place]));
  const [isNew, isOut] = [notIn(from), notIn(to)];
  const kept = from.filter(item => !isOut(item));
  if (!isSame(kept, to.slice(0, kept.length)) && path.length > 0) return [{ path, value: to }];
  const out = from.flatMap((item, place) => (isOut(item) ? [place] : []));
  const more = to.filter(isNew);
  return [
    ...out.reverse().map(place => ({ path: [...path, place], value: undefined })),
    ...more.map((value, place) => ({ path: [...path, kept.length + place], value })),
  ];
}
