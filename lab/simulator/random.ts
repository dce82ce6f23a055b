/** Numbers in [0, 1) that depend only on the seed. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return scramble(state);
  };
}

/** A number in [0, 1) that depends only on the seed and the index. */
export function randomAt(seed: number, index: number): number {
  return scramble((Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(index + 1, 0x6d2b79f5)) | 0);
}

function scramble(state: number): number {
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
