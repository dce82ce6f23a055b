/** An answer of Redis that does not have the form that it is documented to have. */
const unexpected = (expected: string, found: unknown): Error =>
  new Error(`Redis answered ${typeof found} where ${expected} was expected`);

export function listOf(reply: unknown): unknown[] {
  if (Array.isArray(reply)) return reply;
  throw unexpected("a list", reply);
}

export function textOf(reply: unknown): string {
  if (typeof reply === "string") return reply;
  throw unexpected("a text", reply);
}

export const textsOf = (reply: unknown): string[] => listOf(reply).map(textOf);

export const maybeText = (reply: unknown): string | undefined => (reply === null ? undefined : textOf(reply));

export function numberOf(reply: unknown): number {
  const number = Number(reply);
  if ((typeof reply === "number" || typeof reply === "string") && Number.isFinite(number)) return number;
  throw unexpected("a number", reply);
}

/** Names and values that follow each other. */
export function pairsOf(reply: unknown): [string, string][] {
  const parts = textsOf(reply);
  return parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? ""] as [string, string]] : []));
}

/** An entry of a stream. */
export interface StreamEntry {
  id: string;
  fields: ReadonlyMap<string, string>;
}

export const entriesOf = (reply: unknown): StreamEntry[] =>
  listOf(reply).map(entry => {
    const [id, fields] = listOf(entry);
    return { id: textOf(id), fields: new Map(pairsOf(fields)) };
  });
