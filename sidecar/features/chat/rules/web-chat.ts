import { type Infer, list, num, object, text } from "../../../../shared/guard.ts";
import {
  BROWSER_LABEL_LENGTH,
  NO_BROWSER,
  type WebChatMode,
  webChatMode,
} from "../../../../shared/web-chat.ts";

/** How long a browser is muted, in milliseconds. */
export const MUTE_MS = 3_600_000;

/** Browsers that may be muted at once; past it the mute that ends first is forgotten. */
export const MAX_MUTES = 1_000;

/** Who may write into the chat from the web at the moment. */
export const webChatRules = object({
  mode: webChatMode,
  /** browsers that may not write until `until`, in milliseconds of the shared time; the first to end comes first */
  mutes: list(
    object({ browser: text(BROWSER_LABEL_LENGTH), until: num(0, Number.MAX_SAFE_INTEGER) }),
    MAX_MUTES,
  ),
});
export type WebChatRules = Infer<typeof webChatRules>;

/** What an operator changes of them: the mode, or whether a browser is muted. */
export type WebChatChange = { mode: WebChatMode } | { browser: string; isMuted: boolean };

/** A browser session as the game names it. */
export const browserOf = (session: string | undefined): string =>
  session?.slice(0, BROWSER_LABEL_LENGTH) ?? NO_BROWSER;

/** The rules with a change; a browser is muted from `now` on. */
export function withChange(rules: WebChatRules, change: WebChatChange, now: number): WebChatRules {
  if ("mode" in change) return { ...rules, mode: change.mode };
  const { browser, isMuted } = change;
  const others = rules.mutes.filter(other => other.browser !== browser && other.until > now);
  const mutes = isMuted ? [...others, { browser, until: now + MUTE_MS }].slice(-MAX_MUTES) : others;
  return { ...rules, mutes };
}

/** Whether a browser of these names may send a line: yes, no, or only where it is linked to a player. */
export function mayWrite(
  { mode, mutes }: WebChatRules,
  names: readonly string[],
  now: number,
): boolean | "if linked" {
  const isMuted = mutes.some(({ browser, until }) => names.includes(browser) && until > now);
  if (isMuted || mode === "read-only" || mode === "off") return false;
  return mode === "everybody" || "if linked";
}
