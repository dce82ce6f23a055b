import { expect, it } from "@jest/globals";
import { type ConsoleFaultRates, createConsoleFaults } from "./console-faults.ts";

const STAMP = "[2026-11-30 12:00:00:000 WARN]";
const script = (text: string): string => `${STAMP} [Scripting] ${text}`;

const printed = (rates: Partial<ConsoleFaultRates>, ...lines: string[]): string => {
  const faults = createConsoleFaults({ seed: 1, ...rates });
  return lines.map(faults.printed).join("");
};

it("loses, doubles, delays, cuts and mixes lines of scripts, and puts NUL in front of them", () => {
  const line = script("text");
  expect(printed({}, line)).toBe(`${line}\n`);
  expect(printed({ lost: 1 }, line)).toBe("");
  expect(printed({ doubled: 1 }, line)).toBe(`${line}\n${line}\n`);
  expect(printed({ nul: 1 }, line)).toBe(`\0${line}\n`);
  const cut = printed({ cut: 1 }, line);
  expect(line.startsWith(cut.trimEnd()) && cut.length <= line.length).toBe(true);
  const other = script("other pack: 1");
  const mixed = printed({ mixed: 1 }, line);
  expect(mixed.replace(`${other}\n`, "")).toBe(`${line}\n`);
  expect(mixed.startsWith(other)).toBe(false);
  expect(printed({ late: 1 }, line)).toBe("");
  const later = printed({ late: 1 }, line, "a", "b", "c", "d");
  expect(later.replace(`${line}\n`, "")).toBe("a\nb\nc\nd\n");
  expect(later.startsWith("a\n") && later.includes(line)).toBe(true);
});

it("leaves the lines of the game itself as they are", () => {
  const all = { lost: 1, doubled: 1, late: 1, cut: 1, mixed: 1, nul: 1 };
  const lines = ["", `${STAMP} Player connected: [Scripting] , xuid: 1`, "[Scripting] x"];
  expect(printed(all, ...lines)).toBe(`${lines.join("\n")}\n`);
});

it("loses and doubles typed lines, and cuts bytes into chunks without losing any", () => {
  expect(createConsoleFaults({ seed: 1 }).typed("a")).toEqual(["a"]);
  expect(createConsoleFaults({ seed: 1, typedLost: 1 }).typed("a")).toEqual([]);
  expect(createConsoleFaults({ seed: 1, typedDoubled: 1 }).typed("a")).toEqual(["a", "a"]);
  const bytes = Buffer.from("é".repeat(5000));
  const chunks = createConsoleFaults({ seed: 1 }).chunks(bytes);
  expect(chunks.length).toBeGreaterThan(10);
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
});

it("has the same faults for the same seed, and each about as often as its share", () => {
  const lines = Array.from({ length: 2000 }, (_, i) => script(`line ${i}`));
  const [one, again, other] = [7, 7, 8].map(seed => printed({ seed, lost: 0.1, doubled: 0.1 }, ...lines));
  expect(again).toBe(one);
  expect(other).not.toBe(one);
  const counts = lines.map(line => (one ?? "").split(`${line}\n`).length - 1);
  for (const count of [0, 2]) {
    const found = counts.filter(each => each === count).length;
    expect([found > 100, found < 300]).toEqual([true, true]);
  }
});
