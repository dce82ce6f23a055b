import { expect, it } from "@jest/globals";
import { restartDelay } from "./restart-delay.ts";

it.each<[ranMs: number, before: number | undefined, delay: number]>([
  [0, undefined, 1_000],
  [0, 1_000, 2_000],
  [0, 2_000, 4_000],
  [59_999, 4_000, 8_000],
  [0, 16_000, 30_000],
  [0, 30_000, 30_000],
  [60_000, 30_000, 1_000],
])("a sidecar that ran %d ms after a wait of %p ms is started again after %d ms", (ran, before, delay) => {
  expect(restartDelay(ran, before)).toBe(delay);
});
