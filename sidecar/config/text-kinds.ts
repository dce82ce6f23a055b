import { resolve } from "node:path";
import { WEB_CHAT_MODES, type WebChatMode } from "../../shared/web-chat.ts";
import { type Kind, oneOf, text, UNEXPECTED } from "./kind.ts";

// Line breaks and tabs are allowed in a text for players; other control characters are not.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** A text that players see. `needed`: a placeholder that it cannot do without. */
export const message = (max: number, needed?: string): Kind<string> =>
  text(
    `text in quotes, of 1 to ${max} characters${needed === undefined ? "" : `, with ${needed} in it`}`,
    value =>
      value.trim() !== "" &&
      value.length <= max &&
      !CONTROL.test(value) &&
      (needed === undefined || value.includes(needed)),
  );

const orBlank = (kind: Kind<string>): Kind<string> => ({
  expected: `${kind.expected}, or blank`,
  read: (raw, folder) => (raw === "" ? { value: "" } : kind.read(raw, folder)),
});

/** The name that the web console shows. */
export const title = text(
  "text in quotes, of 1 to 64 characters, on one line",
  value => value.trim() !== "" && value.length <= 64 && !/\p{Cc}/u.test(value),
);

/** The name of a game server. */
export const serverTitle: Kind<string> = orBlank(title);

/** The version of the game. */
export const gameVersion: Kind<string> = orBlank(
  text('a version in quotes, such as "1.26.40"', value => /^[\w.+-]{1,32}$/.test(value)),
);

/** The accent colour of the web console. */
export const accent: Kind<string> = orBlank(
  text('a colour in quotes, such as "#38682f"', value => /^#[0-9a-f]{6}$/i.test(value)),
);

/** The address that players type to join. */
export const joinAddress: Kind<string> = orBlank(
  text(
    'a name or an address in quotes, perhaps with a port, such as "play.example.com:19132"',
    value => value.length <= 255 && /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:]+\](:\d{1,5})?$/i.test(value),
  ),
);

const written = text("a path", value => value.trim() !== "" && value.length <= 4096);

const SINGLE =
  "a path without control characters: in double quotes a backslash makes such of the letter after it: use single quotes, as in 'C:\\server\\data'";

/** Parts of paths that shells replace. */
const UNREPLACED = /^~($|[\\/])|\$\{|^\$\w|^%\w+%/;

const AS_IT_IS = "the whole path: ~ and variables in it are not replaced";

/** A path of the file system, read as an absolute one. */
export const path: Kind<string> = {
  ...written,
  isPath: true,
  read: (raw, folder) => {
    if (typeof raw === "string" && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(raw)) return { fault: SINGLE };
    if (typeof raw === "string" && UNREPLACED.test(raw)) return { fault: AS_IT_IS };
    const result = written.read(raw, folder);
    return "fault" in result ? result : { value: resolve(folder, result.value) };
  },
};

/** A path, or blank for none. */
export const optionalPath: Kind<string> = { ...orBlank(path), isPath: true };

/** The process of a game server: `auto`, a process id, or the absolute path of a pid file. */
export const processName: Kind<string> = {
  expected: "auto, a process id, or the path of a pid file",
  read: (raw, folder) => {
    if (raw === "auto") return { value: raw };
    if (typeof raw === "string" && !/^[\d.-]+$/.test(raw)) return path.read(raw, folder);
    const id = Number(raw);
    return raw !== "" && Number.isInteger(id) && id > 0 && id <= 0x7fffffff
      ? { value: String(id) }
      : UNEXPECTED;
  },
};

/** One of these words. `false` stands for `off`: YAML 1.1 reads `off` as false. */
function orOff<const T extends string>(...words: readonly T[]): Kind<T> {
  const word = oneOf(...words);
  return {
    ...word,
    read: (raw, folder) => word.read(raw === false || raw === "false" ? "off" : raw, folder),
  };
}

/** Who may write in the chat from the website. */
export const webChat = orOff<WebChatMode>(...WEB_CHAT_MODES);

/** Who can read the list of known players. */
export const knownShow = orOff("everybody", "key", "off");
