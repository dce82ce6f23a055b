import { contrast, legible } from "./contrast.ts";

/** The background of each scheme that is hardest to read on, as in the style sheet: the page in light, a panel in dark. */
const BACKGROUND = { light: "#f1eee6", dark: "#1b1e19" };

/** The style sheet's variables for the owner's colour, `#rrggbb`, shifted until it is legible. */
export function accentStyle(colour: string, isDark: boolean): Record<string, string> {
  const accent = legible(colour.toLowerCase(), isDark ? BACKGROUND.dark : BACKGROUND.light);
  const ink = contrast(accent, "#ffffff") >= contrast(accent, "#000000") ? "#ffffff" : "#000000";
  return { "--accent": accent, "--on-accent": ink, "--shade": `${accent}1f` };
}
