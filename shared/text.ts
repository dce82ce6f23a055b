const WIDE = /[\u0080-\uffff]/;

/** Number of bytes of a string in UTF-8; an unpaired surrogate counts like its replacement character. */
export function utf8Bytes(value: string): number {
  // The game's engine searches for wide characters much faster than a loop can count.
  if (!WIDE.test(value)) return value.length;
  let bytes = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < value.length && isLow(value.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The first `max` UTF-16 code units of a string, without splitting a surrogate pair. */
export function clip(value: string, max: number): string {
  if (value.length <= max) return value;
  return value.slice(0, isLow(value.charCodeAt(max)) ? max - 1 : max);
}
