import { hidden, type Kind } from "./kind.ts";

/** One setting. The default is in the form in which the file has it. */
export interface Setting<T> extends Kind<T> {
  default: string | number | boolean | string[];
  /** one line, as in the file */
  comment: string;
}

/** Settings and sections of them, by name. */
export interface Section {
  [name: string]: Setting<unknown> | Section;
}

/** The values of a section, in its shape. */
export type Values<S> = { [K in keyof S]: S[K] extends Setting<infer T> ? T : Values<S[K]> };

/** Defines a setting; its comment is a template in which line breaks count as spaces. */
type WithComment<T> = (comment: TemplateStringsArray) => Setting<T>;

export const setting =
  <T>(kind: Kind<T>, standard: Setting<T>["default"]): WithComment<T> =>
  comment => ({ ...kind, default: standard, comment: comment.join("").replace(/\s+/g, " ") });

/** A setting whose value is never printed; blank by default. */
export const secret = (kind: Kind<string>): WithComment<string> => setting({ ...kind, display: hidden }, "");

export const isSetting = (entry: Setting<unknown> | Section): entry is Setting<unknown> =>
  typeof entry.read === "function";

/** A name as the file has it: `bodyBytes` is written `body-bytes`. */
export const written = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/** The section with each setting replaced by what `make` returns for it and its path in the file. */
export function mapSettings(
  section: Section,
  make: (path: string, setting: Setting<unknown>) => unknown,
  above = "",
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(section).map(([name, entry]) => {
      const path = `${above}${written(name)}`;
      return [name, isSetting(entry) ? make(path, entry) : mapSettings(entry, make, `${path}.`)];
    }),
  );
}
