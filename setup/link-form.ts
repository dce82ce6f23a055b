import { isMap, isScalar, parseDocument } from "yaml";
import type { Change, Item } from "./change.ts";
import type { Disk } from "./disk.ts";
import { changeText, readText } from "./files.ts";

const PATH = ["modules", "api", "link-form"];
const KEY = PATH.join(".");
const WANTED = "chest";

/** What makes the sidecar ask players in the chest form. A configuration that is not there yet is left to the sidecar. */
export function planLinkForm(configFile: string, disk: Disk): { changes: Change[]; item?: Item } {
  const file = readText(configFile, disk);
  if (file.text === undefined) return { changes: [] };
  const { text, was } = setLinkForm(file.text);
  const changes = changeText(file, { text }, "yaml", disk, 0o600);
  if (changes.length === 0) return { changes };
  return { changes, item: { place: file.path, lines: [`${KEY}: ${was ?? "(none)"} -> ${WANTED}`] } };
}

/** The text with the setting in it. Where the key stands, only its value changes. */
export function setLinkForm(text: string): { text: string; was: string | undefined } {
  const document = parseDocument(text);
  for (const path of [PATH, [KEY]]) {
    const node = document.getIn(path, true);
    if (!isScalar(node) || node.range == null) continue;
    const [start, end] = node.range;
    if (node.value === WANTED) return { text, was: WANTED };
    const gap = start === end ? " " : "";
    return { text: `${text.slice(0, start)}${gap}${WANTED}${text.slice(end)}`, was: String(node.value) };
  }
  if (document.contents !== null && !isMap(document.contents)) return { text, was: undefined };
  document.setIn(PATH, WANTED);
  return { text: document.toString({ lineWidth: 0 }), was: undefined };
}
