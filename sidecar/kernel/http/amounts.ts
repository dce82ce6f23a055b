const TIMES: [name: string, ms: number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
  ["millisecond", 1],
];
const SIZES: [name: string, bytes: number][] = [
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
];

/** A time for people to read, in the largest unit that it is a whole number of: `2 minutes`. */
export function time(ms: number): string {
  const [name, unit] = TIMES.find(([, unit]) => ms >= unit && ms % unit === 0) ?? ["millisecond", 1];
  const count = ms / unit;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** A size for people to read, likewise: `16 KiB`. */
export function size(bytes: number): string {
  const [name, unit] = SIZES.find(([, unit]) => bytes >= unit && bytes % unit === 0) ?? ["bytes", 1];
  return `${bytes / unit} ${name}`;
}
