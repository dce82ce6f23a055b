import { randomUUID } from "node:crypto";
import type { RawData } from "ws";
import type { Exception } from "../../../../shared/public/words.ts";
import type { Config } from "../../../config/settings.ts";
import type { Admission } from "../../../kernel/http/admission.ts";
import type { ApiSettings } from "../../../kernel/http/description.ts";
import { addRefusedMessage } from "../../../kernel/http/overload/rules.ts";
import type { Limit, Refusals } from "../../../kernel/http/refusals.ts";
import type { Rates } from "../../../kernel/storage/ports.ts";
import { StorageFault } from "../../../kernel/storage/ports.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { SidecarMetrics } from "../../../platform/metrics.ts";
import { perMinute, type Rate, takeToken } from "../../../platform/rate.ts";
import type { Chat } from "../chat.ts";
import type { WebLine } from "../rules/chat.ts";
import {
  type ChatClient,
  CLOSE_TIMEOUT_MS,
  type Clients,
  createMessageReader,
  messageFrame,
} from "./clients.ts";

type Limits = Config["modules"]["api"]["limits"];

/** Limits of the lines that sockets share, in the order in which they are counted. */
const CHAT_LIMITS = ["address", "everybody"] as const;

/** The rates of chat lines that sockets share: those of an address, and all of the web together. */
interface ChatRates {
  /** Counts a line of an address; index in `CHAT_LIMITS` of the limit that is reached, or -1. */
  take(address: string): number | Promise<number>;
  /** Gives back a line that was counted and not sent to what all of the web may send. */
  giveBack(): void;
}

export function createChatRates(rates: Rates, limits: Limits): ChatRates {
  const addresses = { name: "chat-address", ...perMinute(limits.messagesPerMinutePerAddress) };
  const rate = {
    name: "chat-everybody",
    perSecond: limits.chatLinesPerSecond,
    burst: limits.chatLinesBurst,
  };
  const everybody = { key: "", rate };
  return {
    take: address => rates.take({ key: address, rate: addresses }, everybody),
    giveBack: () => rates.giveBack(everybody),
  };
}

const PONG = messageFrame("PONG", "heartbeat pong");
const EXCEPTIONS = {
  "bad message": messageFrame("EXCEPTION", "bad message"),
  "rate limited": messageFrame("EXCEPTION", "rate limited"),
  "not allowed": messageFrame("EXCEPTION", "not allowed"),
  "server unavailable": messageFrame("EXCEPTION", "server unavailable"),
} satisfies Record<Exception, Buffer>;

const POLICY_VIOLATION = 1008;

/** Lines of all sockets that may wait to be relayed, as many as may wait for the game. */
const MOST_WAITING = 1_000;

/** Bytes of JSON that a UTF-16 code unit may take, as `\\u0000`, and room for all but the content of a message. */
const MOST_BYTES_EACH = 6;
const ENVELOPE_BYTES = 1_024;

/** Bytes that a message with a line of `maxContent` UTF-16 code units may have. */
export const maxBytes = (maxContent: number): number => MOST_BYTES_EACH * maxContent + ENVELOPE_BYTES;

export interface MessagesDeps {
  admission: Admission;
  api: ApiSettings;
  chat: Chat;
  chatRates: ChatRates;
  clock: Clock;
  log: Log;
  metrics: SidecarMetrics;
  refusals: Refusals;
}

/** Handles the messages of clients, each of which may send as many as `rate` allows. */
export function createMessageHandler(deps: MessagesDeps, clients: Clients, rate: Rate) {
  const { admission, api, chat, chatRates, clock, log, metrics, refusals } = deps;
  const read = createMessageReader(api.limits.messageLength);
  const longest = maxBytes(api.limits.messageLength);
  let waiting = 0;

  /** Counts a refused message; too many of a socket close it, or of an address close all of its sockets. */
  function count(client: ChatClient): void {
    const now = clock.monotonic();
    client.refusedAt ??= [];
    admission.countRefusalOf(client.address);
    client.isOver = addRefusedMessage(client.refusedAt, now) || admission.isBlocked(client.address);
    if (!client.isOver) return;
    refusals.count("refusals", client.address);
    client.ws.close(POLICY_VIOLATION, "too many refused messages");
    // Nothing more is read, not even its closing frame.
    client.ws.pause();
    clock.after(CLOSE_TIMEOUT_MS, () => client.ws.terminate());
  }

  function refuse(client: ChatClient, why: Exception): void {
    metrics.chatFromWeb(why);
    clients.send(client, EXCEPTIONS[why]);
    if (why !== "server unavailable" && !client.isOver) count(client);
  }

  function limit(client: ChatClient, which: Limit): void {
    refusals.count(which, client.address);
    refuse(client, "rate limited");
  }

  /** Settles when no later line comes before this one, or with the refusal of it. */
  async function relay(client: ChatClient, line: WebLine): Promise<void> {
    const { hasPlace, answer } = chat.fromWeb(client, line);
    const told = answer.then(
      what => {
        if (what === "not allowed") chatRates.giveBack();
        if (what === "sent") metrics.chatFromWeb(what);
        else refuse(client, what);
      },
      (error: unknown) => {
        if (!(error instanceof StorageFault))
          log.error({ requestId: randomUUID(), error }, "Unexpected error while sending a chat message");
        refuse(client, "server unavailable");
      },
    );
    if (!(await hasPlace)) await told;
  }

  /** Does something after everything that the client has sent before is handled. */
  function afterPending(client: ChatClient, act: () => Promise<void>): void {
    const done = (client.pending ?? Promise.resolve()).then(act).catch((error: unknown) => {
      client.ws.terminate();
      log.warn({ error }, "Unexpected error on a connection");
    });
    client.pending = done;
    void done.then(() => {
      if (client.pending === done) client.pending = undefined;
    });
  }

  function queueLine(client: ChatClient, line: WebLine): void {
    if (waiting >= MOST_WAITING) {
      refuse(client, "server unavailable");
      return;
    }
    waiting++;
    afterPending(client, async () => {
      try {
        const reached = CHAT_LIMITS[await chatRates.take(client.address)];
        if (reached) limit(client, reached);
        else await relay(client, line);
      } finally {
        waiting--;
      }
    });
  }

  return {
    message(client: ChatClient, data: RawData, isBinary: boolean): void {
      if (client.isOver) return;
      const allowed = takeToken(client.bucket, rate, clock.monotonic());
      // Parsing a message that is far too long would cost more than a token is worth.
      const isReadable = !isBinary && Buffer.isBuffer(data) && data.length <= longest;
      const message = isReadable ? read(data.toString()) : undefined;
      const isFree = message?.type === "PING" && client.hasFreePing;
      if (isFree && allowed) client.bucket.tokens += 1;
      client.hasFreePing = allowed && message?.type === "CHAT";
      if (!message) refuse(client, "bad message");
      else if (!allowed && !isFree) limit(client, "socket");
      else if (message.type === "CHAT") queueLine(client, message.line);
      else if (message.type === "PING") {
        // After the lines before it: a client that gets the PONG may rely on their order.
        if (client.pending === undefined) clients.send(client, PONG);
        else afterPending(client, async () => clients.send(client, PONG));
      }
    },
    /** Counts a ping or pong of the protocol as a message; ws answers by itself. */
    control(client: ChatClient): void {
      if (!client.isOver && !takeToken(client.bucket, rate, clock.monotonic())) count(client);
    },
  };
}
