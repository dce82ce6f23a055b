export const TAG = { end: 0, byte: 1, int: 3, string: 8, list: 9, compound: 10 } as const;

/** A tag of a compound, with the offsets of its type byte, its payload and its end. */
export interface Tag {
  type: number;
  name: string;
  start: number;
  payload: number;
  end: number;
}

/** Bytes of one payload, or of one item of an array, by type. */
const SIZES: Record<number, number> = { 1: 1, 2: 2, 3: 4, 4: 8, 5: 4, 6: 8, 7: 1, 11: 4, 12: 8 };
const ARRAYS = [7, 11, 12];
/** The game's own limit. */
const MAX_DEPTH = 512;
const DECODER = new TextDecoder();

/** Tags are nested too deeply. The message is a fault. */
export class TooDeep extends RangeError {
  override readonly name = "TooDeep";

  constructor() {
    super(`it is nested deeper than ${MAX_DEPTH}`);
  }
}

/** The tag at an offset, whose content is checked too; throws RangeError for malformed bytes. */
export function readTag(view: DataView, start: number, depth = 0): Tag {
  const type = view.getUint8(start);
  if (type === TAG.end) return { type, name: "", start, payload: start + 1, end: start + 1 };
  const payload = textEnd(view, start + 1);
  const name = readText(view, start + 1);
  return { type, name, start, payload, end: skip(view, type, payload, depth) };
}

/** Tags of a compound; the last one is its end tag. */
export function readTags(view: DataView, payload: number, depth = 0): Tag[] {
  const tags: Tag[] = [];
  for (let at = payload; tags.at(-1)?.type !== TAG.end; ) {
    const tag = readTag(view, at, depth);
    tags.push(tag);
    at = tag.end;
  }
  return tags;
}

/** The text at an offset. */
export function readText(view: DataView, at: number): string {
  const start = at + 2;
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start, textEnd(view, at) - start);
  return DECODER.decode(bytes);
}

/** The numbers of a list of ints; undefined: it holds something else. */
export function readInts(view: DataView, payload: number): number[] | undefined {
  if (view.getUint8(payload) !== TAG.int) return undefined;
  const start = payload + 5;
  return Array.from({ length: count(view, payload + 1) }, (_, i) => view.getInt32(start + 4 * i, true));
}

export const byteTag = (name: string): number[] => [TAG.byte, ...nameBytes(name), 1];

export const compoundTag = (name: string, inside: number[]): number[] => [
  TAG.compound,
  ...nameBytes(name),
  ...inside,
  TAG.end,
];

/** For ASCII names only. */
const nameBytes = (name: string): number[] => [
  name.length & 0xff,
  name.length >> 8,
  ...Array.from(name, letter => letter.charCodeAt(0)),
];

function skip(view: DataView, type: number, at: number, depth: number): number {
  if (depth > MAX_DEPTH) throw new TooDeep();
  const size = SIZES[type];
  if (type === TAG.string) return textEnd(view, at);
  if (type === TAG.compound) return readTags(view, at, depth + 1).at(-1)?.end ?? at;
  if (type === TAG.list) return skipList(view, at, depth + 1);
  if (size === undefined) throw new RangeError("unknown tag");
  if (!ARRAYS.includes(type)) return checkedEnd(view, at + size);
  return checkedEnd(view, at + 4 + size * count(view, at));
}

function skipList(view: DataView, at: number, depth: number): number {
  const type = view.getUint8(at);
  const items = count(view, at + 1);
  let end = at + 5;
  if (type === TAG.end) {
    if (items > 0) throw new RangeError("unknown tag");
    return end;
  }
  for (let item = 0; item < items; item++) end = skip(view, type, end, depth);
  return end;
}

function count(view: DataView, at: number): number {
  return Math.max(0, view.getInt32(at, true));
}

const textEnd = (view: DataView, at: number): number => checkedEnd(view, at + 2 + view.getUint16(at, true));

function checkedEnd(view: DataView, end: number): number {
  if (end > view.byteLength) throw new RangeError("past the end");
  return end;
}
