import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { FeedEntry } from "../../domain/feed.ts";
import type { BusEvent } from "../../ports.ts";
import { addressKey, clientAddress } from "../client-address.ts";
import { contained } from "../contained.ts";
import { errorAnswer } from "../errors.ts";
import type { ListenerDeps } from "../routes/deps.ts";
import { readSession } from "../session.ts";
import { createAdmission } from "./admission.ts";
import { type AddressedFrame, type Client, createClients } from "./clients.ts";
import { messageFrame } from "./frames.ts";
import { createMessageHandler, mostBytes } from "./messages.ts";
import { createPace } from "./pace.ts";
import { createUnfinished } from "./unfinished.ts";
import { servePlainly, wantsWebSocket } from "./upgrade.ts";

const GREETING = messageFrame("VERIFICATION", "Connection successful.");
const PING = messageFrame("PING", "heartbeat ping");

/** Fragments that a message may come in; browsers send one. Each costs as much as a message. */
const MAX_FRAGMENTS = 16;
/** Pieces from the network that an unfinished message may come in: each is held with some bytes of its own. */
const MAX_PIECES = 1_024;

export type Sockets = ReturnType<typeof createSockets>;

/**
 * Serves `/chat`. `isPast`: whether the connection of a request is one past the limit. `report` is told of what a listener has
 * thrown.
 */
export function createSockets(
  server: Server,
  deps: ListenerDeps,
  isPast: (req: IncomingMessage) => boolean,
  report: (error: unknown) => void,
) {
  const { addresses, api, clock, inOrder, log, metrics, refusals, trust } = deps;
  const { limits } = api;
  const rate = { perSecond: limits.messagesPerSecond, burst: limits.messagesBurst };
  const clients = createClients({ clock, log, metrics, bufferBytes: limits.websocketBufferBytes });
  const admission = createAdmission(deps, clients);
  const closing = ({ address }: Client): void => refusals.noted("refusals", address);
  const pace = createPace({ clock, rate, closing, report });
  const onMessage = createMessageHandler(deps, clients, rate, pace, report);
  const unfinished = createUnfinished({ clock, log, validBytes: mostBytes(limits.messageLength) });
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_PIECES,
  });

  /** The same functions for every socket, so that an idle one costs little. */
  const ofSocket = <A extends unknown[]>(listener: (this: WebSocket, ...args: A) => void) =>
    contained(listener, terminate, report);
  const listeners = {
    message: ofSocket(function (data: RawData, isBinary: boolean) {
      const client = clients.get(this);
      if (client) onMessage(client, data, isBinary);
    }),
    control: ofSocket(function () {
      const client = clients.get(this);
      if (client && pace.begin(client)) pace.control(client);
    }),
    close: ofSocket(function () {
      const client = clients.get(this);
      if (client) unfinished.forget(client);
      clients.forget(this);
    }),
    // ws closes it with the code that fits, nothing is left to do.
    error: ofSocket((error: Error) => log.debug({ reason: error.message }, "a chat socket failed")),
  };

  function accept(ws: WebSocket, req: IncomingMessage, raw: Duplex, address: string): void {
    const named = readSession(req, api.sessionCookie.name);
    const session = "value" in named ? named.value : undefined;
    const bucket = { tokens: rate.burst, at: clock.monotonic() };
    const id = randomUUID();
    const client = {
      id,
      ws,
      raw,
      address,
      session,
      bucket,
      hasFreePing: false,
      isReading: false,
      refusedAt: undefined,
    };
    clients.add(client);
    const read = (chunk: Buffer): void => unfinished.read(client, chunk);
    raw.on(
      "data",
      contained(read, () => ws.terminate(), report),
    );
    ws.on("message", listeners.message);
    ws.on("ping", listeners.control);
    ws.on("pong", listeners.control);
    ws.on("close", listeners.close);
    ws.on("error", listeners.error);
    clients.send(client, GREETING);
  }

  function handshake(req: IncomingMessage, raw: Duplex, head: Buffer, address: string): void {
    raw.on("error", ignore);
    if (isPast(req)) {
      admission.refuse(req, raw, admission.full);
      return;
    }
    inOrder(raw, addresses.take(address), (over, isLate) => {
      if (isLate && raw.destroyed) return;
      const refusal = admission.refusal(req, address, over >= 0);
      if (refusal) admission.refuse(req, raw, refusal);
      else {
        // The greeting goes out with the handshake, in one piece.
        raw.cork();
        wss.handleUpgrade(req, raw, head, ws => {
          raw.off("error", ignore);
          accept(ws, req, raw, address);
        });
        raw.uncork();
      }
    });
  }

  function onUpgrade(req: IncomingMessage, raw: Duplex, head: Buffer, isAnswering: boolean): void {
    const from = clientAddress(req, trust);
    // Reset meanwhile: nobody is there to be answered or counted. And an upgrade may not overtake an earlier answer.
    if (from === undefined || isAnswering) raw.destroy();
    else if (wantsWebSocket(req)) handshake(req, raw, head, addressKey(from));
    else servePlainly(server, req, raw, head);
  }

  // What asks for a WebSocket and breaks its protocol; ws would answer with a page.
  wss.on(
    "wsClientError",
    contained(
      (_error: Error, raw: Duplex, req: IncomingMessage) =>
        admission.refuse(req, raw, errorAnswer("upgrade_required")),
      (_error, raw) => raw.destroy(),
      report,
    ),
  );
  const stopHeartbeat = clock.every(api.heartbeatInterval, () => clients.sendAll([{ frame: PING }]));

  return {
    count: clients.count,
    /** To be called with the upgrade requests of the server; `isAnswering`: an earlier request is not answered yet. */
    onUpgrade,
    /** Refuses one ahead of that, as over the rate of its address. */
    refuse(req: IncomingMessage, raw: Duplex): void {
      raw.on("error", ignore);
      admission.refuse(req, raw, admission.overRate);
    },
    /** Closes every socket when the chat is turned off. */
    onBus(event: BusEvent): void {
      if (event.kind === "web-chat" && event.rules.mode === "off") void clients.closeAll("the chat is off");
    },
    /** Sends lines of chat to all but the socket that they came from. */
    onEvents(entries: readonly Pick<FeedEntry, "event" | "except">[]): void {
      const frames: AddressedFrame[] = [];
      for (const { event, except } of entries) {
        if (event.event !== "chat") continue;
        metrics.chatToWeb();
        frames.push({ frame: messageFrame("CHAT", event.content), except });
      }
      if (frames.length > 0) clients.sendAll(frames);
    },
    /** Closes every connection with 1001 and resolves when they are gone; after `withinMs` milliseconds they are cut off. */
    close(withinMs: number): Promise<void> {
      admission.close();
      stopHeartbeat();
      unfinished.stop();
      return clients.closeAll("the service is going away", withinMs);
    },
  };
}

const ignore = (): void => undefined;

function terminate(this: WebSocket): void {
  this.terminate();
}
