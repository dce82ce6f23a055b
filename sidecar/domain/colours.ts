/** Colours of the `§` codes of Bedrock, as the client draws them. */
const COLOURS: Readonly<Record<string, string>> = {
  "0": "#000000",
  "1": "#0000aa",
  "2": "#00aa00",
  "3": "#00aaaa",
  "4": "#aa0000",
  "5": "#aa00aa",
  "6": "#ffaa00",
  "7": "#aaaaaa",
  "8": "#555555",
  "9": "#5555ff",
  a: "#55ff55",
  b: "#55ffff",
  c: "#ff5555",
  d: "#ff55ff",
  e: "#ffff55",
  f: "#ffffff",
  g: "#ddd605",
  h: "#e3d4d1",
  i: "#cecaca",
  j: "#443a3b",
  m: "#971607",
  n: "#b4684d",
  p: "#deb12d",
  q: "#11a036",
  s: "#2cbaa8",
  t: "#21497b",
  u: "#9a5cc6",
  v: "#eb7114",
  w: "#8cb3ff",
};

/** Obfuscated, bold and italic: they have no colour and end none. */
const STYLES = "klo";
const RESET = "r";

/**
 * Text of the game in the colour encoding of `/chat`: each stretch of one colour begins with `§#rrggbb`, one without
 * colour with `§§`. A part begins a new stretch; its colour goes on from the part before, as it does on the screen.
 * No other `§` is left, whatever the parts hold.
 */
export function encodeColours(parts: readonly string[]): string {
  let encoded = "";
  let colour: string | undefined;
  for (const part of parts) {
    let stretch = "";
    const end = (): void => {
      if (stretch !== "") encoded += `§${colour ?? "§"}${stretch}`;
      stretch = "";
    };
    for (let i = 0; i < part.length; i++) {
      const char = part.charAt(i);
      if (char !== "§") {
        stretch += char;
        continue;
      }
      const code = part.charAt(i + 1).toLowerCase();
      const next = code === RESET ? undefined : COLOURS[code];
      if (code !== RESET && next === undefined) {
        // A code without colour goes; a § that begins no code goes alone, and what follows it stays.
        if (code !== "" && STYLES.includes(code)) i++;
        continue;
      }
      i++;
      if (next === colour) continue;
      end();
      colour = next;
    }
    end();
  }
  return encoded;
}
