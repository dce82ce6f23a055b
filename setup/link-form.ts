import { isMap, isScalar, parseDocument } from "yaml";
import type { Config } from "../sidecar/config/settings.ts";

/** How the sidecar asks players, as its configuration has it. */
export type LinkForm = Config["modules"]["api"]["linkForm"];

const PATH = ["modules", "api", "link-form"];
export const LINK_FORM = PATH.join(".");

/**
 * The text with the setting in it. Where the key stands, only its value changes.
 * @param wanted `buttons` is what a configuration without the key has
 */
export function setLinkForm(text: string, wanted: LinkForm): { text: string; was: string | undefined } {
  const document = parseDocument(text);
  for (const path of [PATH, [LINK_FORM]]) {
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
