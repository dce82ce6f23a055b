import { type Ear, type Heard, judgeOrder, type Violation } from "./order.ts";

/** A connection that speaks, too. */
export interface Mouth extends Ear {
  speaker: string;
  /** what it has said */
  said: readonly Heard[];
  /** when it was told that a line did not reach the game */
  exceptions: readonly number[];
}

/** A line has its outcome after 10 s, and a sidecar may have been frozen for some seconds. */
const OUTCOME_MS = 18_000;

/**
 * Web lines reach the game and all other connections once and in the order of their speaker. One that did not reach the game
 * was answered with an EXCEPTION, unless its connection ended before that was due. `isShared`: what the game did not get may
 * have reached nobody, since the storage of several sidecars was away.
 */
export function judgeWebLines(
  mouths: readonly Mouth[],
  shown: readonly Heard[],
  isShared = false,
): Violation[] {
  const inGame = new Set(shown.map(({ text }) => text));
  const speakers = new Map<string, string[]>();
  for (const { speaker, said } of mouths)
    speakers.set(speaker, [...(speakers.get(speaker) ?? []), ...said.map(({ text }) => text)]);
  const violations: Violation[] = [];
  for (const [speaker, texts] of speakers) {
    const own = (heard: readonly Heard[]): Heard[] =>
      heard.filter(({ text }) => text.startsWith(`${speaker} `));
    violations.push(...judgeOrder("the game", texts, own(shown)));
    for (const ear of mouths)
      if (ear.speaker !== speaker) violations.push(...judgeOrder(ear.name, texts, own(ear.heard)));
      else
        for (const { at, text } of own(ear.heard))
          violations.push({ at, what: `${ear.name}: heard its own "${text}"` });
  }
  for (const mouth of mouths) {
    const due = isShared ? mouth.said.filter(({ text }) => inGame.has(text)) : mouth.said;
    violations.push(...silent(mouth, inGame), ...unheard(mouth, due, mouths));
  }
  return violations;
}

/** Lines that did not reach the game, with nothing said of it. */
function silent(mouth: Mouth, inGame: ReadonlySet<string>): Violation[] {
  const violations: Violation[] = [];
  let next = 0;
  for (const { at, text } of mouth.said) {
    if (inGame.has(text)) continue;
    while ((mouth.exceptions[next] ?? at) < at) next++;
    if (mouth.exceptions[next] !== undefined) next++;
    else if (mouth.until > at + OUTCOME_MS)
      violations.push({ at, what: `${mouth.name}: "${text}" did not reach the game, without an EXCEPTION` });
  }
  return violations;
}

/** Lines that another connection to the same process should have heard. */
function unheard(mouth: Mouth, said: readonly Heard[], ears: readonly Ear[]): Violation[] {
  const violations: Violation[] = [];
  for (const ear of ears) {
    if (ear === mouth || ear.life !== mouth.life) continue;
    const heard = new Set(ear.heard.map(({ text }) => text));
    for (const { at, text } of said)
      if (ear.from < at && Math.min(ear.until, mouth.until) > at + OUTCOME_MS && !heard.has(text))
        violations.push({ at, what: `${ear.name}: "${text}" did not come` });
  }
  return violations;
}
