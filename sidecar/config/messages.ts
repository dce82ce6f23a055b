import english from "../../languages/en_US.json" with { type: "json" };
import { CHAT_LENGTH, FORM_TEXT_LENGTH, NAME_LENGTH } from "../../shared/limits.ts";
import type { Kind } from "./kind.ts";
import { type Setting, setting } from "./setting.ts";
import { message } from "./text-kinds.ts";

const ENGLISH = { ...english.chat, ...english.game, ...english.offline };

export type MessageKey = keyof typeof ENGLISH;

/** The setting of a text that players see, by what it may be. */
const textSetting =
  (kind: Kind<string>) =>
  (comment: TemplateStringsArray) =>
  (key: MessageKey): Setting<string> =>
    setting(kind, ENGLISH[key])(comment);

const line = textSetting(message(CHAT_LENGTH));
const onForm = textSetting(message(FORM_TEXT_LENGTH));
const playerName = textSetting(message(NAME_LENGTH));
/** Leaves room for the chat itself. */
const withContent = textSetting(message(256, "{content}"));

/** What each text may be and what it is for. */
const TEXTS: Record<MessageKey, (key: MessageKey) => Setting<string>> = {
  "api.chat-format-from-web": withContent`A chat line from the web. {content}: the text, needed; {player}: the
    linked player's name; {label}, {browser}: its session`,
  "api.chat-format-from-server": withContent`A chat line from another game server. {content}: the text,
    needed; {player}: who said it; {server}: title or name of the server`,
  "api.announce-format": withContent`An announcement. {content}: the text, needed; {title}: title or name of
    the game server`,
  "api.chat-guest-name": playerName`What {player} says when the browser is not linked`,
  "api.link-prompt-title": onForm`Title of the link form`,
  "api.link-prompt-body": onForm`Text of the link form. {browser}: the first eight characters of the browser
    session`,
  "api.sign-in-prompt-title": onForm`Title of the form in the place of that where another site asks, with
    {site}`,
  "api.sign-in-prompt-body": onForm`Text of that form. {site}: what the site is called; {browser}: as above`,
  "api.link-chest-hint": onForm`Below that text, where the link form looks like a chest`,
  "api.link-browser": onForm`The paper in the link form that looks like a chest, with {browser}`,
  "api.link-accept": onForm`Button of the link form`,
  "api.link-decline": onForm`Button of the link form`,
  "api.unlinked": line`Told to a player whose link a browser has ended`,
  "bridge.status-connected": line`Answer to /bridge:status. {url}, {world}; {sidecar}, {pack}: versions;
    {wire}`,
  "bridge.status-not-connected": line`Answer to /bridge:status, with {reason}, {pack} and {wire}`,
  "bridge.status-reports": line`Second line of /bridge:status, with {seconds}, {facts}, {actions}, {links}`,
  "bridge.status-refused": line`Third line of /bridge:status, with {lines} and {address}`,
  "bridge.status-server": line`Last line of /bridge:status where there are several game servers, with
    {server}: title and name of this one`,
  "bridge.link-opening": line`Answer to /bridge:link`,
  "bridge.link-none": line`Answer to /bridge:link when nothing waits for the player`,
  "bridge.unlink-sent": line`Answer to /bridge:unlink`,
  "bridge.unlink-none": line`Told after /bridge:unlink when no browser was linked`,
  "bridge.block-hint": line`Told to a player who declines a second link request within ten minutes`,
  "bridge.blocked": line`Answer to /bridge:block`,
  "bridge.unblocked": line`Answer to /bridge:unblock`,
  "bridge.hidden": line`Answer to /bridge:hide`,
  "bridge.shown": line`Answer to /bridge:show`,
  "bridge.forget-title": onForm`Title of the form of /bridge:forget`,
  "bridge.forget-body": onForm`Text of the form of /bridge:forget`,
  "bridge.forget-accept": onForm`Button of that form, to be forgotten`,
  "bridge.forget-decline": onForm`Button of that form, to leave all as it is`,
  "bridge.forget-asking": line`Answer to /bridge:forget`,
  "bridge.forget-failed": line`Told after /bridge:forget where the player cannot be asked, or the world cannot
    remember more of them`,
  "bridge.forgotten": line`Told to a player who is forgotten`,
  "bridge.webchat-is": line`Answer to /bridge:webchat without a mode, with {mode}`,
  "bridge.webchat-set": line`Answer to /bridge:webchat, with {mode}`,
  "bridge.muted": line`Answer to /bridge:mute, with {browser}`,
  "bridge.unmuted": line`Answer to /bridge:unmute, with {browser}`,
  "bridge.banned": line`Told to a banned player who wants to join, or is sent away`,
  "bridge.banned-reason": line`Below that, where there is a reason, with {reason}`,
  "bridge.banned-until": line`Below that, where the ban ends by itself, with {days}, {hours} and {minutes}
    until then`,
  "bridge.ban-done": line`Answer to /bridge:ban, with {name}`,
  "bridge.ban-failed": line`Answer to /bridge:ban where the name can be nobody's, or 10,000 bans are there,
    with {name}`,
  "bridge.ban-unknown": line`Answer to /bridge:ban where nobody of the name is known, with what was meant,
    {names}, and {command}, which bans the first of those`,
  "bridge.unban-done": line`Answer to /bridge:unban, with {name}`,
  "bridge.unban-none": line`Answer to /bridge:unban where nobody of that name is banned, with {name}`,
  "bridge.status-bans": line`Line of /bridge:status where there are bans, with {bans} and {untold}`,
  "bridge.usage": line`Answer to a command that was not written as expected, with {usage}`,
  "bridge.not-connected": line`Answer to a command that needs the sidecar while it is away`,
  "bridge.players-only": line`Answer to the console and to command blocks`,
};

/** The settings of these texts; English is the default. */
export const MESSAGES = Object.fromEntries(
  Object.entries(TEXTS).map(([key, make]) => [key, make(key as MessageKey)]),
) as Record<MessageKey, Setting<string>>;
