import { contrast, legible } from "./legible.ts";

/** Backgrounds of the page, as in the style sheet. */
const PAPER = { light: "#f1eee6", dark: "#131512" };

/** The variables of the style sheet for a colour of the owner's choice, `#rrggbb`, moved until it can be read. */
export function accentStyle(colour: string, isDark: boolean): Record<string, string> {
  const accent = legible(colour.toLowerCase(), isDark ? PAPER.dark : PAPER.light);
  const ink = contrast(accent, "#ffffff") >= contrast(accent, "#000000") ? "#ffffff" : "#000000";
  return { "--accent": accent, "--on-accent": ink, "--shade": `${accent}1f` };
}
