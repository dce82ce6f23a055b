/**
 * Colours of Bedrock's `§` codes, as of game 1.26.50. No other table is needed: messages are sent with their colours.
 */
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
  "9": "#447fff",
  a: "#55ff55",
  b: "#55ffff",
  c: "#ff5555",
  d: "#ff55ff",
  e: "#ffff55",
  f: "#ffffff",
  g: "#efce16",
  h: "#d9ccb8",
  i: "#a9b4b7",
  j: "#8f727d",
  m: "#ee222c",
  n: "#c87363",
  p: "#ffbf1e",
  q: "#13a045",
  s: "#5fecff",
  t: "#577bff",
  u: "#b66cdd",
  v: "#ff6a00",
  w: "#8bb3ff",
};

/** Obfuscated, bold and italic: they neither have nor end a colour, and no colour ends them. */
const STYLES = "klo";
const RESET = "r";

/**
 * Encodes text of the game for `/chat`: each run of one colour begins with `§#rrggbb`, or `§§` without colour. A part begins a new
 * run in the colour of the previous part, as on screen. No other `§` is left.
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
        // A style code is dropped; for an unknown one only the § is.
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
