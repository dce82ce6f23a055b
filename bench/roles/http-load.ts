import { connect, type Socket } from "node:net";
import { serve } from "../worker.ts";

export interface Load {
  port: number;
  path: string;
  connections: number;
  ms: number;
}

const handlers = {
  /** Asks on each connection again as soon as it has the answer. Answers how many a second were answered. */
  async run({ port, path, connections, ms }: Load): Promise<number> {
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
    let answered = 0;
    const begun = performance.now();
    const end = begun + ms;
    const goesOn = (): boolean => {
      answered++;
      return performance.now() < end;
    };
    await Promise.all(sockets.map(socket => keepAsking(socket, request, goesOn)));
    const seconds = (performance.now() - begun) / 1000;
    for (const socket of sockets) socket.destroy();
    return answered / seconds;
  },
};
export type HttpLoad = typeof handlers;

/**
 * A client that costs much less than any server: it reads one answer of each connection in full and counts the bytes
 * of the others, which have the same length.
 */
export const playHttpLoad = (): void => serve(handlers);

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.on("error", reject);
  });
}

function keepAsking(socket: Socket, request: Buffer, goesOn: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let length = 0;
    let got = 0;
    let head = "";
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed a connection")));
    socket.on("data", (bytes: Buffer) => {
      got += bytes.length;
      if (length === 0) {
        head += bytes.toString("latin1");
        length = lengthOf(head);
        if (length < 0) return reject(new Error(`not the expected answer: ${head.slice(0, 200)}`));
      }
      if (length === 0 || got < length) return;
      if (got > length) return reject(new Error("an answer was longer than the first"));
      got = 0;
      if (goesOn()) socket.write(request);
      else resolve();
    });
    socket.write(request);
  });
}

/** Bytes of the whole answer that begins so; 0 while that cannot be told, -1 when it is another one than expected. */
function lengthOf(head: string): number {
  const end = head.indexOf("\r\n\r\n");
  if (end === -1) return 0;
  const body = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  return body !== undefined && head.startsWith("HTTP/1.1 200 ") ? end + 4 + Number(body) : -1;
}
