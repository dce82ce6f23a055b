import { contrast, legible } from "./contrast.ts";

/** The background of each scheme on which a colour can be read worst, as in the style sheet: the page, and what lies on it. */
const PAPER = { light: "#f1eee6", dark: "#1b1e19" };

/** The variables of the style sheet for a colour of the owner's choice, `#rrggbb`, moved until it can be read. */
export function accentStyle(colour: string, isDark: boolean): Record<string, string> {
  const accent = legible(colour.toLowerCase(), isDark ? PAPER.dark : PAPER.light);
  const ink = contrast(accent, "#ffffff") >= contrast(accent, "#000000") ? "#ffffff" : "#000000";
  return { "--accent": accent, "--on-accent": ink, "--shade": `${accent}1f` };
}
