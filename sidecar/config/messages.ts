import english from "../../languages/en_US.json" with { type: "json" };
import { CHAT_LENGTH, FORM_TEXT_LENGTH, NAME_LENGTH } from "../../shared/limits.ts";
import type { Kind } from "./kind.ts";
import { type Setting, setting } from "./setting.ts";
import { message } from "./text-kinds.ts";

const ENGLISH = { ...english.chat, ...english.game, ...english.offline };

export type MessageKey = keyof typeof ENGLISH;

/** The setting of a text that players see, by its kind. */
const textSetting =
  (kind: Kind<string>) =>
  (comment: TemplateStringsArray) =>
  (key: MessageKey): Setting<string> =>
    setting(kind, ENGLISH[key])(comment);

const line = textSetting(message(CHAT_LENGTH));
const onForm = textSetting(message(FORM_TEXT_LENGTH));
const playerName = textSetting(message(NAME_LENGTH));
/** Leaves space for the message itself. */
const withContent = textSetting(message(256, "{content}"));

/** Purpose and kind of each text. */
const TEXTS: Record<MessageKey, (key: MessageKey) => Setting<string>> = {
  "api.chat-format-from-web": withContent`A chat message from the website. {content}: the text, required; {player}: the
    linked player's name; {label}, {browser}: the session`,
  "api.chat-format-from-server": withContent`A chat message from another game server. {content}: the text,
    required; {player}: the sender's name; {server}: title or name of the server`,
  "api.announce-format": withContent`An announcement. {content}: the text, required; {title}: title or name of
    the game server`,
  "api.chat-guest-name": playerName`Value of {player} when the browser is not linked`,
  "api.link-prompt-title": onForm`Title of the link form`,
  "api.link-prompt-body": onForm`Text of the link form. {browser}: the first eight characters of the browser
    session`,
  "api.sign-in-prompt-title": onForm`Title of the form when a player signs in to another site. {site}: name of
    the site`,
  "api.sign-in-prompt-body": onForm`Text of that form. {site}: name of the site; {browser}: as above`,
  "api.link-chest-hint": onForm`Hint below the text of the chest form`,
  "api.link-browser": onForm`The paper in the chest form, with {browser}`,
  "api.link-accept": onForm`Button of the link form`,
  "api.link-decline": onForm`Button of the link form`,
  "api.unlinked": line`Sent to a player when a browser ends its link to them`,
  "bridge.status-connected": line`Answer to /bridge:status. {url}, {world}; {sidecar}, {pack}: versions;
    {wire}: version of the protocol`,
  "bridge.status-not-connected": line`Answer to /bridge:status, with {reason}, {pack} and {wire}`,
  "bridge.status-reports": line`Second line of /bridge:status, with {seconds}, {facts}, {actions}, {links}`,
  "bridge.status-refused": line`Third line of /bridge:status, with {lines} and {address}`,
  "bridge.status-server": line`Last line of /bridge:status with several game servers. {server}: title and
    name of this one`,
  "bridge.link-opening": line`Answer to /bridge:link`,
  "bridge.link-none": line`Answer to /bridge:link without a pending request`,
  "bridge.unlink-sent": line`Answer to /bridge:unlink`,
  "bridge.unlink-none": line`Sent after /bridge:unlink when no browser was linked`,
  "bridge.block-hint": line`Sent to a player who declines a second link request within ten minutes`,
  "bridge.blocked": line`Answer to /bridge:block`,
  "bridge.unblocked": line`Answer to /bridge:unblock`,
  "bridge.hidden": line`Answer to /bridge:hide`,
  "bridge.shown": line`Answer to /bridge:show`,
  "bridge.forget-title": onForm`Title of the form of /bridge:forget`,
  "bridge.forget-body": onForm`Text of the form of /bridge:forget`,
  "bridge.forget-accept": onForm`Button of that form that erases the data`,
  "bridge.forget-decline": onForm`Button of that form that changes nothing`,
  "bridge.forget-asking": line`Answer to /bridge:forget`,
  "bridge.forget-failed": line`Sent after /bridge:forget when the form cannot be shown, or the world has no
    space for another request`,
  "bridge.forgotten": line`Sent to a player whose data was erased`,
  "bridge.say-title": onForm`Title of the form of /bridge:say without a message`,
  "bridge.say-field": onForm`Label of the field of that form`,
  "bridge.say-send": onForm`Button of that form`,
  "bridge.say-empty": line`Sent when the message of /bridge:say is blank`,
  "bridge.webchat-is": line`Answer to /bridge:webchat without a mode, with {mode}`,
  "bridge.webchat-set": line`Answer to /bridge:webchat, with {mode}`,
  "bridge.muted": line`Answer to /bridge:mute, with {browser}`,
  "bridge.unmuted": line`Answer to /bridge:unmute, with {browser}`,
  "bridge.banned": line`Shown to a banned player who tries to join, or is kicked`,
  "bridge.banned-reason": line`Second line of that when the ban has a reason, with {reason}`,
  "bridge.banned-until": line`Last line of that when the ban expires, with the {days}, {hours} and {minutes}
    left`,
  "bridge.ban-done": line`Answer to /bridge:ban, with {name}`,
  "bridge.ban-failed": line`Answer to /bridge:ban for a name that no player can have, or when there are
    10,000 bans, with {name}`,
  "bridge.ban-unknown": line`Answer to /bridge:ban when no such player has played here, with the possible
    {names}, and the {command} that bans the first of them`,
  "bridge.unban-done": line`Answer to /bridge:unban, with {name}`,
  "bridge.unban-none": line`Answer to /bridge:unban when no such player is banned, with {name}`,
  "bridge.status-bans": line`Line of /bridge:status when there are bans, with {bans} and {pending}`,
  "bridge.usage": line`Answer to a command with wrong arguments, with {usage}`,
  "bridge.not-connected": line`Answer to a command that needs the sidecar while it is offline`,
  "bridge.players-only": line`Answer to a command from the console or a command block`,
};

/** The settings of these texts; English is the default. */
export const MESSAGES = Object.fromEntries(
  Object.entries(TEXTS).map(([key, make]) => [key, make(key as MessageKey)]),
) as Record<MessageKey, Setting<string>>;
