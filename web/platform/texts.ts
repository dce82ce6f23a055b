import type { DeclineReason, ErrorCode } from "../../client/index.ts";
import english from "../languages/en_US.json" with { type: "json" };
import { visibleText } from "./visible-text.ts";

/** Every text of the console in a language; `{names}` stand for values. */
export type Words = typeof english;
/** A text for each plural form of the language. */
type Forms = { readonly other: string } & Readonly<Record<string, string>>;

type Value = string | number;
/** Values may be names, which can hold characters that change the direction of the text around them. */
const visible = (value: Value): Value =>
  typeof value === "string" && value !== "" ? visibleText(value) : value;
const fill = (text: string, values: Record<string, Value>): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => `${visible(values[name] ?? all)}`);

/** The texts at these keys, each as a function of its only value. */
const withValue = <K extends string>(words: Readonly<Record<K, string>>, value: string, ...keys: K[]) =>
  Object.fromEntries(keys.map(key => [key, (text: Value) => fill(words[key], { [value]: text })])) as Record<
    K,
    (value: Value) => string
  >;

/** Actions of the audit with their own texts. */
const AUDITED = [
  "whitelist.add",
  "whitelist.remove",
  "player.kick",
  "ban.add",
  "ban.remove",
  "chat.mute",
  "chat.unmute",
  "chat.announce",
] as const;

/** The texts of a language, those with values as functions. `tag`: BCP 47. */
function textsOf(words: Words, tag: string) {
  const rules = new Intl.PluralRules(tag);
  const whole = new Intl.NumberFormat(tag);
  const counted = (forms: Forms, count: number): string =>
    fill(forms[rules.select(count)] ?? forms.other, { count: whole.format(count) });
  const { audit, missed, signIn, sites, tryAgain } = words;
  return {
    ...words,
    ...withValue(words, "time", "lastSeen", "old", "since", "timeLeft", "timeUnknown", "bannedUntil"),
    ...withValue(words, "time", "staysKept"),
    ...withValue(words, "name", "pendingFor", "didYouMean", "acceptedAs", "added", "removeName", "removed"),
    ...withValue(words, "name", "kickName", "kicked", "banName", "banned", "bannedBy", "bannedInGame"),
    ...withValue(words, "name", "unbanName", "unbanned", "actionsFor", "muted", "unmuted", "moderatesAs"),
    ...withValue(words, "max", "of"),
    ...withValue(words, "count", "peak"),
    ...withValue(words, "server", "sayTo"),
    ...withValue(words, "seconds", "chatWaiting"),
    ...withValue(words, "code", "sameCode"),
    ...withValue(words, "health", "hearts"),
    plot: (name: string, span: string, range: string) => fill(words.plot, { name, span, range }),
    plotRange: (low: string, high: string, now: string) => fill(words.plotRange, { low, high, now }),
    lastMinutes: (minutes: number) => counted(words.lastMinutes, minutes),
    playersOn: (count: number) => counted(words.playersOn, count),
    left: (count: number) => counted(words.left, count),
    tooLong: (count: number) => counted(words.tooLong, count),
    grouped: {
      join: (others: number) => counted(words.grouped.join, others),
      leave: (others: number) => counted(words.grouped.leave, others),
    },
    place: (place: string, total: string) => fill(words.place, { place, total }),
    newLines: (count: number) => counted(words.newLines, count),
    listed: (count: number) => counted(words.listed, count),
    signIn: {
      ...signIn,
      ...withValue(signIn, "site", "title", "asks", "goingOn"),
      ...withValue(signIn, "name", "goOn"),
    },
    audit: {
      ...audit,
      ...withValue(audit, "outcome", "failed"),
      actions: withValue(audit.actions, "name", ...AUDITED),
    },
    sites: { ...sites, ...withValue(sites, "site", "endOf", "ended") },
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

/** The texts of the page, in its current language. */
export let texts = textsOf(english, "en");

/** Switches the texts to another language, to be drawn next. */
export function setWords(words: Words, tag: string): void {
  texts = textsOf(words, tag);
}

/** A failed call. `retryAfter`: seconds; `subject`: the name that was typed. */
export interface Fault {
  code: ErrorCode;
  retryAfter?: number;
  subject?: string;
}

/** Why a link request was declined, where that is known. `code`: what the game calls this browser. */
export const declinedText = (reason: DeclineReason | undefined, code: string): string =>
  reason === "same_characters" ? texts.sameCode(code) : texts.declinedWhy[reason ?? "unknown"];

/** The error message for a failed call; empty without one. */
export function explain(fault: Fault | undefined, subject = fault?.subject ?? ""): string {
  if (!fault) return "";
  const messages: Partial<Record<string, string>> = texts.faults;
  const again = texts.tryAgain(fault.retryAfter);
  // A device without a network reaches nothing: that is no fault of the service.
  const hasNetwork = !("onLine" in navigator) || navigator.onLine;
  const code = fault.code === "unreachable" && !hasNetwork ? "disconnected" : fault.code;
  return fill(messages[code] ?? texts.unexpected, { name: subject, again });
}
