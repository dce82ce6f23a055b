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

/** Rate limits of chat shared by sockets, in the order in which they are counted. */
const CHAT_LIMITS = ["address", "everybody"] as const;

/** Rates of chat messages shared by sockets: per address, and for the whole website. */
interface ChatRates {
  /** Counts a message of an address; returns the index in `CHAT_LIMITS` of the limit that is reached, or -1. */
  take(address: string): number | Promise<number>;
  /** Returns a message that was counted but not sent to the limit of the whole website. */
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

/** Messages of all sockets that may be queued for relaying: as many as may be queued for the game. */
const MAX_QUEUED = 1_000;

/** Bytes of JSON that a UTF-16 code unit may take, as in `\\u0000`, and bytes for the rest of a message. */
const MAX_BYTES_PER_UNIT = 6;
const ENVELOPE_BYTES = 1_024;

/** Bytes that a message with `maxContent` UTF-16 code units of content may have. */
export const maxBytes = (maxContent: number): number => MAX_BYTES_PER_UNIT * maxContent + ENVELOPE_BYTES;

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

/** Handles the messages of clients, each limited by `rate`. */
export function createMessageHandler(deps: MessagesDeps, clients: Clients, rate: Rate) {
  const { admission, api, chat, chatRates, clock, log, metrics, refusals } = deps;
  const read = createMessageReader(api.limits.messageLength);
  const maxMessageBytes = maxBytes(api.limits.messageLength);
  let waiting = 0;

  /** Counts a rejected message; too many close the socket, or all sockets of the address. */
  function count(client: ChatClient): void {
    const now = clock.monotonic();
    client.refusedAt ??= [];
    admission.countRefusalOf(client.address);
    client.isOver = addRefusedMessage(client.refusedAt, now) || admission.isBlocked(client.address);
    if (!client.isOver) return;
    refusals.count("refusals", client.address);
    client.ws.close(POLICY_VIOLATION, "too many refused messages");
    // Nothing more is read, not even a closing frame.
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

  /** Settles when no later message can overtake this one, or once it is rejected. */
  async function relay(client: ChatClient, line: WebLine): Promise<void> {
    const { isQueued, answer } = chat.fromWeb(client, line);
    const answered = answer.then(
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
    if (!(await isQueued)) await answered;
  }

  /** Runs `act` after all earlier messages of the client are handled. */
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
    if (waiting >= MAX_QUEUED) {
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
      // Parsing a far too long message would cost more than its token.
      const isReadable = !isBinary && Buffer.isBuffer(data) && data.length <= maxMessageBytes;
      const message = isReadable ? read(data.toString()) : undefined;
      const isFree = message?.type === "PING" && client.hasFreePing;
      if (isFree && allowed) client.bucket.tokens += 1;
      client.hasFreePing = allowed && message?.type === "CHAT";
      if (!message) refuse(client, "bad message");
      else if (!allowed && !isFree) limit(client, "socket");
      else if (message.type === "CHAT") queueLine(client, message.line);
      else if (message.type === "PING") {
        // After earlier messages: a client may rely on the PONG coming after them.
        if (client.pending === undefined) clients.send(client, PONG);
        else afterPending(client, async () => clients.send(client, PONG));
      }
    },
    /** Counts a protocol ping or pong as a message; ws answers it. */
    control(client: ChatClient): void {
      if (!client.isOver && !takeToken(client.bucket, rate, clock.monotonic())) count(client);
    },
  };
}
