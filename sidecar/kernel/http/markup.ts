/** Text that is markup already, and is put into other markup as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: texts and numbers are escaped, markup is not, and what is undefined or false is left out. */
export type TemplateValue = string | number | Markup | undefined | false | readonly TemplateValue[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as markup of HTML or XML: as content, or as the value of an attribute in quotes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => ENTITIES[sign] ?? "");

function written(held: TemplateValue): string {
  if (held === undefined || held === false) return "";
  if (held instanceof Markup) return held.text;
  return typeof held === "object" ? held.map(written).join("") : escaped(`${held}`);
}

/** Markup with what is held escaped, which is what keeps the texts of owners and requests from being any. */
export const markup = (strings: TemplateStringsArray, ...held: TemplateValue[]): Markup =>
  new Markup(strings.map((text, at) => text + written(held[at])).join(""));
