import { WebSocket } from "ws";
import { serve } from "../worker.ts";

/** Sockets opened at the same time. */
const AT_ONCE = 50;

interface Group {
  messages: number;
  wanted: number;
  /** a socket whose own messages do not count */
  speaker: WebSocket | undefined;
  reached: (() => void) | undefined;
}

const groups = new Map<string, Group>();

const handlers = {
  /** Opens so many sockets to an address, which then count their messages together. */
  async open({ url, count }: { url: string; count: number }): Promise<void> {
    const group = groupOf(url);
    for (let left = count; left > 0; left -= AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, () => openOne(url, group)));
  },
  /** Opens one more socket, which speaks and does not count. */
  async openSpeaker({ url }: { url: string }): Promise<void> {
    groupOf(url).speaker = await opened(url);
  },
  /** Sends a text by the speaker; settles once the other sockets of the address have had so many messages. */
  async speak({ url, text, count }: { url: string; text: string; count: number }): Promise<void> {
    groupOf(url).speaker?.send(text);
    await had(groupOf(url), count);
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

async function openOne(url: string, group: Group): Promise<void> {
  const socket = await opened(url, () => {
    group.messages++;
    if (group.messages >= group.wanted) group.reached?.();
  });
  socket.on("error", () => process.exit(1));
}

function opened(url: string, onMessage: () => void = () => {}): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
    socket.on("message", onMessage);
    socket.once("error", reject);
    socket.once("open", () => resolve(socket));
  });
}
