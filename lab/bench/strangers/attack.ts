import { connect, type Socket } from "node:net";
import type { Attack } from "./attacks.ts";

/** Where a stranger comes from: whoever else there is comes from 127.0.0.1. */
const strangerAt = (place: number): string => `127.0.0.${place + 2}`;
export const STRANGER = strangerAt(0);

/** Before a connection is opened in the place of one that has ended, in milliseconds. */
const AGAIN_MS = 100;

const ANSWER = Buffer.from("HTTP/1.1 ");

/** Files of the console, as its page names them, and of the client for websites. */
export async function filesOf(base: string): Promise<string[]> {
  const page = await (await fetch(base)).text();
  return ["client.js", ...(page.match(/assets\/[\w.-]+/g) ?? [])];
}

/**
 * Attacks the service at an address until the answer is called, which ends it.
 * @param connections of those that the attack has, so many
 */
export function attack(
  base: string,
  files: readonly string[],
  { addresses = 1, ask, ahead = 1, reads, further, anewMs }: Attack,
  connections: number,
): () => void {
  const port = Number(new URL(base).port);
  const open = new Set<Socket>();
  let [asked, isOver] = [0, false];

  function send(socket: Socket, times: number): void {
    const requests = Array.from({ length: times }, () => ask(asked++, files));
    socket.write(requests.join(""), "latin1");
  }

  function begin(place: number): void {
    if (isOver) return;
    const localAddress = strangerAt(place % addresses);
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    const timers: NodeJS.Timeout[] = [];
    const begun = performance.now();
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("connect", () => {
      send(socket, ahead);
      if (further) timers.push(setInterval(() => socket.write(further.bytes, "latin1"), further.everyMs));
    });
    if (anewMs !== undefined) timers.push(setTimeout(() => socket.resetAndDestroy(), anewMs));
    if (reads !== "nothing") socket.on("data", bytes => reads === "again" && send(socket, answersIn(bytes)));
    socket.once("close", () => {
      for (const timer of timers) clearTimeout(timer);
      open.delete(socket);
      const againMs = anewMs === undefined ? AGAIN_MS : begun + anewMs - performance.now();
      setTimeout(begin, againMs, place);
    });
  }

  for (let i = 0; i < connections; i++) begin(i);
  return () => {
    isOver = true;
    for (const socket of open) socket.destroy();
  };
}

function answersIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(ANSWER); at >= 0; at = bytes.indexOf(ANSWER, at + 1)) count++;
  return count;
}
