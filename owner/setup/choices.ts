import { readFileValues } from "../../sidecar/config/file.ts";
import { type Config, SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { withValue } from "./yaml-edit.ts";

export const LINK_FORM = "modules.api.link-form";
export const KNOWN_SHOW = "modules.api.known-players.show";
/** What an owner chooses with setup, as the sidecar's configuration has it. */
const CHOICES = [LINK_FORM, KNOWN_SHOW] as const;

type Api = Config["modules"]["api"];
/** How the sidecar asks players. */
export type LinkForm = Api["linkForm"];
/** Who reads of everybody who has been here. */
export type KnownShow = Api["knownPlayers"]["show"];

/** What was chosen, by key; undefined: it is to stay as it is. */
export interface Choices {
  [LINK_FORM]?: LinkForm | undefined;
  [KNOWN_SHOW]?: KnownShow | undefined;
}

const MEANING: Partial<Record<LinkForm | KnownShow, string>> = {
  everybody: ": all can see who has played, when last, and how long",
  off: ": what is remembered of players is erased when the sidecar starts",
};

/** The text with what was chosen in it, and a line for each change. One that cannot take it stays as it is. */
export function setChoices(text: string, chosen: Choices): { text: string; lines: string[] } {
  const lines: string[] = [];
  const after = CHOICES.reduce((before, key) => {
    const wanted = chosen[key];
    const was = readFileValues(before).values.get(key);
    if (wanted === undefined || wanted === (was ?? SETTINGS_BY_PATH.get(key)?.default)) return before;
    const made = written(before, key, wanted);
    if (made !== before) lines.push(`${key}: ${was ?? "(none)"} -> ${wanted}${MEANING[wanted] ?? ""}`);
    return made;
  }, text);
  return { text: after, lines };
}

function written(text: string, key: string, value: unknown): string {
  const after = withValue(text, key, value);
  return "text" in after ? after.text : text;
}

/** Whether somebody has written that key, and not the sidecar, which writes a comment above it. */
export const isOwners = (text: string, key: string): boolean =>
  readFileValues(text).values.has(key) && !text.includes(SETTINGS_BY_PATH.get(key)?.comment ?? "");
