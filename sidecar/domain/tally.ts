import type { LinkLimit } from "./asked.ts";

/** A limit that somebody can reach; `refusals`: a socket that was closed since it went on after many refusals. */
export type Limit =
  | "socket"
  | "address"
  | "everybody"
  | "refusals"
  | `link-${LinkLimit | "session" | "address" | "waiting"}`;

/** Limits that hold back a line of chat. */
const OF_LINES: readonly Limit[] = ["socket", "address", "everybody"];

export const isOfLines = (limit: Limit): boolean => OF_LINES.includes(limit);

/** Addresses that are told apart; what more there are is counted together. */
const MAX_ADDRESSES = 10_000;

/** What one address was refused. */
interface Source {
  address: string;
  refused: number;
  /** lines of chat among them */
  lines: number;
  limits: Partial<Record<Limit, number>>;
}

/** Who reached which limit how often, over some time. */
export interface Tally {
  sources: Map<string, Source>;
  /** refusals of addresses that are not told apart */
  unnamed: number;
  /** the source with most lines */
  most: Source | undefined;
}

export const emptyTally = (): Tally => ({ sources: new Map(), unnamed: 0, most: undefined });

/** Adds one refusal to the tally. */
export function count(tally: Tally, limit: Limit, address: string): void {
  const known = tally.sources.get(address);
  if (!known && tally.sources.size >= MAX_ADDRESSES) {
    tally.unnamed++;
    return;
  }
  const source = known ?? { address, refused: 0, lines: 0, limits: {} };
  if (!known) tally.sources.set(address, source);
  source.refused++;
  source.limits[limit] = (source.limits[limit] ?? 0) + 1;
  if (!isOfLines(limit)) return;
  source.lines++;
  if (source.lines > (tally.most?.lines ?? 0)) tally.most = source;
}

/**
 * The tally in at most `lines` lines: the addresses with most refusals, and where there are more, the others together;
 * `atLeast` so many addresses where not all were told apart.
 */
export function summary(
  { sources, unnamed }: Tally,
  lines: number,
): { named: Source[]; others: { addresses: number; refused: number; atLeast: boolean } | undefined } {
  const sorted = [...sources.values()].sort((a, b) => b.refused - a.refused);
  const atLeast = unnamed > 0;
  if (sorted.length <= lines && !atLeast) return { named: sorted, others: undefined };
  const named = sorted.slice(0, lines - 1);
  const rest = sorted.slice(lines - 1);
  const refused = rest.reduce((sum, source) => sum + source.refused, unnamed);
  return { named, others: { addresses: rest.length, refused, atLeast } };
}
