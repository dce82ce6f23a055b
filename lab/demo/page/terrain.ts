import { MAP_X, MAP_Z } from "../panel/protocol.ts";

/** Pixels of the picture for one block. */
const PER_BLOCK = 2;
export const PICTURE_WIDTH = MAP_X * 2 * PER_BLOCK;
export const PICTURE_HEIGHT = MAP_Z * 2 * PER_BLOCK;

const GRASS = ["#5d8f3c", "#659843", "#6ca049", "#578739"];
const WATER = ["#3f76b8", "#4a82c4", "#3a6fae"];
const SAND = ["#dccf9c", "#d3c591"];
const PATH = ["#a88a5c", "#9d7f52", "#b3966a"];
const LEAVES = ["#2f6b2b", "#37782f", "#285c25", "#418438"];
const FLOWERS = ["#e6c84b", "#d9574a", "#f0ede4", "#b77ad0"];

type Paint = (x: number, y: number, colour: string) => void;

/** A pseudo-random number from 0 to 1 that depends only on the position. */
function chance(x: number, y: number, salt: number): number {
  let hash = Math.imul(x + 374, 668265263) ^ Math.imul(y + 761, 2147483629) ^ Math.imul(salt + 13, 374761393);
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const one = (of: readonly string[], x: number, y: number, salt = 0): string =>
  of[Math.floor(chance(x, y, salt) * of.length)] ?? "";

/** Such numbers interpolated over a grid of `size` pixels. */
function slope(x: number, y: number, size: number, salt: number): number {
  const [gx, gy] = [Math.floor(x / size), Math.floor(y / size)];
  const smooth = (t: number): number => t * t * (3 - 2 * t);
  const [tx, ty] = [smooth(x / size - gx), smooth(y / size - gy)];
  const row = (dy: number): number =>
    chance(gx, gy + dy, salt) * (1 - tx) + chance(gx + 1, gy + dy, salt) * tx;
  return row(0) * (1 - ty) + row(1) * ty;
}

/** Draws the terrain; the result is always the same. */
export function drawTerrain(context: CanvasRenderingContext2D): void {
  const paint: Paint = (x, y, colour) => {
    context.fillStyle = colour;
    context.fillRect(x, y, 1, 1);
  };
  for (let y = 0; y < PICTURE_HEIGHT; y++)
    for (let x = 0; x < PICTURE_WIDTH; x++) paint(x, y, groundAt(x, y));
  for (let y = 6; y < PICTURE_HEIGHT - 4; y += 9)
    for (let x = 6; x < PICTURE_WIDTH - 4; x += 10) {
      const [tx, ty] = [x + Math.floor(chance(x, y, 5) * 6), y + Math.floor(chance(x, y, 6) * 5)];
      if (chance(x, y, 4) < 0.12 + 0.5 * slope(tx, ty, 40, 9) ** 3 && isFree(tx, ty)) tree(paint, tx, ty);
    }
}

/** Distance from the shore in pixels; negative in water. */
const shore = (x: number, y: number): number =>
  Math.hypot((x - 42) / 1.5, y - 78) - 15 + (slope(x, y, 12, 2) - 0.5) * 12;

const pathY = (x: number): number => 52 + 9 * Math.sin(x / 26) + 3 * Math.sin(x / 9);
const onPath = (x: number, y: number): boolean => Math.abs(y - pathY(x)) < 2.6 + chance(x, y, 3) * 0.8;

const isFree = (x: number, y: number): boolean => shore(x, y) > 6 && Math.abs(y - pathY(x)) > 9;

function groundAt(x: number, y: number): string {
  const depth = shore(x, y);
  if (depth < 0) return one(WATER, x >> 1, y, Math.floor(depth / 5));
  if (depth < 2.5) return one(SAND, x, y);
  if (onPath(x, y)) return one(PATH, x, y);
  if (chance(x, y, 7) < 0.006) return one(FLOWERS, x, y);
  const tone = slope(x, y, 24, 1) * 2.2 + chance(x, y, 8) * 1.8;
  return GRASS[Math.min(GRASS.length - 1, Math.floor(tone))] ?? "";
}

function tree(paint: Paint, x: number, y: number): void {
  const radius = 3 + Math.floor(chance(x, y, 10) * 2);
  for (let dy = -radius; dy <= radius + 1; dy++)
    for (let dx = -radius; dx <= radius; dx++) {
      const distance = Math.hypot(dx, dy) + chance(x + dx, y + dy, 11) * 0.9;
      if (Math.hypot(dx, dy - 1) < radius && distance >= radius) paint(x + dx, y + dy, "#3f6a2c");
      if (distance < radius) paint(x + dx, y + dy, one(LEAVES, x + dx, y + dy, dy > 1 ? 2 : 1));
    }
  paint(x - 1, y - 1, "#5a9a4a");
}
