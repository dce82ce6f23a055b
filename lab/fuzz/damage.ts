import type { Dice } from "./dice.ts";

/** What parsers have stumbled over. */
const TOKENS: [Buffer, ...Buffer[]] = [
  Buffer.from("\0"),
  ...["\r\n", "\n", "\r", " ", "\t", ":", ";", ",", "%", "%00", "%2e%2e/", "../", "//", "[", "]", "{", "}"],
  ...['"', "\\", "\\u0000", "\\ud800", "null", "true", "-0", "1e999", "NaN", "__proto__", "constructor"],
  ...["§", "\u202e", "\ufeff", "\u{1f600}", "chunked", "Content-Length: 3\r\n", "HTTP/9.9", "*", "http://["],
].map(token => Buffer.from(token)) as [Buffer, ...Buffer[]];
/** No valid UTF-8, and lengths that do not fit their type. */
const BYTES: [Buffer, ...Buffer[]] = [
  Buffer.from([0xff]),
  Buffer.from([0xc0, 0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  Buffer.from([0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
];

const splice = (bytes: Buffer, at: number, remove: number, insert: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);

/** Bytes with one to six faults in them: changed, put in, taken out, doubled, or cut off. */
export function damaged(bytes: Buffer, dice: Dice): Buffer {
  let now = bytes;
  for (let left = 1 + dice.below(6); left > 0 && now.length > 0; left--) {
    const at = dice.below(now.length);
    const some = 1 + dice.below(Math.min(64, now.length));
    now = dice.pick([
      () => splice(now, at, 1, dice.bytes(1)),
      () => splice(now, at, 0, dice.pick(TOKENS)),
      () => splice(now, at, some, dice.pick(TOKENS)),
      () => splice(now, at, 0, dice.pick(BYTES)),
      () => splice(now, at, some, Buffer.alloc(0)),
      () => splice(now, at, 0, now.subarray(at, at + some)),
      () => now.subarray(0, at),
    ])();
  }
  return now;
}

/** A value of JSON as somebody might send it who looks for faults. */
function oddValue(dice: Dice, depth = 0): unknown {
  const makers: [() => unknown, ...(() => unknown)[]] = [
    () => null,
    () => dice.happens(0.5),
    () => dice.pick([0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 53, -0]),
    () => dice.pick(["", "Steve", " ", "§c", "\0", "\ud800", "toString", "__proto__", "\u202e", "💥"]),
    () => "x".repeat(dice.pick([1, 17, 64, 65, 300, 2_049, 20_000])),
    () =>
      depth > 3
        ? []
        : Array.from({ length: dice.pick([0, 1, 3, depth === 0 ? 300 : 2]) }, () =>
            oddValue(dice, depth + 2),
          ),
    () =>
      depth > 3
        ? {}
        : { [dice.pick(["is", "type", "content", "__proto__", "x"])]: oddValue(dice, depth + 1) },
  ];
  return dice.pick(makers)();
}

/** A copy of a value of JSON in which one place is odd, is missing, or is one too many. */
export function oddCopy(value: unknown, dice: Dice): unknown {
  if (typeof value !== "object" || value === null || dice.happens(0.1)) return oddValue(dice);
  const entries = Object.entries(value);
  const at = dice.below(entries.length + 1);
  const changed = entries.flatMap(([key, each], index): [string, unknown][] => {
    if (index !== at) return [[key, each]];
    return dice.happens(0.2) ? [] : [[key, oddCopy(each, dice)]];
  });
  if (at === entries.length) changed.push([dice.pick(["__proto__", "extra", "is", "0"]), oddValue(dice)]);
  return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed);
}
