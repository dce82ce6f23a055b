import { type Markup, markup, type TemplateValue } from "../../../kernel/http/markup.ts";
import type { AsyncApi } from "../asyncapi.ts";
import type { OpenApi } from "../openapi.ts";
import { allErrors, callsOf } from "../words.ts";
import { fold, inline, prose, slug, terms } from "./blocks.ts";
import { call, commonErrors, errorTerms } from "./calls.ts";
import { chat, webhooks } from "./messages.ts";
import { schemas } from "./schemas.ts";

/** How the page looks; paths are relative to it. */
interface PageStyle {
  /** of the web console */
  title: string;
  /** `#rrggbb`; empty: the style sheet's own */
  accent: string;
  icon: string | undefined;
}

/** The API reference as a page, made from the documents that the service serves. */
export function docsPage(rest: OpenApi, messages: AsyncApi, look: PageStyle): Markup {
  const { nav, main } = docsContent(rest, messages);
  return whole(look, rest.info.version, nav, main);
}

/** Contents and text of that page, for a page with another frame. */
export function docsContent(rest: OpenApi, messages: AsyncApi): { nav: Markup; main: Markup } {
  const common = commonErrors(rest);
  const all = callsOf(rest);
  const errors = allErrors(rest);
  const inGroup = (tag: string) => all.filter(({ operation }) => operation.tags.includes(tag));
  const more: Record<string, () => Markup> = {
    Chat: () => chat(messages),
    Webhooks: () => webhooks(rest),
  };
  const main = markup`<section class="group">
<h2 id="all-calls">All calls</h2>
<div class="entry">
${prose(rest.info.description)}
<p>The address of this service: <code class="base">http://localhost:8080</code></p>
</div>
${fold(
  { level: 3, id: "sessions-and-keys", text: "Sessions and keys", isEntry: true },
  markup`${terms(Object.values(rest.components.securitySchemes).map(({ in: where, name, description }) => [markup`<code>${name}</code> <span class="soft">${where}</span>`, inline(description)]))}`,
)}
${fold(
  { level: 3, id: "any-call", text: "Errors of every call", isEntry: true },
  markup`${errorTerms(errors.filter(({ code }) => common.has(code)))}`,
)}
</section>
${rest.tags.map(({ name, description }) =>
  fold(
    { level: 2, id: slug(name), text: name, note: description },
    markup`${inGroup(name).map(one => call(one, rest, common))}
${more[name]?.()}`,
  ),
)}
${fold(
  { level: 2, id: "errors", text: "Errors", note: "Every error code, by status." },
  markup`${errorTerms(errors, true)}`,
)}
${fold(
  { level: 2, id: "schemas", text: "Schemas", note: "Every object that calls and events carry." },
  markup`${schemas(rest.components.schemas)}`,
)}`;
  return { nav: contents(rest), main };
}

/** The search, which the script of the page shows, and links to every part. */
const contents = (rest: OpenApi): Markup => markup`<div class="search" role="search" hidden>
<label for="search">Search calls, fields and messages</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<p class="soft" role="status"></p>
</div>
<ul>
<li><a href="#all-calls">All calls</a></li>
${rest.tags.map(({ name }) => markup`<li><a href="#${slug(name)}">${name}</a></li>`)}
<li><a href="#errors">Errors</a></li>
<li><a href="#schemas">Schemas</a></li>
</ul>`;

const whole = (
  { title, accent, icon }: PageStyle,
  version: string,
  nav: TemplateValue,
  main: TemplateValue,
): Markup =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${accent !== "" && markup`<meta name="theme-color" content="${accent}">`}
<title>API: ${title}</title>
${icon !== undefined && markup`<link rel="icon" href="${icon}">`}
<link rel="stylesheet" href="assets/docs.css">
<script type="module" src="assets/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<h1>API</h1>
<p><a href="./">${title}</a></p>
<p class="soft">Version ${version}. As data: <a href="openapi.json">OpenAPI</a>, <a href="asyncapi.json">AsyncAPI</a>. For web pages: <a href="client.js">client</a>.</p>
</header>
<nav aria-label="Contents">${nav}</nav>
<main id="content" tabindex="-1">
${main}
</main>
<p class="sr copied" role="status"></p>
</body>
</html>
`;
