import { RawMessageError } from "./errors.ts";

interface RawMessage {
  readonly text?: unknown;
  readonly rawtext?: unknown;
  readonly translate?: unknown;
  readonly with?: unknown;
  readonly score?: unknown;
  readonly selector?: unknown;
}

/**
 * Flattens an argument of `sendMessage` or a form: a string, a RawMessage, or an array of both.
 * A translated text is shown as its key, with its arguments in brackets.
 * @throws RawMessageError for a malformed RawMessage.
 */
export function flatten(message: unknown): string {
  if (typeof message === "string") return message;
  if (Array.isArray(message)) return message.map(flatten).join("");
  if (typeof message !== "object" || message === null) throw new TypeError("Native type conversion failed.");
  return flattenRaw(message);
}

function flattenRaw(message: RawMessage): string {
  const { text, rawtext, translate, score, selector } = message;
  if (rawtext !== undefined) {
    if (!Array.isArray(rawtext)) throw new RawMessageError("RawMessage: 'rawtext' must be an array.");
    return rawtext.map(part => flattenPart(part)).join("");
  }
  if (text !== undefined) {
    if (typeof text !== "string") throw new RawMessageError("RawMessage: 'text' must be a string.");
    return text;
  }
  if (translate !== undefined) {
    if (typeof translate !== "string") throw new RawMessageError("RawMessage: 'translate' must be a string.");
    const args = translateArguments(message.with);
    return args.length === 0 ? translate : `${translate}(${args.join(", ")})`;
  }
  if (score !== undefined || selector !== undefined) {
    throw new Error("simulator: RawMessage score and selector are not simulated");
  }
  throw new RawMessageError("RawMessage: one of text, translate, rawtext, score or selector is needed.");
}

function translateArguments(given: unknown): string[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) {
    return given.map(part => {
      if (typeof part !== "string") throw new RawMessageError("RawMessage: 'with' must hold strings.");
      return part;
    });
  }
  if (typeof given === "object" && given !== null && "rawtext" in given && Array.isArray(given.rawtext)) {
    return given.rawtext.map(part => flattenPart(part));
  }
  throw new RawMessageError("RawMessage: 'with' must be an array of strings or a RawMessage with rawtext.");
}

function flattenPart(part: unknown): string {
  if (typeof part !== "object" || part === null) {
    throw new RawMessageError("RawMessage: 'rawtext' must hold RawMessages.");
  }
  return flattenRaw(part);
}

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(unit, text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

function isPair(unit: number, next: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000;
}
