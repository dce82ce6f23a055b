import { randomUUID } from "node:crypto";
import type { RawData } from "ws";
import type { Exception } from "../../../shared/public/words.ts";
import type { WebLine } from "../../domain/chat.ts";
import { type Rate, takeToken } from "../../domain/rate.ts";
import type { Limit } from "../../domain/tally.ts";
import { StorageFault } from "../../ports.ts";
import { createInOrder } from "../in-order.ts";
import type { ListenerDeps } from "../routes/deps.ts";
import type { Client, Clients } from "./clients.ts";
import { createMessageReader, messageFrame } from "./frames.ts";
import type { Pace } from "./pace.ts";
import { CHAT_LIMITS } from "./rates.ts";

const PONG = messageFrame("PONG", "heartbeat pong");
const EXCEPTIONS = {
  "bad message": messageFrame("EXCEPTION", "bad message"),
  "rate limited": messageFrame("EXCEPTION", "rate limited"),
  "not allowed": messageFrame("EXCEPTION", "not allowed"),
  "server unavailable": messageFrame("EXCEPTION", "server unavailable"),
} satisfies Record<Exception, Buffer>;

/** Lines of all sockets that may wait to be handed on, as many as may wait for the game. */
const MOST_WAITING = 1_000;

/** Bytes of JSON that a UTF-16 code unit may take, as `\\u0000`, and room for all but the content of a message. */
const MOST_BYTES_EACH = 6;
const ENVELOPE_BYTES = 1_024;

/** Bytes that a message with a line of `maxContent` UTF-16 code units may have. */
export const mostBytes = (maxContent: number): number => MOST_BYTES_EACH * maxContent + ENVELOPE_BYTES;

/** What is done with the messages of clients, each of which may send as many as `rate` allows. `report` is told of faults. */
export function createMessageHandler(
  deps: ListenerDeps,
  clients: Clients,
  rate: Rate,
  pace: Pace,
  report: (error: unknown) => void,
): (client: Client, data: RawData, isBinary: boolean) => void {
  const { api, chat, chatRates, clock, log, metrics, refusals } = deps;
  const read = createMessageReader(api.limits.messageLength);
  const longest = mostBytes(api.limits.messageLength);
  const cutOff = ({ ws }: Client): void => ws.terminate();
  const inOrder = createInOrder(cutOff, report);
  // A line does not wait for the place of the one before: those that one read brings are one write for each reader.
  const inPlace = createInOrder(cutOff, report);
  let waiting = 0;

  function refuse(client: Client, why: Exception): void {
    metrics.chatFromWeb(why);
    clients.send(client, EXCEPTIONS[why]);
    if (why !== "server unavailable") pace.refused(client);
  }

  function limit(client: Client, which: Limit): void {
    refusals.noted(which, client.address);
    refuse(client, "rate limited");
  }

  /** Settles when no later line comes before this one, or with the refusal of it. */
  async function relay(client: Client, line: WebLine): Promise<number> {
    const { hasPlace, answer } = chat.fromWeb(client, line);
    const told = answer.then(
      what => {
        if (what === "not allowed") chatRates.giveBack();
        if (what === "sent") metrics.chatFromWeb(what);
        else refuse(client, what);
      },
      (error: unknown) => {
        if (!(error instanceof StorageFault))
          log.error({ requestId: randomUUID(), error }, "a chat line ended with an unexpected result");
        refuse(client, "server unavailable");
      },
    );
    if (!(await hasPlace)) await told;
    return 0;
  }

  function say(client: Client, line: WebLine): void {
    if (waiting >= MOST_WAITING) {
      refuse(client, "server unavailable");
      return;
    }
    waiting++;
    let placed: Promise<unknown> | undefined;
    // Even where the answer is there: what comes behind the line waits for it.
    const paid = inOrder(client, Promise.resolve(chatRates.take(client.address)), over => {
      const reached = CHAT_LIMITS[over];
      if (reached) limit(client, reached);
      else placed = inPlace(client, relay(client, line), () => undefined);
    });
    void paid?.then(() => placed).then(() => waiting--);
  }

  /** Behind the lines before: whoever is answered may rely on their places. */
  const pong = (client: Client): unknown => inPlace(client, 0, () => clients.send(client, PONG));

  return (client, data, isBinary) => {
    if (!pace.begin(client)) return;
    const allowed = takeToken(client.bucket, rate, clock.monotonic());
    // Parsing what is far longer than any message would cost more than a token is worth.
    const isReadable = !isBinary && Buffer.isBuffer(data) && data.length <= longest;
    const message = isReadable ? read(data.toString()) : undefined;
    const isFree = message?.type === "PING" && client.hasFreePing;
    if (isFree && allowed) client.bucket.tokens += 1;
    client.hasFreePing = allowed && message?.type === "CHAT";
    if (!message) refuse(client, "bad message");
    else if (!allowed && !isFree) limit(client, "socket");
    else if (message.type === "PING") inOrder(client, 0, () => pong(client));
    else if (message.type === "CHAT") say(client, message.line);
  };
}
