import { checkJson, num, object, oneOf, optional, text } from "../../shared/guard.ts";
import type { AuditEntry, AuditedChange } from "../../sidecar/features/moderation/audit.ts";

/** A change from the audit, or a line that cannot be parsed. */
type AuditLine = { entry: AuditEntry } | { damaged: string };

interface Filter {
  key?: string | undefined;
  /** only of this game server; entries from before there were several have none */
  server?: string | undefined;
  name?: string | undefined;
  /** only so many of the newest */
  last?: number | undefined;
}

export const readLines = (text: string): AuditLine[] =>
  text
    .split("\n")
    .filter(line => line.trim() !== "")
    .map(line => {
      const read = [changeEntry, signInEntry].map(guard => checkJson<AuditEntry>(guard, line));
      const valid = read.find(each => "value" in each);
      return valid && "value" in valid ? { entry: valid.value } : { damaged: line };
    });

export function filtered(entries: readonly AuditEntry[], { last, ...wanted }: Filter): AuditEntry[] {
  const fits = (was: string | undefined, is: string | undefined): boolean => is === undefined || was === is;
  const found = entries.filter(
    entry =>
      fits("key" in entry ? entry.key : undefined, wanted.key) &&
      fits("key" in entry ? entry.server : undefined, wanted.server) &&
      fits(entry.name, wanted.name),
  );
  return last === undefined ? found : found.slice(Math.max(0, found.length - last));
}

const TIME = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });

const DONE = new Set([
  ...["whitelisted", "removed", "kicked", "announced", "banned", "unbanned", "linked", "unlinked", "set"],
  ...["bound", "muted", "unmuted", "hidden", "shown", "blocked", "unblocked", "forgotten"],
]);
const WORDS: Record<AuditedChange["action"], readonly [done: string, tried: string]> = {
  "whitelist.add": ["added to the whitelist:", "adding to the whitelist:"],
  "whitelist.remove": ["removed from the whitelist:", "removing from the whitelist:"],
  "player.kick": ["kicked", "kicking"],
  "chat.announce": ["announced", "announcing"],
  "ban.add": ["banned", "banning"],
  "ban.remove": ["unbanned", "unbanning"],
  "ban.bind": ["matched a player to the ban of", "matching a player to the ban of"],
  "link.accept": ["linked a browser to", "linking a browser to"],
  "link.end": ["ended the links of", "ending the links of"],
  "webchat.set": ["set web chat to", "setting web chat to"],
  "chat.mute": ["muted browser", "muting browser"],
  "chat.unmute": ["unmuted browser", "unmuting browser"],
  "browser.mute": ["muted browser", "muting browser"],
  "browser.unmute": ["unmuted browser", "unmuting browser"],
  "player.hide": ["hid from the player list:", "hiding from the player list:"],
  "player.show": ["showed in the player list again:", "showing in the player list again:"],
  "player.block": ["blocked link requests of", "blocking link requests of"],
  "player.unblock": ["allowed link requests of", "allowing link requests of"],
  "player.forget": ["erased the data of", "erasing the data of"],
};
/** The last moment that a `Date` can have, in milliseconds. */
const LATEST_MS = 8.64e15;

const anyText = text(Number.POSITIVE_INFINITY);
const audited = { at: num(-LATEST_MS, LATEST_MS), address: anyText, name: anyText, outcome: anyText };
const changeEntry = object({
  ...audited,
  key: anyText,
  uuid: optional(anyText),
  server: optional(anyText),
  reason: optional(anyText),
  action: oneOf(...(Object.keys(WORDS) as AuditedChange["action"][])),
});
const signInEntry = object({ ...audited, client: anyText, action: oneOf("sign-in") });

/** A line for people, in the time zone of this machine. */
export function lineOf(entry: AuditEntry): string {
  const { at, address, name, outcome } = entry;
  if (entry.action === "sign-in") {
    const what = outcome === "signed_in" ? `${name} signed in` : `${name || "nobody"}: ${outcome}`;
    return `${TIME.format(at)}  ${entry.client} (${address})  ${what}`;
  }
  const { key, action, server, reason } = entry;
  const [done, tried] = WORDS[action];
  const whom = reason === undefined ? name : `${name} (${reason})`;
  const what = DONE.has(outcome) ? `${done} ${whom}` : `${tried} ${whom} failed: ${outcome}`;
  return `${TIME.format(at)}  ${key} (${address})  ${server === undefined ? "" : `${server}: `}${what}`;
}
