import { accentStyle } from "./accent-style.ts";

/** Gives the page the owner's colour, in both schemes; where colours are forced, those of the system stay. */
export function paintAccent(colour: string): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const forced = matchMedia("(forced-colors: active)");
  const { style } = document.documentElement;
  const paint = (): void => {
    for (const [name, value] of Object.entries(accentStyle(colour, dark.matches)))
      if (forced.matches) style.removeProperty(name);
      else style.setProperty(name, value);
  };
  dark.addEventListener("change", paint);
  forced.addEventListener("change", paint);
  paint();
}
