// Frames of the console link. The pack prints them as lines on the game's console; `launch` types them as the word of a custom
// command. Both ends use these rules.

/** A part of a message. `seq` 0: it only acknowledges. */
export interface Frame {
  /** number of this part, from 1 in each direction */
  readonly seq: number;
  /** number of the last part that was received, with all before it */
  readonly ack: number;
  /** whether it is the last part of its message */
  readonly isLast: boolean;
  /** at most `MAX_LINE_PAYLOAD` or `MAX_WORD_PAYLOAD` characters */
  readonly payload: string;
}

/** The custom command of the pack that takes a word of `launch`. */
export const COMMAND = "bridge:console";

/** Longest text of a part in a line: a line has at most 3,500 bytes, with time and level in front. */
export const MAX_LINE_PAYLOAD = 3_300;

/** Longest text of a part in a word, before it is encoded: a command has at most 1,000 characters. */
export const MAX_WORD_PAYLOAD = 690;

/** A key: the secret of one run of the pack. It begins with a letter, so that no command takes it for a number. */
const KEY = "k[0-9a-f]{20}";

/** The id by which a pack that asks for a key recognises the answer. It is no secret. */
const ID = "[0-9a-z]{6,12}";

const MARK = "[web bridge] ";
const ASK = `not connected: start this game server with "launch", see docs/achievements.md, id `;
const ASKING = new RegExp(`^\\[web bridge\\] ${ASK}(${ID})$`);

/** The line that asks `launch` for a key. Owners see it where the game server was started without `launch`. */
export const askLine = (id: string): string => MARK + ASK + id;

/** The id in a line that asks for a key; undefined: it is another line. */
export const readAsk = (line: string): string | undefined => ASKING.exec(line)?.[1];

const KEY_WORD = new RegExp(`^key(${KEY})(${ID})$`);

/** The word that gives the pack with this id its key. */
export const keyWord = (key: string, id: string): string => `key${key}${id}`;

/** The key in such a word, if it is for this id. */
export function readKeyWord(word: string, id: string): string | undefined {
  const [, key, addressee] = KEY_WORD.exec(word) ?? [];
  return addressee === id ? key : undefined;
}

/** The key of 10 random bytes in hexadecimal digits. */
export const keyOf = (hex: string): string => `k${hex}`;

const DIGITS = 5;
const BASE = 36;
const LIMIT = BASE ** DIGITS;

/** A number with a fixed width. After 60 million parts it begins at 0 again, which ends the link, and a new one begins. */
const number = (value: number): string => (LIMIT + (value % LIMIT)).toString(BASE).slice(1);

// Numbers, the flag and the length of the payload have a fixed width, so reading a part is a few slices.
const HEADER = 3 * DIGITS + 1;
const HEADER_FORM = new RegExp(`^[0-9a-z]{${2 * DIGITS}}[mz][0-9a-z]{${DIGITS}}$`);

function encode({ seq, ack, isLast, payload }: Frame, written = payload): string {
  return `${number(seq)}${number(ack)}${isLast ? "z" : "m"}${number(written.length)}${written}`;
}

/** A frame that arrived whole; undefined: it is damaged. */
function decode(text: string): Frame | undefined {
  if (!HEADER_FORM.test(text.slice(0, HEADER))) return undefined;
  const value = (at: number): number => Number.parseInt(text.slice(at, at + DIGITS), BASE);
  const payload = text.slice(HEADER);
  if (value(2 * DIGITS + 1) !== payload.length) return undefined;
  return { seq: value(0), ack: value(DIGITS), isLast: text[2 * DIGITS] === "z", payload };
}

const KEY_IN_LINE = new RegExp(`^\\[web bridge\\] (${KEY})`);

/** The key at the start of a line that may have a frame. */
export const keyOfLine = (line: string): string | undefined => KEY_IN_LINE.exec(line)?.[1];

/** The console line of a frame. The payload is ASCII without line breaks. The key at both ends shows that none of it is missing. */
export const frameLine = (key: string, frame: Frame): string => `${MARK}${key}${encode(frame)}${key}`;

/** The frame in a console line, without what the game puts in front; undefined: it is damaged, or another line. */
export function readFrameLine(key: string, line: string): Frame | undefined {
  const start = MARK + key;
  if (!line.startsWith(start) || !line.endsWith(key) || line.length < start.length + key.length)
    return undefined;
  return decode(line.slice(start.length, line.length - key.length));
}

/** The word of a frame. @param encoded its payload in base64url */
export const frameWord = (key: string, frame: Frame, encoded: string): string => key + encode(frame, encoded);

/** The frame in a word, with its payload in base64url; undefined: it is damaged, or has another key. */
export const readFrameWord = (key: string, word: string): Frame | undefined =>
  word.startsWith(key) ? decode(word.slice(key.length)) : undefined;
