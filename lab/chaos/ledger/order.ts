/** Something that must not be, and when it showed, in milliseconds since the run began. */
export interface Violation {
  at: number;
  what: string;
}

/** A line as it arrived somewhere. */
export interface Heard {
  text: string;
  at: number;
}

/**
 * A connection of a chat socket, in milliseconds since the run began: from its greeting to its end, or to where it stopped
 * reading for good.
 */
export interface Ear {
  name: string;
  /** number of the sidecar process that it was connected to */
  life: number;
  from: number;
  until: number;
  heard: readonly Heard[];
}

/** What is wrong with what somebody heard, when each line may come once at most and in the order in which all were said. */
export function judgeOrder(who: string, said: readonly string[], heard: readonly Heard[]): Violation[] {
  const place = new Map(said.map((text, index) => [text, index]));
  const seen = new Set<string>();
  const violations: Violation[] = [];
  let last = -1;
  for (const { text, at } of heard) {
    const index = place.get(text);
    if (index === undefined) violations.push({ at, what: `${who}: "${text}" was never said` });
    else if (seen.has(text)) violations.push({ at, what: `${who}: "${text}" came twice` });
    else if (index < last) violations.push({ at, what: `${who}: "${text}" came after "${said[last]}"` });
    else last = index;
    seen.add(text);
  }
  return violations;
}
