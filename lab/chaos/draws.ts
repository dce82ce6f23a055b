import { seededRandom } from "../simulator/random.ts";

/** What may be drawn, each by its weight. */
export type Makes<T> = readonly [weight: number, make: () => T][];

/** What is drawn from a seed. */
export function createDraws(seed: number) {
  const random = seededRandom(seed);
  return {
    random,
    /** A whole number from one up to the other. */
    between: (low: number, high: number): number => Math.round(low + random() * (high - low)),
    either: <T>(one: T, other: T): T => (random() < 0.5 ? one : other),
    one<T>(makes: Makes<T>): T {
      const sum = makes.reduce((total, [weight]) => total + weight, 0);
      for (;;) {
        let left = random() * sum;
        for (const [weight, make] of makes) {
          left -= weight;
          if (left < 0) return make();
        }
      }
    },
  };
}
