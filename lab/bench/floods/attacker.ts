import { connect, type Socket } from "node:net";
import { ATTACKS, type Attack } from "./attacks.ts";

/** Address of the attacker; other clients use 127.0.0.1. */
const HOSTILE_ADDRESS = "127.0.0.2";

/** Time before a connection that the service has closed is opened again, in milliseconds. */
const AGAIN_MS = 100;

const ANSWER = Buffer.from("HTTP/1.1 ");

/** Attacks a local port until the process ends. @returns 0: it does not listen */
export function attack(name: string, port: string): number {
  const attack = ATTACKS[name];
  if (attack === undefined) throw new Error(`unknown attack: ${name}`);
  for (let n = 0; n < attack.connections; n++) keepOpen(attack, Number(port), n);
  return 0;
}

function keepOpen(attack: Attack, port: number, n: number): void {
  const { first, further, again, unread, resetMs, connections } = attack;
  const socket = connect({ port, host: "127.0.0.1", localAddress: HOSTILE_ADDRESS });
  const begun = performance.now();
  const timer = resetMs === undefined ? undefined : setTimeout(() => socket.resetAndDestroy(), resetMs);
  socket.on("error", () => undefined);
  socket.once("connect", () => {
    socket.write(first(n), "latin1");
    if (further !== undefined) keepSending(socket, Buffer.from(further, "latin1"));
  });
  if (!unread)
    socket.on("data", (bytes: Buffer) => {
      const answers = again === undefined ? 0 : answersIn(bytes);
      if (answers > 0) socket.write(again?.repeat(answers) ?? "", "latin1");
    });
  socket.once("close", () => {
    clearTimeout(timer);
    const waitMs = resetMs === undefined ? AGAIN_MS : begun + resetMs - performance.now();
    setTimeout(keepOpen, waitMs, attack, port, n + connections);
  });
}

function keepSending(socket: Socket, piece: Buffer): void {
  const send = (): void => {
    while (socket.writable && socket.write(piece));
  };
  socket.on("drain", send);
  send();
}

function answersIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(ANSWER); at >= 0; at = bytes.indexOf(ANSWER, at + 1)) count++;
  return count;
}
