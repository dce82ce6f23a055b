type Rgb = [number, number, number];

/** WCAG requires a contrast of 4.5 for text; this allows for rounding. */
const ENOUGH = 4.6;
const STEPS = 24;

const channels = (hex: string): Rgb => [1, 3, 5].map(i => Number.parseInt(hex.slice(i, i + 2), 16)) as Rgb;
const hexOf = (rgb: Rgb): string =>
  `#${rgb.map(value => Math.round(value).toString(16).padStart(2, "0")).join("")}`;

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, 1 to 21, as WCAG defines it. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(channels(one)), luminance(channels(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The colour, shifted towards black or white until it is legible on a background. Both are `#rrggbb`. */
export function legible(colour: string, background: string): string {
  const [from, towards] = [channels(colour), luminance(channels(background)) > 0.2 ? 0 : 255];
  for (let step = 0; step <= STEPS; step++) {
    const mixed = hexOf(from.map(value => value + ((towards - value) * step) / STEPS) as Rgb);
    if (contrast(mixed, background) >= ENOUGH) return mixed;
  }
  return towards === 0 ? "#000000" : "#ffffff";
}
