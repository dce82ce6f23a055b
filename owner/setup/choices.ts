import { readFileValues } from "../../sidecar/config/file-values.ts";
import { type Config, SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { textAfter, withValue } from "./yaml-edit.ts";

export const LINK_FORM = "modules.api.link-form";
export const KNOWN_SHOW = "modules.api.known-players.show";
/** Settings of the sidecar that an owner chooses with setup. */
const CHOICES = [LINK_FORM, KNOWN_SHOW] as const;

type Api = Config["modules"]["api"];
export type LinkForm = Api["linkForm"];
/** Who can read the list of known players. */
export type KnownShow = Api["knownPlayers"]["show"];

/** The choices by key; undefined: no change. */
export interface Choices {
  [LINK_FORM]?: LinkForm | undefined;
  [KNOWN_SHOW]?: KnownShow | undefined;
}

const MEANING: Partial<Record<LinkForm | KnownShow, string>> = {
  everybody: ": everyone can see past players, with visits and playtime",
  off: ": the list of past players is deleted when the sidecar starts",
};

/** What a choice means for the other game servers of the sidecar. */
const SHARED: Record<keyof Choices, string> = {
  [LINK_FORM]: "this is for all game servers of the sidecar: run setup for each of the others too",
  [KNOWN_SHOW]: "this is for all game servers of the sidecar",
};

/**
 * The text with the choices in it, and a line for each change. A text that cannot be edited stays.
 * @param isShared whether the sidecar has several game servers: each choice is for all of them
 */
export function setChoices(
  text: string,
  chosen: Choices,
  isShared = false,
): { text: string; lines: string[] } {
  const lines: string[] = [];
  const after = CHOICES.reduce((before, key) => {
    const wanted = chosen[key];
    const was = readFileValues(before).values.get(key);
    if (wanted === undefined || wanted === (was ?? SETTINGS_BY_PATH.get(key)?.default)) return before;
    const made = textAfter(withValue(before, key, wanted), before);
    if (made !== before) lines.push(`${key}: ${was ?? "(none)"} -> ${wanted}${MEANING[wanted] ?? ""}`);
    if (made !== before && isShared) lines.push(SHARED[key]);
    return made;
  }, text);
  return { text: after, lines };
}

/** Whether the owner wrote a key, not the sidecar, which writes a comment above it. */
export const isOwners = (text: string, key: string): boolean =>
  readFileValues(text).values.has(key) && !text.includes(SETTINGS_BY_PATH.get(key)?.comment ?? "");
