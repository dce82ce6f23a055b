import { type Markup, markup } from "../../../kernel/http/markup.ts";
import type { AsyncApi } from "../asyncapi.ts";
import type { Message } from "../messages.ts";
import type { OpenApi } from "../openapi.ts";
import { nameOf } from "../words.ts";
import { captioned, copied, fold, inline, json, prose, terms, type } from "./blocks.ts";
import { socket } from "./snippets.ts";

/** The chat: how to open it, and each of its messages. */
export function chat({ channels, operations }: AsyncApi): Markup {
  const { address, description, bindings, messages } = channels.chat;
  const { properties } = bindings.ws.headers;
  const opening = markup`${copied("JavaScript", socket(address))}
${prose(description)}
<h4>Headers of the handshake</h4>
${terms(Object.entries(properties).map(([name, one]) => [markup`<code>${name}</code>`, inline(one.description)]))}`;
  return markup`${fold({ level: 3, id: "messages", text: "Connecting, limits and close codes", isEntry: true }, opening)}
${[operations.sendToBrowser, operations.receiveFromBrowser].map(
  ({ title, summary, description, messages: references }) => markup`<section class="group">
<h3>${title}</h3>
${prose(`${summary}. ${description}`)}
${references.map(({ $ref }) => message(nameOf($ref), messages[nameOf($ref)]))}
</section>`,
)}`;
}

function message(id: string, described: Message | undefined): Markup | undefined {
  if (described === undefined) return undefined;
  const { name, title, summary, description, payload, examples } = described;
  const { content } = payload.properties;
  const optional = !payload.required.includes("content") && markup` <span class="soft">optional</span>`;
  const about = markup`<span class="type">${type(content)}</span> ${inline(`${content.description}`)}`;
  return fold(
    {
      ...{ level: 4, id: `message-${id}`, text: `${name}: ${title}` },
      ...{ title: markup`<code>${name}</code>`, note: title, isEntry: true },
    },
    markup`${prose(`${summary}. ${description}`)}
${terms([[markup`<code>content</code>${optional}`, about]])}
${examples.map(example => captioned(example.summary, json(example.payload)))}`,
  );
}

/** The requests to receivers of webhooks. */
export function webhooks({ webhooks }: OpenApi): Markup {
  const all = Object.entries(webhooks);
  const [first] = all.map(([, { post }]) => post);
  return markup`${
    first &&
    fold(
      { level: 3, id: "webhook-requests", text: "Delivery and signature", isEntry: true },
      markup`${prose(first.description)}
${terms(first.parameters.map(({ name, description }) => [markup`<code>${name}</code>`, inline(description)]))}`,
    )
  }
${all.map(([name, { post }]) =>
  fold(
    {
      ...{ level: 3, id: `webhook-${name}`, text: name },
      ...{ title: markup`<code>${name}</code>`, note: post.summary, isEntry: true },
    },
    markup`${Object.values(post.requestBody.content["application/json"].examples).map(one => captioned(one.summary, json(one.value)))}`,
  ),
)}`;
}
