import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { ico, png } from "./png.mjs";

/** @typedef {import("./png.mjs").Squares} Squares */

/** @param {number} width @param {number} height @param {string} colour @returns {Squares} */
const canvas = (width, height, colour) => Array.from({ length: height }, () => Array(width).fill(colour));

/**
 * @param {Squares} on
 * @param {string} colour
 * @param {[left: number, top: number, width: number, height: number]} place
 */
function fill(on, colour, [left, top, width, height]) {
  for (const row of on.slice(top, top + height)) row.fill(colour, left, left + width);
}

/** Squares on a side of the icon. */
const SIDE = 16;

/**
 * The icon, whose paths are rectangles of whole squares.
 * @param {string} background
 */
function icon(background) {
  const squares = canvas(SIDE, SIDE, background);
  const svg = readFileSync(join(ROOT, "web/icon.svg"), "utf8");
  for (const [, colour = "", path = ""] of svg.matchAll(/<path fill="(#\w{6})" d="([^"]+)"/g)) {
    let [left, top] = [0, 0];
    for (const [, move, x, y, width, height] of path.matchAll(/([Mm])(\d+) (\d+)h(\d+)v(\d+)[hH]-?\d+z/g)) {
      [left, top] = move === "M" ? [Number(x), Number(y)] : [left + Number(x), top + Number(y)];
      fill(squares, colour, [left, top, Number(width), Number(height)]);
    }
  }
  return squares;
}

const [WIDTH, HEIGHT, PIXELS] = [80, 42, 15];
const [GRASS, GREEN, DEEP] = ["#6fa560", "#3d6b35", "#2f5529"];
const [EARTH, STONE, DARK] = ["#7a5a3a", "#65492e", "#523a24"];
const SKY = ["#7fb0c4", "#8dbac9", "#9cc4ce", "#accdd2", "#bdd6d5", "#cedfd8", "#dfe7da"];
const [CLOUD, SUN, FAR, NEAR] = ["#f6f4ec", "#fdf0c4", "#9dbba4", "#7fa57c"];
const WATER = ["#6fa3b4", "#6198ab", "#558da2", "#4a8297"];
const [LIGHT, SHADE] = ["#8fbac6", "#3f7288"];
/** Tops of the bridge and of the water, and the width of a bank. */
const [DECK, RIVER, BANK] = [21, 33, 13];

/** @type {[left: number, top: number, width: number][]} */
const CLOUDS = [
  [8, 6, 9],
  [11, 5, 4],
  [30, 9, 12],
  [34, 8, 5],
  [47, 3, 8],
  [67, 12, 9],
];
/** @type {[left: number, top: number, width: number][]} */
const LIGHTS = [
  [34, 34, 5],
  [41, 35, 4],
  [35, 38, 8],
  [15, 35, 5],
  [19, 39, 3],
  [58, 36, 6],
  [60, 40, 4],
  [38, 41, 4],
];
/**
 * What the arches of a bridge begin with on each side of a pier, from the top.
 * @type {[width: number, top: number, height: number][]}
 */
const SHOULDERS = [
  [6, 4, 1],
  [4, 5, 1],
  [2, 6, 2],
  [1, 8, 2],
];

/**
 * The top of hills at a square.
 * @param {number} x
 * @param {number} top
 * @param {number} wave
 */
const hill = (x, top, wave) =>
  Math.round(top + 3 * Math.sin(x / wave) + 1.6 * Math.sin((x * 2.7) / wave + 2));

/** A bridge over a river: 1200 by 630 pixels, as previews show a picture. It has no words: it is the same for all owners. */
function landscape() {
  const squares = canvas(WIDTH, HEIGHT, SKY[0] ?? "");
  for (const [i, colour] of SKY.entries()) fill(squares, colour, [0, i * 3, WIDTH, HEIGHT]);
  fill(squares, SUN, [60, 4, 6, 6]);
  for (const [left, top, width] of CLOUDS) fill(squares, CLOUD, [left, top, width, 1]);
  for (let x = 0; x < WIDTH; x++) {
    fill(squares, FAR, [x, hill(x, 17, 9), 1, HEIGHT]);
    fill(squares, NEAR, [x, hill(x + 31, 26, 7), 1, HEIGHT]);
  }
  for (const [i, colour] of WATER.entries()) fill(squares, colour, [0, RIVER + 2 * i, WIDTH, HEIGHT]);
  for (const [left, top, width] of LIGHTS) fill(squares, LIGHT, [left, top, width, 1]);
  for (const left of [24, 48]) pier(squares, left);
  for (const left of [0, WIDTH - BANK]) bank(squares, left);
  fill(squares, GREEN, [BANK, DECK, WIDTH - 2 * BANK, 4]);
  fill(squares, GRASS, [0, DECK, WIDTH, 2]);
  fill(squares, DEEP, [BANK, DECK + 3, WIDTH - 2 * BANK, 1]);
  for (let left = BANK; left <= WIDTH - BANK; left += 6) fill(squares, STONE, [left, DECK - 3, 1, 3]);
  fill(squares, EARTH, [BANK, DECK - 3, WIDTH - 2 * BANK + 1, 1]);
  tree(squares, 3, 8);
  tree(squares, 70, 6);
  return squares;
}

/** @param {Squares} on @param {number} left */
function pier(on, left) {
  fill(on, EARTH, [left, DECK + 4, 8, HEIGHT - DECK - 7]);
  fill(on, STONE, [left + 6, DECK + 4, 2, HEIGHT - DECK - 7]);
  fill(on, SHADE, [left - 1, HEIGHT - 3, 10, 1]);
  for (const [width, top, height] of SHOULDERS) {
    fill(on, EARTH, [left - width, DECK + top, width, height]);
    fill(on, STONE, [left + 8, DECK + top, width, height]);
  }
}

/** @param {Squares} on @param {number} left */
function bank(on, left) {
  fill(on, EARTH, [left, DECK, BANK, HEIGHT]);
  for (let y = DECK + 5; y < HEIGHT; y++)
    for (let x = left; x < left + BANK; x++) {
      const mark = (x * 7 + y * 13 + x * y) % 11;
      if (mark === 0 || mark === 5) fill(on, mark === 0 ? STONE : DARK, [x, y, 1, 1]);
    }
  fill(on, GREEN, [left, DECK, BANK, 5]);
}

/** @param {Squares} on @param {number} left @param {number} height of its trunk and its crown */
function tree(on, left, height) {
  fill(on, STONE, [left + 3, DECK - 4, 1, 4]);
  fill(on, GREEN, [left, DECK - height + 1, 7, height - 4]);
  fill(on, GREEN, [left + 1, DECK - height - 1, 5, 2]);
  fill(on, GRASS, [left + 1, DECK - height - 1, 3, 1]);
  fill(on, GRASS, [left, DECK - height + 1, 2, 1]);
  fill(on, DEEP, [left, DECK - 4, 7, 1]);
}

/**
 * The pictures of the console, by the place where others look for them.
 * @returns {{ icon: Uint8Array, favicon: Uint8Array, preview: Uint8Array }} `icon` 512 pixels wide on the paper of the page
 */
export const pictures = () => ({
  icon: png(icon("#f1eee6"), 32),
  favicon: ico(png(icon(""), 2), 2 * SIDE),
  preview: png(landscape(), PIXELS),
});
