import { clientMessages, SERVER_MESSAGES } from "../../../shared/public/chat.ts";
import type { SchemaGuard } from "../../../shared/public/schema-guards.ts";
import type { MessageType } from "../../../shared/public/words.ts";
import type { Config } from "../../config/settings.ts";
import { time } from "../../kernel/http/description.ts";

interface MessageDescription {
  type: MessageType;
  title: string;
  summary: string;
  description: string;
  content: SchemaGuard<unknown>;
  /** whether a client can omit the content */
  optional?: true;
  /** whether it has no other properties */
  closed?: true;
  /** contents by name, each with a summary; undefined: omitted */
  examples: Record<string, [summary: string, content: string | undefined]>;
}

export type Message = ReturnType<typeof message>;

function message({ type, content, optional, closed, examples, ...rest }: MessageDescription) {
  return {
    name: type,
    ...rest,
    contentType: "application/json",
    payload: {
      type: "object",
      required: optional ? ["type"] : ["type", "content"],
      properties: {
        type: { type: "string", description: "Type of the message.", const: type },
        content: content.schema,
      },
      ...(closed ? { additionalProperties: false } : {}),
    },
    examples: Object.entries(examples).map(([name, [summary, value]]) => ({
      name,
      summary,
      payload: { type, ...(value === undefined ? {} : { content: value }) },
    })),
  };
}

/** Messages of the service, by name. They have no other properties. */
export function sentMessages(api: Config["modules"]["api"]): Record<string, Message> {
  const sent: Record<string, Omit<MessageDescription, "closed" | "content">> = {
    greeting: {
      type: "VERIFICATION",
      title: "Greeting",
      summary: "The first message of each connection",
      description: "The chat is open.",
      examples: { greeting: ["The only content", "Connection successful."] },
    },
    line: {
      type: "CHAT",
      title: "Chat message",
      summary: "A message from the game or from another browser",
      description:
        "From the game: parts of one colour, each starting with `§#rrggbb`, or with `§§` for no colour. From another browser: the text as it was sent, which can start the same way. A client does not get its own messages. Never treat it as HTML.",
      examples: {
        game: ["Steve wrote `§ahi` in the game", "§§<Steve> §#55ff55hi"],
        web: ["Another browser wrote", "hello from the website"],
      },
    },
    ping: {
      type: "PING",
      title: "Heartbeat",
      summary: `Sent every ${time(api.heartbeatInterval)}`,
      description: "A client should respond with a PONG. The connection stays open without one.",
      examples: { heartbeat: ["The only content", "heartbeat ping"] },
    },
    pong: {
      type: "PONG",
      title: "Response to a PING",
      summary: "Response to each PING of the client",
      description: "Sent after every message before the PING has been read.",
      examples: { answer: ["The only content", "heartbeat pong"] },
    },
    exception: {
      type: "EXCEPTION",
      title: "Error",
      summary: "A message of the client was rejected or not delivered",
      description: [
        "`bad message`: not JSON, an unknown type, a type that clients cannot send, a binary frame, or a CHAT that has no text, is too long, or is empty once formatting and invisible characters are removed.",
        "`rate limited`: too many messages. The message was not delivered.",
        "`not allowed`: only linked players, or nobody, may write at the moment, this browser is muted, or its player is banned. The message was not delivered.",
        "`server unavailable`: the other browsers got the message; the game did not, or did not confirm it within 10 s.",
      ].join("\n\n"),
      examples: {
        badMessage: ["Not a message that clients can send", "bad message"],
        rateLimited: ["Too many messages", "rate limited"],
        notAllowed: ["Web chat is restricted at the moment", "not allowed"],
        serverUnavailable: ["No game server is connected", "server unavailable"],
      },
    },
  };
  return Object.fromEntries(
    Object.entries(sent).map(([name, one]) => [
      name,
      message({ ...one, content: SERVER_MESSAGES[one.type], closed: true }),
    ]),
  );
}

/** Messages of clients, by name. Other properties are ignored. */
export function receivedMessages({ limits }: Config["modules"]["api"]): Record<string, Message> {
  const content = clientMessages(limits.messageLength);
  return {
    say: message({
      type: "CHAT",
      title: "Chat message from a browser",
      summary: "A message for the game and for all other browsers",
      description:
        "Formatting codes, control characters, line breaks and invisible characters are removed for the game, and the game does not run or translate anything in it. The other browsers get the text as it was sent.",
      content: content.CHAT,
      examples: { hello: ["To everyone", "hello from the website"] },
    }),
    clientPing: message({
      type: "PING",
      title: "PING of a client",
      summary: "Requests a PONG",
      description:
        "Checks whether the connection works, or whether earlier messages have been read. The first PING after a CHAT does not count towards the rate limit.",
      content: content.PING,
      optional: true,
      examples: { empty: ["With empty content", ""], without: ["Without content", undefined] },
    }),
    clientPong: message({
      type: "PONG",
      title: "Response to a heartbeat",
      summary: "Response to a PING of the service",
      description: "The service ignores it.",
      content: content.PONG,
      optional: true,
      examples: { empty: ["With empty content", ""] },
    }),
  };
}
