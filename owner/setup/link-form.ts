import { readFileValues } from "../../sidecar/config/file.ts";
import { type Config, SETTINGS } from "../../sidecar/config/settings.ts";
import { withValue } from "./edit.ts";

/** How the sidecar asks players, as its configuration has it. */
export type LinkForm = Config["modules"]["api"]["linkForm"];

export const LINK_FORM = "modules.api.link-form";

/** The text with the setting in it; one that cannot take it stays as it is. */
export function setLinkForm(text: string, wanted: LinkForm): { text: string; was: string | undefined } {
  const held = readFileValues(text).values.get(LINK_FORM);
  const was = held === undefined ? undefined : String(held);
  if (wanted === (was ?? SETTINGS.modules.api.linkForm.default)) return { text, was };
  const after = withValue(text, LINK_FORM, wanted);
  return { text: "text" in after ? after.text : text, was };
}
