/** Width and height of a face in pixels. */
export const FACE_SIZE = 8;

const SKINS = ["#f2d3b3", "#e0b48c", "#c68e63", "#a9714b", "#7d5236", "#5b3a29"];
const HAIRS = [
  ...["#241c17", "#4a2f1d", "#6f4726", "#a86e32", "#d3a94e"],
  ...["#b5482a", "#7c7f86", "#33506b", "#4d7a45", "#7b4a86"],
];
const EYES = ["#3b5fa8", "#3f7a4a", "#5c3d24", "#7a4fa0", "#2f3136"];
/** Hair below the second row, by style: `x`. Faces are symmetric, so these are left halves. */
const STYLES = [
  ["....", "....", "....", "....", "....", "...."],
  ["x...", "x...", "....", "....", "....", "...."],
  ["xxx.", "x...", "x...", "x...", "....", "...."],
  ["xxxx", "x...", "....", "....", "....", "...."],
  ["x...", "x...", "x...", "x...", "x...", "x..."],
  ["....", "....", "....", "x...", "x.xx", "xxxx"],
  ["x...", "....", "....", "....", "..xx", "...x"],
];

/** A hash from 0 to 2^32 (FNV-1a, then mixed). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A colour made darker by a share, 0 to 1. */
function darker(colour: string, share: number): string {
  const part = (from: number): string =>
    Math.round(Number.parseInt(colour.slice(from, from + 2), 16) * (1 - share))
      .toString(16)
      .padStart(2, "0");
  return `#${part(1)}${part(3)}${part(5)}`;
}

/** The face of a player, the same for one uuid: paths in an SVG of 8 by 8, in the order in which they are drawn. */
export function faceOf(uuid: string): { colour: string; path: string }[] {
  let rest = hashOf(uuid);
  const pick = <T>(from: readonly T[]): T => {
    const one = from[rest % from.length] as T;
    rest = Math.floor(rest / from.length);
    return one;
  };
  const [skin, hair, eye, style] = [pick(SKINS), pick(HAIRS), pick(EYES), pick(STYLES)];
  const cells = (rows: readonly string[]): string =>
    rows
      .flatMap((row, y) =>
        [...row].map((cell, x) => (cell === "x" ? `M${x} ${y + 2}h1v1h-1zM${7 - x} ${y + 2}h1v1h-1z` : "")),
      )
      .join("");
  return [
    { colour: skin, path: "M0 0h8v8h-8z" },
    { colour: darker(skin, 0.2), path: "M3 5h2v1h-2z" },
    { colour: darker(skin, 0.4), path: "M3 6h2v1h-2z" },
    { colour: hair, path: `M0 0h8v2h-8z${cells(style)}` },
    { colour: "#ffffff", path: "M1 4h1v1h-1zM6 4h1v1h-1z" },
    { colour: eye, path: "M2 4h1v1h-1zM5 4h1v1h-1z" },
  ];
}
