import { inYaml } from "../../sidecar/config/default-file.ts";
import { hidden } from "../../sidecar/config/kind.ts";
import type { Setting } from "../../sidecar/config/setting.ts";
import { parseYaml } from "../../sidecar/config/yaml.ts";

type Any = Setting<unknown>;

/**
 * Parses a value for a setting: as in an environment variable, or as YAML, which includes JSON, where a text is no valid
 * value.
 */
export function valueIn(written: string, setting: Any): unknown {
  const spelled = setting.fromText?.(written) ?? written;
  if (typeof setting.default === "string" || "value" in setting.read(spelled, "/")) return spelled;
  const value = yamlIn(written);
  return typeof value === "object" ? value : spelled;
}

/** Parses an element for the list of a setting: a text, or an object as YAML. */
export const elementIn = (written: string, setting: Any): unknown =>
  setting.items === undefined ? written : yamlIn(written);

/** A text as YAML; the text itself if it is not YAML. */
function yamlIn(written: string): unknown {
  const { document, faults } = parseYaml(written);
  try {
    return faults.length > 0 ? written : document.toJS();
  } catch {
    // An alias in it cannot be resolved.
    return written;
  }
}

/** Indexes of the elements of a list that match a text, a name of an object, or an index such as `[1]`. */
export function placesOf(written: string, list: readonly unknown[], setting: Any): number[] {
  const { items } = setting;
  const fitting = (fits: (element: unknown) => boolean): number[] =>
    list.flatMap((element, place) => (fits(element) ? [place] : []));
  if (items === undefined) return fitting(element => element === written);
  const place = /^\[(\d{1,6})\]$/.exec(written)?.[1];
  if (place !== undefined) return Number(place) < list.length ? [Number(place)] : [];
  const exact = fitting(element => items.calledBy(element)[0] === written);
  return exact.length > 0 ? exact : fitting(element => items.calledBy(element).includes(written));
}

/** A value for people, without secrets. */
export function display(value: unknown, setting: Any): string {
  const { items } = setting;
  if (items !== undefined)
    return Array.isArray(value) ? `[${value.map(items.display).join(", ")}]` : typeof value;
  return setting.display === hidden && value !== "" ? hidden() : inYaml(value);
}
