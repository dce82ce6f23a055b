import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WebSocket } from "ws";
import { serve } from "../worker.ts";

/** Sockets or streams opened at the same time. */
const AT_ONCE = 50;

interface Group {
  messages: number;
  wanted: number;
  /** a socket whose own messages do not count */
  speaker: WebSocket | undefined;
  reached: (() => void) | undefined;
  /** those that count */
  sockets: WebSocket[];
}

interface Speech {
  url: string;
  text: string;
  count: number;
  times?: number;
}

const groups = new Map<string, Group>();

const handlers = {
  /**
   * Opens so many sockets to an address, or streams of events where it is one of HTTP, which then count their messages
   * together; `at`: to another address, and they count with those of the first.
   */
  async open({ url, count, at = url }: { url: string; count: number; at?: string }): Promise<void> {
    const group = groupOf(url);
    const one = at.startsWith("http:") ? openStream : openOne;
    for (let left = count; left > 0; left -= AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, () => one(at, group)));
  },
  /** Opens one more socket, at `url` or at another address, which speaks and does not count. */
  async openSpeaker({ url, at = url }: { url: string; at?: string }): Promise<void> {
    groupOf(url).speaker = await opened(at);
  },
  /** Sends a text by the speaker, `times` times; settles once the other sockets of the address have had so many messages. */
  async speak({ url, text, count, times = 1 }: Speech): Promise<void> {
    for (let i = 0; i < times; i++) groupOf(url).speaker?.send(text);
    await had(groupOf(url), count);
  },
  /** Sends so many lines, by the sockets of an address in turn; each sends its next one in another turn of the event loop. */
  async talk({ url, text, lines }: { url: string; text: string; lines: number }): Promise<void> {
    const { sockets } = groupOf(url);
    for (let i = 0; i < lines; i++) {
      const at = i % sockets.length;
      if (at === 0) await nextTurn();
      sockets[at]?.send(text);
    }
  },
  /** Closes the sockets of an address, and settles when they are gone. */
  async leave(url: string): Promise<void> {
    const group = groupOf(url);
    const gone = group.sockets.map(socket => once(socket, "close"));
    for (const socket of group.sockets) socket.terminate();
    group.sockets = [];
    await Promise.all(gone);
  },
  /** Settles once the sockets of an address have had so many messages since they were last asked. */
  async messages({ url, count }: { url: string; count: number }): Promise<void> {
    await had(groupOf(url), count);
  },
};
export type SocketLoad = typeof handlers;

/** Sockets that only listen. */
export const playSocketLoad = (): void => serve(handlers);

function groupOf(url: string): Group {
  const known = groups.get(url);
  if (known) return known;
  const group: Group = {
    messages: 0,
    wanted: Number.POSITIVE_INFINITY,
    speaker: undefined,
    reached: undefined,
    sockets: [],
  };
  groups.set(url, group);
  return group;
}

async function had(group: Group, count: number): Promise<void> {
  group.wanted = count;
  if (group.messages < count) {
    await new Promise<void>(resolve => {
      group.reached = resolve;
    });
  }
  group.messages -= count;
  group.wanted = Number.POSITIVE_INFINITY;
}

function count(group: Group, messages: number): void {
  group.messages += messages;
  if (group.messages >= group.wanted) group.reached?.();
}

async function openOne(url: string, group: Group): Promise<void> {
  const socket = await opened(url, () => count(group, 1));
  socket.on("error", () => process.exit(1));
  group.sockets.push(socket);
}

const EVENT = Buffer.from("\nevent: ");

/** Opens a stream of events on a bare connection: one event is what a message is to a socket. */
function openStream(url: string, group: Group): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("data", (head: Buffer) => {
      if (!head.includes(" 200 ")) return reject(new Error(String(head)));
      socket.on("error", () => process.exit(1));
      socket.on("data", (bytes: Buffer) => {
        let events = 0;
        for (let at = bytes.indexOf(EVENT); at >= 0; at = bytes.indexOf(EVENT, at + 1)) events++;
        count(group, events);
      });
      resolve();
    });
  });
}

function opened(url: string, onMessage: () => void = () => {}): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
    socket.on("message", onMessage);
    socket.once("error", reject);
    socket.once("open", () => resolve(socket));
  });
}
