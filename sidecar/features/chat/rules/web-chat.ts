import { type Infer, list, num, object, optional, text } from "../../../../shared/guard.ts";
import {
  BROWSER_LABEL_LENGTH,
  NO_BROWSER,
  type WebChatMode,
  webChatMode,
} from "../../../../shared/web-chat.ts";

/** How long a browser is muted where nothing else is said, in milliseconds. */
export const MUTE_MS = 3_600_000;

/** Mutes at the same time; for one more, the one that ends first is dropped. */
export const MAX_MUTES = 1_000;

/** Who may currently chat from the website, as far as it was changed in the game or by moderators. */
export const webChatRules = object({
  /** undefined: as configured */
  mode: optional(webChatMode),
  /** muted browsers, until `until` (milliseconds, shared clock), sorted by that */
  mutes: list(
    object({ browser: text(BROWSER_LABEL_LENGTH), until: num(0, Number.MAX_SAFE_INTEGER) }),
    MAX_MUTES,
  ),
});
export type WebChatRules = Infer<typeof webChatRules>;
export type RulesWithMode = WebChatRules & { mode: WebChatMode };

/** A change: the mode, or how long a browser is muted from now on, in milliseconds; 0 unmutes it. */
export type WebChatChange = { mode: WebChatMode } | { browser: string; muteMs: number };

/** Name of a browser session in the game. */
export const browserOf = (session: string | undefined): string =>
  session?.slice(0, BROWSER_LABEL_LENGTH) ?? NO_BROWSER;

/** The rules after a change at `now`. */
export function withChange<R extends WebChatRules>(rules: R, change: WebChatChange, now: number): R {
  if ("mode" in change) return { ...rules, mode: change.mode };
  const { browser, muteMs } = change;
  const others = rules.mutes.filter(other => other.browser !== browser && other.until > now);
  if (muteMs <= 0) return { ...rules, mutes: others };
  const mutes = [...others.slice(1 - MAX_MUTES), { browser, until: now + muteMs }];
  return { ...rules, mutes: mutes.sort((a, b) => a.until - b.until) };
}

/** Whether a browser is muted under exactly this name. */
export const isMuted = ({ mutes }: Pick<WebChatRules, "mutes">, name: string, now: number): boolean =>
  mutes.some(({ browser, until }) => browser === name && until > now);

/** Whether a browser with these names may send a message: yes, no, or only if it is linked to a player. */
export function mayWrite(rules: RulesWithMode, names: readonly string[], now: number): boolean | "if linked" {
  const { mode } = rules;
  if (names.some(name => isMuted(rules, name, now)) || mode === "read-only" || mode === "off") return false;
  return mode === "everybody" || "if linked";
}
