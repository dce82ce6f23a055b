const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Uint8Array(128);
for (let i = 0; i < LETTERS.length; i++) VALUES[LETTERS.charCodeAt(i)] = i;

/** Decodes base64url to a string with a character for each byte. The engine has no function for it. */
export function fromBase64url(encoded: string): string {
  const bytes: number[] = [];
  const value = (at: number): number => VALUES[encoded.charCodeAt(at)] ?? 0;
  for (let i = 0; i + 1 < encoded.length; i += 4) {
    const bits = (value(i) << 18) | (value(i + 1) << 12) | (value(i + 2) << 6) | value(i + 3);
    bytes.push(bits >> 16);
    if (i + 2 < encoded.length) bytes.push((bits >> 8) & 255);
    if (i + 3 < encoded.length) bytes.push(bits & 255);
  }
  // At most a part of a message: few enough arguments for one call.
  return String.fromCharCode(...bytes);
}

/** The text whose bytes in UTF-8 are the characters of `bytes`. @throws if they are no UTF-8 */
export function fromUtf8(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? decodeURIComponent(percentEncoded(bytes)) : bytes;
}

const percentEncoded = (bytes: string): string =>
  bytes.replace(/[%\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16)}`);
