import type { Schema } from "../../shared/public/declare.ts";
import type { AsyncApi } from "../../sidecar/contracts/asyncapi.ts";
import type { Message } from "../../sidecar/contracts/messages.ts";
import { code } from "../../sidecar/contracts/words.ts";
import { jsonBlock, parts, prose, table } from "./markdown.ts";
import { typeOf } from "./schemas.ts";

/** Everything about the chat: how it is opened, and each message under a heading of its own. */
export function chat({ channels, operations, servers }: AsyncApi): string {
  const { address, description, bindings } = channels.chat;
  return parts(
    "## Chat messages",
    prose(description),
    table(
      ["address", "meaning"],
      Object.values(servers).map(({ protocol, description }) => [
        code(`${protocol}://<host>${address}`),
        description,
      ]),
    ),
    table(
      ["header of the handshake", "meaning"],
      Object.entries(bindings.ws.headers.properties).map(([name, one]) => [code(name), one.description]),
    ),
    direction(channels.chat.messages, operations.sendToBrowser),
    direction(channels.chat.messages, operations.receiveFromBrowser),
  );
}

function direction(
  messages: Record<string, Message>,
  { title, summary, description, messages: references }: AsyncApi["operations"]["sendToBrowser"],
): string {
  const own = references.flatMap(({ $ref }) => messages[$ref.split("/").at(-1) ?? ""] ?? []);
  return parts(
    `### ${title}`,
    prose(`${summary}. ${description}`),
    table(
      ["type", "content", "content required", "what"],
      own.map(({ name, summary, payload }) => [
        code(name),
        `${typeOf(payload.properties.content)}`,
        payload.required.includes("content") ? "yes" : "no",
        summary,
      ]),
    ),
    ...own.map(message =>
      parts(
        `#### ${message.title}`,
        prose(`${code(message.name)}. ${message.description}`),
        content(message.payload.properties.content),
        ...message.examples.map(({ summary, payload }) => parts(`${summary}:`, jsonBlock(payload))),
      ),
    ),
  );
}

/** What is said of a content that is not told by its type alone. */
const content = ({ maxLength, description }: Schema): string =>
  maxLength === undefined ? "" : prose(`Content: ${description}`);
