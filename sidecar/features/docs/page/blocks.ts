import type { Schema } from "../../../../shared/public/schema-guards.ts";
import { type Markup, markup, type TemplateValue } from "../../../kernel/http/markup.ts";
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

/** What a value has to be. */
export const type = (schema: Schema): Markup => inline(typeOf(schema, schemaLink));
/** A link to what is referred to. */
export const referred = (reference: unknown): Markup => inline(schemaLink(nameOf(reference)));

/** An anchor for a text: `game-server`. */
export const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** A heading that can be linked to. */
export function heading(level: 2 | 3 | 4, id: string, text: string, shown: TemplateValue = text): Markup {
  const anchor = markup` <a class="anchor" href="#${id}" aria-label="Link to ${text}">#</a>`;
  if (level === 2) return markup`<h2 id="${id}">${shown}${anchor}</h2>`;
  if (level === 3) return markup`<h3 id="${id}">${shown}${anchor}</h3>`;
  return markup`<h4 id="${id}">${shown}${anchor}</h4>`;
}

/** Terms with what is said of each; nothing without any. */
export const terms = (all: readonly [term: TemplateValue, said: TemplateValue][]): Markup | undefined =>
  all.length === 0
    ? undefined
    : markup`<dl>${all.map(([term, said]) => markup`<div><dt>${term}</dt><dd>${said}</dd></div>`)}</dl>`;

/** The address of the service, which the script of the page sets right. */
const ADDRESSES = new RegExp(`(${SHOWN}|${SHOWN_SOCKET})`);

/** Code to read, with what it is above it. */
export const shown = (caption: string, text: string): Markup =>
  markup`<figure><figcaption><span>${inline(caption)}</span></figcaption><pre><code>${text}</code></pre></figure>`;

/** Code to copy, with the address of the service in it. */
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
