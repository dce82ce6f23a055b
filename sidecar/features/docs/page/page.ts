import { type Markup, markup, type TemplateValue } from "../../../kernel/http/markup.ts";
import type { AsyncApi } from "../asyncapi.ts";
import type { OpenApi } from "../openapi.ts";
import { allErrors, callsOf } from "../words.ts";
import { heading, inline, prose, slug, terms } from "./blocks.ts";
import { call, commonErrors, errorTerms } from "./calls.ts";
import { chat, webhooks } from "./messages.ts";
import { schemas } from "./schemas.ts";

/** How a page looks, by paths from where it lies. */
interface PageStyle {
  /** of the console */
  title: string;
  /** `#rrggbb`; blank: that of the style sheet */
  accent: string;
  icon: string | undefined;
}

/** The interface as a page for people, from the documents as the service serves them. */
export function docsPage(rest: OpenApi, messages: AsyncApi, look: PageStyle): Markup {
  const { nav, main } = docsContent(rest, messages);
  return whole(look, rest.info.version, nav, main);
}

/** The contents and the text of that page, for a page that looks otherwise. */
export function docsContent(rest: OpenApi, messages: AsyncApi): { nav: Markup; main: Markup } {
  const common = commonErrors(rest);
  const all = callsOf(rest);
  const errors = allErrors(rest);
  const inGroup = (tag: string) => all.filter(({ operation }) => operation.tags.includes(tag));
  const more: Record<string, () => Markup> = {
    Chat: () => chat(messages),
    Webhooks: () => webhooks(rest),
  };
  const main = markup`<section>
${heading(2, "all-calls", "What holds for all calls")}
${prose(rest.info.description)}
<p>The address of this service: <code class="base">http://localhost:8080</code></p>
${heading(3, "sessions-and-keys", "Sessions and keys")}
${terms(Object.values(rest.components.securitySchemes).map(({ in: where, name, description }) => [markup`<code>${name}</code> <span class="soft">${where}</span>`, inline(description)]))}
${heading(3, "any-call", "What any call may be answered")}
${errorTerms(errors.filter(({ code }) => common.has(code)))}
</section>
${rest.tags.map(
  ({ name, description }) => markup`<section>
${heading(2, slug(name), name)}
<p>${description}</p>
${inGroup(name).map(one => call(one, rest, common))}
${more[name]?.()}
</section>`,
)}
<section>
${heading(2, "errors", "Errors")}
${errorTerms(errors)}
</section>
<section>
${heading(2, "schemas", "Schemas")}
${schemas(rest.components.schemas)}
</section>`;
  return { nav: contents(rest, inGroup), main };
}

/** Links to every part. */
const contents = (rest: OpenApi, inGroup: (tag: string) => ReturnType<typeof callsOf>): Markup => markup`<ul>
<li><a href="#all-calls">What holds for all calls</a></li>
${rest.tags.map(
  ({ name }) => markup`<li><a href="#${slug(name)}">${name}</a>
<ul>${inGroup(name).map(({ method, path, operation }) => markup`<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></a></li>`)}</ul></li>`,
)}
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
<title>Interface: ${title}</title>
${icon !== undefined && markup`<link rel="icon" href="${icon}">`}
<link rel="stylesheet" href="assets/docs.css">
<script type="module" src="assets/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<h1>Interface</h1>
<p><a href="./">${title}</a></p>
<p class="soft">Version ${version}. For programs: <a href="openapi.json">OpenAPI</a>, <a href="asyncapi.json">AsyncAPI</a>. For pages: <a href="client.js">the client</a>.</p>
</header>
<nav aria-label="Contents">${nav}</nav>
<main id="content" tabindex="-1">
${main}
</main>
<p class="sr" role="status"></p>
</body>
</html>
`;
