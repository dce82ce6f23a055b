import { type Markup, markup } from "../../../kernel/http/markup.ts";
import type { AsyncApi } from "../asyncapi.ts";
import type { Message } from "../messages.ts";
import type { OpenApi } from "../openapi.ts";
import { nameOf } from "../words.ts";
import { copied, heading, inline, json, prose, shown, terms, type } from "./blocks.ts";
import { socket } from "./snippets.ts";

/** The chat: how it is opened, and each message that goes over it. */
export function chat({ channels, operations }: AsyncApi): Markup {
  const { address, description, bindings, messages } = channels.chat;
  const { properties } = bindings.ws.headers;
  return markup`${heading(3, "messages", "Messages")}
${copied("JavaScript", socket(address))}
${prose(description)}
<h4>Headers of the handshake</h4>
${terms(Object.entries(properties).map(([name, one]) => [markup`<code>${name}</code>`, inline(one.description)]))}
${[operations.sendToBrowser, operations.receiveFromBrowser].map(
  ({
    title,
    summary,
    description,
    messages: references,
  }) => markup`${heading(3, `messages-${nameOf(references[0]?.$ref)}`, title)}
${prose(`${summary}. ${description}`)}
${references.map(({ $ref }) => message(nameOf($ref), messages[nameOf($ref)]))}`,
)}`;
}

function message(id: string, told: Message | undefined): Markup | undefined {
  if (told === undefined) return undefined;
  const { name, title, summary, description, payload, examples } = told;
  const { content } = payload.properties;
  const mayLack = !payload.required.includes("content") && markup` <span class="soft">may be left out</span>`;
  const said = markup`<span class="type">${type(content)}</span> ${inline(`${content.description}`)}`;
  return markup`${heading(4, `message-${id}`, `${name}: ${title}`, markup`<code>${name}</code> ${title}`)}
${prose(`${summary}. ${description}`)}
${terms([[markup`<code>content</code>${mayLack}`, said]])}
${examples.map(example => shown(example.summary, json(example.payload)))}`;
}

/** What is sent to receivers of webhooks. */
export function webhooks({ webhooks }: OpenApi): Markup {
  const all = Object.entries(webhooks);
  const [first] = all.map(([, { post }]) => post);
  return markup`${first && prose(first.description)}
${first && terms(first.parameters.map(({ name, description }) => [markup`<code>${name}</code>`, inline(description)]))}
${all.map(
  ([name, { post }]) => markup`${heading(3, `webhook-${name}`, name, markup`<code>${name}</code>`)}
${Object.values(post.requestBody.content["application/json"].examples).map(one => shown(one.summary, json(one.value)))}`,
)}`;
}
