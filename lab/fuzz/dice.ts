import { seededRandom } from "../simulator/random.ts";

/** Choices that depend on a seed and a number alone, so that an input can be made again by its number. */
export interface Dice {
  /** a whole number of 0 to `below - 1` */
  below(below: number): number;
  /** whether something that happens in `share` of all cases does */
  happens(share: number): boolean;
  pick<const T extends readonly [unknown, ...unknown[]]>(from: T): T[number];
  bytes(count: number): Buffer;
}

/** @param number of the input in the run with this seed */
export function createDice(seed: number, number: number): Dice {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const below = (end: number): number => Math.floor(random() * end);
  return {
    below,
    happens: share => random() < share,
    pick: from => from[below(from.length)] ?? from[0],
    bytes: count => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
