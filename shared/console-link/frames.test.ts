import { expect, it } from "@jest/globals";
import {
  askLine,
  COMMAND,
  type Frame,
  frameLine,
  frameWord,
  keyOf,
  keyOfLine,
  keyWord,
  MAX_LINE_PAYLOAD,
  MAX_WORD_PAYLOAD,
  readAsk,
  readFrameLine,
  readFrameWord,
  readKeyWord,
} from "./frames.ts";

const KEY = keyOf("0123456789abcdef0123");
const frame = (payload: string): Frame => ({ seq: 1, ack: 2, isLast: true, payload });

it("the line that asks for a key has the id of the pack", () => {
  expect(readAsk(askLine("abc123"))).toBe("abc123");
  expect(readAsk(`${askLine("abc123")} and more`)).toBeUndefined();
});

it("[CONSOLE-1] a key is only for the pack that asked", () => {
  expect(readKeyWord(keyWord(KEY, "abc123"), "abc123")).toBe(KEY);
  expect(readKeyWord(keyWord(KEY, "abc123"), "abc124")).toBeUndefined();
});

it("[CONSOLE-3] a frame comes back from its line and its word", () => {
  const frame = { seq: 70_000, ack: 12, isLast: false, payload: '{"a":[1]}' };
  expect(keyOfLine(frameLine(KEY, frame))).toBe(KEY);
  expect(readFrameLine(KEY, frameLine(KEY, frame))).toEqual(frame);
  expect(readFrameWord(KEY, frameWord(KEY, frame, "eyJhIjp9"))).toEqual({ ...frame, payload: "eyJhIjp9" });
});

it("[CONSOLE-2] the longest line has at most 3,500 bytes with time and level in front", () => {
  const line = frameLine(KEY, frame("x".repeat(MAX_LINE_PAYLOAD)));
  expect(`[2026-11-30 20:00:00:000 WARN] [Scripting] ${line}`.length).toBeLessThanOrEqual(3_500);
});

it("[CONSOLE-2] the longest command has at most 1,000 characters, and needs no quotes", () => {
  const encoded = "_-".repeat((MAX_WORD_PAYLOAD * 4) / 3 / 2);
  const word = frameWord(KEY, frame(""), encoded);
  expect(`${COMMAND} ${word}`.length).toBeLessThanOrEqual(1_000);
  expect(word).toMatch(/^[a-z][A-Za-z0-9_-]+$/);
});

it("[CONSOLE-3] a line or a word of which anything is missing is no frame", () => {
  const line = frameLine(KEY, frame("hello"));
  const word = frameWord(KEY, frame(""), "aGVsbG8");
  for (let cut = 1; cut < line.length; cut++) {
    expect(readFrameLine(KEY, line.slice(cut))).toBeUndefined();
    expect(readFrameLine(KEY, line.slice(0, -cut))).toBeUndefined();
    expect(readFrameLine(KEY, line.slice(0, cut) + line.slice(cut + 1))).toBeUndefined();
  }
  for (let cut = 1; cut < word.length; cut++) expect(readFrameWord(KEY, word.slice(0, -cut))).toBeUndefined();
});
