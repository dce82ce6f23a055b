import { isMap, isScalar, parseDocument } from "yaml";
import type { Config } from "../sidecar/config/settings.ts";
import { type Part, part } from "./change.ts";
import type { Disk } from "./disk.ts";
import { changeText, readText } from "./files.ts";

/** How the sidecar asks players, as its configuration has it. */
export type LinkForm = Config["modules"]["api"]["linkForm"];

const PATH = ["modules", "api", "link-form"];
const KEY = PATH.join(".");

/**
 * What makes the sidecar ask players in a form. A configuration that is not there yet is left to the sidecar.
 * @param wanted `buttons` is what a configuration without the key has
 */
export function planLinkForm(configFile: string, wanted: LinkForm, disk: Disk): Part {
  const file = readText(configFile, disk);
  if (file.text === undefined) return { changes: [] };
  const { text, was } = setLinkForm(file.text, wanted);
  const changes = changeText(file, { text }, "yaml", disk, 0o600);
  return part(file.path, changes, () => [`${KEY}: ${was ?? "(none)"} -> ${wanted}`]);
}

/** The text with the setting in it. Where the key stands, only its value changes. */
export function setLinkForm(text: string, wanted: LinkForm): { text: string; was: string | undefined } {
  const document = parseDocument(text);
  for (const path of [PATH, [KEY]]) {
    const node = document.getIn(path, true);
    if (!isScalar(node) || node.range == null) continue;
    const [start, end] = node.range;
    const was = String(node.value);
    if (was === wanted || (node.value === null && wanted === "buttons")) return { text, was };
    const gap = start === end ? " " : "";
    return { text: `${text.slice(0, start)}${gap}${wanted}${text.slice(end)}`, was };
  }
  if (wanted === "buttons" || (document.contents !== null && !isMap(document.contents)))
    return { text, was: undefined };
  document.setIn(PATH, wanted);
  return { text: document.toString({ lineWidth: 0 }), was: undefined };
}

/** Whether a text of the configuration is what this product makes of another, in either form. */
export function isLinkFormOf(was: string, is: string): boolean {
  const chest = setLinkForm(was, "chest").text;
  return is === chest || is === setLinkForm(chest, "buttons").text;
}
