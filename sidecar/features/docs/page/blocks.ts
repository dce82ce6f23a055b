import type { Schema } from "../../../../shared/public/schema-guards.ts";
import { Markup, markup, type TemplateValue } from "../../../kernel/http/markup.ts";
import { nameOf, typeOf } from "../words.ts";
import { SHOWN, SHOWN_SOCKET } from "./snippets.ts";

/** Code between backticks, and links to places of the page as in Markdown. */
const INLINE = /`([^`]+)`|\[([^\]]+)\]\((#[\w-]+)\)/;

/** A text of the documents as markup. */
export function inline(text: string): Markup {
  const parts = text.split(new RegExp(INLINE, "g"));
  const made: TemplateValue[] = [];
  for (let at = 0; at < parts.length; at += 4) {
    const [plain = "", code, link, target] = parts.slice(at, at + 4);
    made.push(plain);
    if (code !== undefined) made.push(markup`<code>${code}</code>`);
    if (link !== undefined) made.push(markup`<a href="${target ?? ""}">${link}</a>`);
  }
  return markup`${made}`;
}

/** Several paragraphs. */
export const prose = (text: string): Markup[] =>
  text.split("\n\n").map(paragraph => markup`<p>${inline(paragraph)}</p>`);

export const schemaId = (name: string): string => `schema-${name}`;
const schemaLink = (name: string): string => `[${name}](#${schemaId(name)})`;

/** The type of a value, with links to schemas. */
export const type = (schema: Schema): Markup => inline(typeOf(schema, schemaLink));
/** A link to the schema of a `$ref`. */
export const referred = (reference: unknown): Markup => inline(schemaLink(nameOf(reference)));

/** An anchor for a text: `game-server`. */
export const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

interface FoldTitle {
  level: 2 | 3 | 4;
  /** anchor: a link to it opens the part */
  id: string;
  text: string;
  /** the text as markup */
  title?: TemplateValue;
  /** beside the title */
  note?: TemplateValue;
  /** whether the search of the page finds it as one hit; otherwise it shows with the hits in it */
  isEntry?: boolean;
}

/**
 * A part of the page that starts closed. Browsers open the part around the target of a link: its anchor is on what it holds,
 * so that this works without a script.
 */
export function fold(
  { level, id, text, title = text, note, isEntry = false }: FoldTitle,
  content: Markup,
): Markup {
  const heading =
    level === 2
      ? markup`<h2>${title}</h2>`
      : level === 3
        ? markup`<h3>${title}</h3>`
        : markup`<h4>${title}</h4>`;
  return markup`<details class="${isEntry ? "entry" : "group"}">
<summary>${heading}${note !== undefined && markup` <span class="soft">${note}</span>`}</summary>
<div class="inside" id="${id}">
<a class="anchor" href="#${id}">#${id}</a>
${content}
</div>
</details>`;
}

/** Terms with their descriptions; nothing without any. `isSearched`: each is one hit of the search of the page. */
export const terms = (
  all: readonly [term: TemplateValue, description: TemplateValue][],
  isSearched = false,
): Markup | undefined =>
  all.length === 0
    ? undefined
    : markup`<dl>${all.map(([term, description]) => markup`<div${isSearched && new Markup(' class="entry"')}><dt>${term}</dt><dd>${description}</dd></div>`)}</dl>`;

/** The address of the service in an example. The script of the page replaces it. */
const ADDRESSES = new RegExp(`(${SHOWN}|${SHOWN_SOCKET})`);

/** Code to read, with a caption. */
export const captioned = (caption: string, text: string): Markup =>
  markup`<figure><figcaption><span>${inline(caption)}</span></figcaption><pre><code>${text}</code></pre></figure>`;

/** Code to copy, with a caption; it contains the address of the service. */
export function copied(caption: string, text: string): Markup {
  const parts = text
    .split(ADDRESSES)
    .map(part => (ADDRESSES.test(part) ? markup`<span class="base">${part}</span>` : part));
  return markup`<figure class="copy"><figcaption><span>${caption}</span></figcaption><pre><code>${parts}</code></pre></figure>`;
}

/** Longest JSON in one line, in characters. */
const SHORT = 60;

export function json(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= SHORT ? text : JSON.stringify(value, undefined, 2);
}
