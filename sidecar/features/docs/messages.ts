import { clientMessages, SERVER_MESSAGES } from "../../../shared/public/chat.ts";
import type { SchemaGuard } from "../../../shared/public/schema-guards.ts";
import type { MessageType } from "../../../shared/public/words.ts";
import type { Config } from "../../config/settings.ts";
import { time } from "../../kernel/http/description.ts";

interface Described {
  type: MessageType;
  title: string;
  summary: string;
  description: string;
  content: SchemaGuard<unknown>;
  /** a client may leave the content out */
  optional?: true;
  /** holds nothing else */
  closed?: true;
  /** contents by name, each with what it shows; undefined: left out */
  examples: Record<string, [summary: string, content: string | undefined]>;
}

export type Message = ReturnType<typeof message>;

function message({ type, content, optional, closed, examples, ...told }: Described) {
  return {
    name: type,
    ...told,
    contentType: "application/json",
    payload: {
      type: "object",
      required: optional ? ["type"] : ["type", "content"],
      properties: {
        type: { type: "string", description: "What the message is.", const: type },
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

/** What the service sends, by message name. It holds nothing else. */
export function sentMessages(api: Config["modules"]["api"]): Record<string, Message> {
  const sent: Record<string, Omit<Described, "closed" | "content">> = {
    greeting: {
      type: "VERIFICATION",
      title: "Greeting",
      summary: "The first message of each connection",
      description: "The chat is open.",
      examples: { greeting: ["The only one", "Connection successful."] },
    },
    line: {
      type: "CHAT",
      title: "Line of chat",
      summary: "A line from the game or from another browser",
      description:
        "From the game: stretches of one colour, each begun by `§#rrggbb`, or by `§§` where there is none; it begins with `§§<`. From another browser: the text as it was sent, which may begin so too. Nobody hears their own line. Never treat it as HTML.",
      examples: {
        game: ["Steve wrote `§ahi` in the game", "§§<Steve> §#55ff55hi"],
        web: ["Another browser wrote", "hello from the web"],
      },
    },
    ping: {
      type: "PING",
      title: "Heartbeat",
      summary: `Sent every ${time(api.heartbeatInterval)}`,
      description: "A client should answer with a PONG. It is not closed without one.",
      examples: { heartbeat: ["The only one", "heartbeat ping"] },
    },
    pong: {
      type: "PONG",
      title: "Answer to a PING",
      summary: "Answers each PING of the client",
      description: "It comes once every message that was sent before the PING has been read.",
      examples: { answer: ["The only one", "heartbeat pong"] },
    },
    exception: {
      type: "EXCEPTION",
      title: "Refusal",
      summary: "What the client sent was not taken, or not passed on",
      description: [
        "`bad message`: no JSON, an unknown type, a type that clients do not send, a binary frame, a CHAT without text, over the length, or with nothing left once formatting and invisible characters are removed.",
        "`rate limited`: too many messages. It went nowhere.",
        "`not allowed`: the operators of the game have turned writing from the web off, for everybody, for browsers without a link to a player, or for this browser. The line went nowhere.",
        "`server unavailable`: the other browsers have got the line; the game has not, or did not confirm it within 10 s.",
      ].join("\n\n"),
      examples: {
        badMessage: ["Not a message that clients may send", "bad message"],
        rateLimited: ["Too many", "rate limited"],
        notAllowed: ["Who may write from the web is limited at the moment", "not allowed"],
        serverUnavailable: ["No game server", "server unavailable"],
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

/** What clients may send, by message name. Other properties are ignored. */
export function receivedMessages({ limits }: Config["modules"]["api"]): Record<string, Message> {
  const content = clientMessages(limits.messageLength);
  return {
    say: message({
      type: "CHAT",
      title: "Line from a browser",
      summary: "A line for the game and for all other browsers",
      description:
        "Formatting codes, control characters, line breaks and invisible characters do not reach the game, and nothing in it is run or translated. The other browsers get the text as it was sent.",
      content: content.CHAT,
      examples: { hello: ["To everybody", "hello from the web"] },
    }),
    clientPing: message({
      type: "PING",
      title: "PING of a client",
      summary: "Asks for a PONG",
      description:
        "To find out whether the connection still works, or whether what was sent before has been read. The first one behind a line counts against no limit.",
      content: content.PING,
      optional: true,
      examples: { empty: ["With an empty content", ""], without: ["Without a content", undefined] },
    }),
    clientPong: message({
      type: "PONG",
      title: "Answer to a heartbeat",
      summary: "Answers a PING of the service",
      description: "The service ignores it.",
      content: content.PONG,
      optional: true,
      examples: { empty: ["With an empty content", ""] },
    }),
  };
}
