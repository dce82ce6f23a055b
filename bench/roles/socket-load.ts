import { WebSocket } from "ws";
import { serve } from "../worker.ts";

/** Sockets opened at the same time. */
const AT_ONCE = 50;

interface Group {
  messages: number;
  wanted: number;
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
  /** Settles once the sockets of an address have had so many messages since they were last asked. */
  async messages({ url, count }: { url: string; count: number }): Promise<void> {
    const group = groupOf(url);
    group.wanted = count;
    if (group.messages < count) {
      await new Promise<void>(resolve => {
        group.reached = resolve;
      });
    }
    group.messages -= count;
    group.wanted = Number.POSITIVE_INFINITY;
  },
};
export type SocketLoad = typeof handlers;

/** Sockets that only listen. */
export const playSocketLoad = (): void => serve(handlers);

function groupOf(url: string): Group {
  const known = groups.get(url);
  if (known) return known;
  const group: Group = { messages: 0, wanted: Number.POSITIVE_INFINITY, reached: undefined };
  groups.set(url, group);
  return group;
}

function openOne(url: string, group: Group): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
    socket.on("error", reject);
    socket.on("open", resolve);
    socket.on("message", () => {
      group.messages++;
      if (group.messages >= group.wanted) group.reached?.();
    });
  });
}
