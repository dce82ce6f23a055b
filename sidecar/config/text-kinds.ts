import { CHAT_LENGTH, FORM_TEXT_LENGTH, NAME_LENGTH } from "../../shared/limits.ts";
import { type Kind, text, UNEXPECTED } from "./kind.ts";
import type { MessageKey } from "./messages.ts";

// Line breaks and tabs are fine in what a player reads; other control characters are not.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const message = (max: number, needed?: string): Kind<string> =>
  text(
    `text in quotes, of 1 to ${max} characters${needed === undefined ? "" : `, with ${needed} in it`}`,
    value =>
      value.trim() !== "" &&
      value.length <= max &&
      !CONTROL.test(value) &&
      (needed === undefined || value.includes(needed)),
  );

const line = message(CHAT_LENGTH);

/** The kind of each text. The chat format leaves room for the chat itself. */
export const MESSAGE_KINDS: Record<MessageKey, Kind<string>> = {
  "api.chat-format-from-web": message(256, "{content}"),
  "api.chat-guest-name": message(NAME_LENGTH),
  "api.link-prompt-title": message(FORM_TEXT_LENGTH),
  "api.link-prompt-body": message(FORM_TEXT_LENGTH),
  "api.link-browser": message(FORM_TEXT_LENGTH),
  "api.link-accept": message(FORM_TEXT_LENGTH),
  "api.link-decline": message(FORM_TEXT_LENGTH),
  "api.unlinked": line,
  "bridge.status-connected": line,
  "bridge.status-not-connected": line,
  "bridge.status-reports": line,
  "bridge.link-opening": line,
  "bridge.link-none": line,
  "bridge.unlink-sent": line,
  "bridge.unlink-none": line,
  "bridge.not-connected": line,
  "bridge.players-only": line,
};

/** The name that the web console shows. */
export const title = text(
  "text in quotes, of 1 to 64 characters, on one line",
  value => value.trim() !== "" && value.length <= 64 && !/\p{Cc}/u.test(value),
);

/** A path of the file system. */
export const path = text(
  "a path",
  value => value.trim() !== "" && value.length <= 4096 && !CONTROL.test(value),
);

/** Which process is the game server's. */
export const processName: Kind<string> = {
  expected: "auto, a process id, or the path of a pid file",
  read: raw => {
    if (typeof raw === "string" && !/^[\d.-]+$/.test(raw)) return path.read(raw);
    const id = Number(raw);
    return raw !== "" && Number.isInteger(id) && id > 0 && id <= 0x7fffffff
      ? { value: String(id) }
      : UNEXPECTED;
  },
  fromText: written => written,
};
