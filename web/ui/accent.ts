import { accentStyle } from "./accent-style.ts";

/** Applies the owner's colour in both schemes; where the system forces colours, those stay. */
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
