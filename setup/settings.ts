import { dirname } from "node:path";
import { type Part, part } from "./change.ts";
import type { Disk } from "./disk.ts";
import { changeText, readText } from "./files.ts";
import { isLinkFormOf, LINK_FORM, type LinkForm, setLinkForm } from "./link-form.ts";
import { dueInfo, INFO_KEYS, infoIn, SETTING, type ServerInfo, setInfo } from "./server-info.ts";

interface Wanted {
  /** how players shall be asked; undefined: as they are */
  linkForm: LinkForm | undefined;
  /** what the server's folder tells */
  told: ServerInfo;
  /** what earlier runs have filled in */
  filled: ServerInfo | undefined;
}

/**
 * What the sidecar's configuration gets, and all that setup has filled in by then. One that is not there yet is left to
 * the sidecar.
 */
export function planSettings(
  configFile: string,
  { linkForm, told, filled = {} }: Wanted,
  disk: Disk,
): { part: Part; filled: ServerInfo } {
  const file = readText(configFile, disk);
  if (file.text === undefined) return { part: { changes: [] }, filled };
  const asked = linkForm && setLinkForm(file.text, linkForm);
  const before = asked?.text ?? file.text;
  // What is only shown to visitors is no reason to refuse where the file is not this user's to change.
  const due = disk.takesFiles(dirname(file.path)) ? dueInfo(before, told, filled) : {};
  const text = setInfo(before, due);
  const [was, is] = [infoIn(before), infoIn(text)];
  const done = INFO_KEYS.filter(key => due[key] !== undefined && is[key] === due[key]);
  const changes = changeText(file, { text }, "yaml", disk, 0o600);
  return {
    part: part(file.path, changes, () => [
      ...(asked && asked.text !== file.text ? [`${LINK_FORM}: ${asked.was ?? "(none)"} -> ${linkForm}`] : []),
      ...done.map(key => `${key}: ${was[key] ?? (SETTING[key].default || "(none)")} -> ${is[key]}`),
    ]),
    filled: { ...filled, ...Object.fromEntries(done.map(key => [key, is[key]])) },
  };
}

/** Whether a text of the configuration is what this product makes of another. */
export function isMadeOf(was: string, is: string): boolean {
  const info = infoIn(is);
  const chest = setLinkForm(was, "chest").text;
  const forms = [was, chest, setLinkForm(chest, "buttons").text];
  return forms.some(text => setInfo(text, info) === is) || isLinkFormOf(setInfo(was, info), is);
}
