/** The whole number of an option, from `least` to `most`. @throws what is expected, followed by `usage` */
export function whole(option: string, text: string, least: number, most: number, usage = ""): number {
  const number = Number(text.trim());
  if (/^\d{1,12}$/.test(text.trim()) && number >= least && number <= most) return number;
  const below = usage === "" ? "" : `\n\n${usage}`;
  throw new Error(`${option} ${text}: expected a whole number from ${least} to ${most}${below}`);
}
