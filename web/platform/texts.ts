import type { ErrorCode } from "../../client/index.ts";
import english from "../languages/en_US.json" with { type: "json" };

/** Every text of the console in a language; `{names}` stand for what is put in. */
export type Words = typeof english;
/** A text for each kind of number that the language tells apart. */
type Forms = { readonly other: string } & Readonly<Record<string, string>>;

type Values = Record<string, string | number>;
const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => `${values[name] ?? all}`);

/** What the page says in a language. `tag`: BCP 47. */
function speak(words: Words, tag: string) {
  const rules = new Intl.PluralRules(tag);
  const whole = new Intl.NumberFormat(tag);
  const counted = (forms: Forms, count: number): string =>
    fill(forms[rules.select(count)] ?? forms.other, { count: whole.format(count) });
  const { missed, signIn, sites, tryAgain } = words;
  return {
    ...words,
    lastSeen: (time: string) => fill(words.lastSeen, { time }),
    old: (time: string) => fill(words.old, { time }),
    of: (max: string) => fill(words.of, { max }),
    lastMinutes: (minutes: number) => counted(words.lastMinutes, minutes),
    since: (time: string) => fill(words.since, { time }),
    plot: (name: string, span: string, range: string) => fill(words.plot, { name, span, range }),
    plotRange: (low: string, high: string, now: string) => fill(words.plotRange, { low, high, now }),
    peak: (count: string) => fill(words.peak, { count }),
    playersOn: (count: number) => counted(words.playersOn, count),
    sayTo: (server: string) => fill(words.sayTo, { server }),
    chatWaiting: (seconds: number) => fill(words.chatWaiting, { seconds }),
    left: (count: number) => counted(words.left, count),
    tooLong: (count: number) => counted(words.tooLong, count),
    newLines: (count: number) => counted(words.newLines, count),
    pendingFor: (name: string) => fill(words.pendingFor, { name }),
    sameCode: (code: string) => fill(words.sameCode, { code }),
    timeLeft: (time: string) => fill(words.timeLeft, { time }),
    timeUnknown: (time: string) => fill(words.timeUnknown, { time }),
    didYouMean: (name: string) => fill(words.didYouMean, { name }),
    acceptedAs: (name: string) => fill(words.acceptedAs, { name }),
    listed: (count: number) => counted(words.listed, count),
    added: (name: string) => fill(words.added, { name }),
    removeName: (name: string) => fill(words.removeName, { name }),
    sendAwayName: (name: string) => fill(words.sendAwayName, { name }),
    sentAway: (name: string) => fill(words.sentAway, { name }),
    removed: (name: string) => fill(words.removed, { name }),
    banName: (name: string) => fill(words.banName, { name }),
    banned: (name: string) => fill(words.banned, { name }),
    bannedUntil: (time: string) => fill(words.bannedUntil, { time }),
    bannedBy: (name: string) => fill(words.bannedBy, { name }),
    bannedInGame: (name: string) => fill(words.bannedInGame, { name }),
    liftName: (name: string) => fill(words.liftName, { name }),
    lifted: (name: string) => fill(words.lifted, { name }),
    staysKept: (time: string) => fill(words.staysKept, { time }),
    hearts: (health: number) => fill(words.hearts, { health }),
    signIn: {
      ...signIn,
      title: (site: string) => fill(signIn.title, { site }),
      asks: (site: string) => fill(signIn.asks, { site }),
      goOn: (name: string) => fill(signIn.goOn, { name }),
      goingOn: (site: string) => fill(signIn.goingOn, { site }),
    },
    sites: {
      ...sites,
      endOf: (site: string) => fill(sites.endOf, { site }),
      ended: (site: string) => fill(sites.ended, { site }),
    },
    missed(ms: number): string {
      const minutes = Math.round(ms / 60_000);
      if (minutes >= 60) return counted(missed.hours, Math.round(minutes / 60));
      return minutes > 0 ? counted(missed.minutes, minutes) : missed.some;
    },
    tryAgain(seconds: number | undefined): string {
      if (seconds === undefined) return tryAgain.later;
      return seconds > 120
        ? counted(tryAgain.minutes, Math.ceil(seconds / 60))
        : counted(tryAgain.seconds, seconds);
    },
  };
}

/** What the page says, in the language of now. */
export let texts = speak(english, "en");

/** Has the page speak another language from the next drawing on. */
export function setWords(words: Words, tag: string): void {
  texts = speak(words, tag);
}

/** What went wrong, in a sentence. `subject`: the name that was typed, where there was one. */
export function explain(code: ErrorCode, retryAfter?: number, subject = ""): string {
  const faults: Partial<Record<string, string>> = texts.faults;
  return fill(faults[code] ?? texts.unexpected, { name: subject, again: texts.tryAgain(retryAfter) });
}
