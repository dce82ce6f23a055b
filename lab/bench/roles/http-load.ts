import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { serve } from "../worker.ts";

interface Target {
  port: number;
  /** name in `Host`, and for TLS */
  host?: string;
  /** certificate of the server, where it speaks TLS */
  ca?: string;
}

export interface Load extends Target {
  path: string;
  connections: number;
  ms: number;
}

/** Connections that stay open, by port. */
const open = new Map<number, Connection[]>();

const handlers = {
  /** Opens connections in the place of those that are open, so that none is asked too often for the patience of a proxy. */
  async open({ connections, ...target }: Target & { connections: number }): Promise<void> {
    for (const connection of open.get(target.port) ?? []) connection.end();
    open.set(
      target.port,
      await Promise.all(Array.from({ length: connections }, () => Connection.open(target))),
    );
  },
  /** Asks on each open connection again as soon as it has the answer. Answers how many were answered, in how many seconds. */
  async run({ port, path, ms, host = "127.0.0.1" }: Omit<Load, "connections" | "ca">) {
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    let answered = 0;
    const begun = performance.now();
    const end = begun + ms;
    const goesOn = (): boolean => {
      answered++;
      return performance.now() < end;
    };
    await Promise.all((open.get(port) ?? []).map(connection => connection.keepAsking(request, goesOn)));
    return { answered, seconds: (performance.now() - begun) / 1000 };
  },
};
export type HttpLoad = typeof handlers;

/** A client that costs much less than any server: of each answer it reads how long it is, and counts the bytes. */
export const playHttpLoad = (): void => serve(handlers);

const END_OF_HEAD = "\r\n\r\n";

class Connection {
  readonly #socket: Socket;
  /** of the answer that comes, before its length is known */
  #head: Buffer | undefined;
  /** bytes of it that are still to come */
  #left = 0;
  #answered: () => void = () => {};
  #failed: (error: Error) => void = () => {};
  #isEnded = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", error => this.#failed(error));
    socket.on("close", () => this.#isEnded || this.#failed(new Error("the server closed a connection")));
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
  }

  static async open({ port, host, ca }: Target): Promise<Connection> {
    const at = { port, host: "127.0.0.1", noDelay: true };
    const socket = ca === undefined ? connect(at) : connectTls({ ...at, ca, servername: host });
    await once(socket, ca === undefined ? "connect" : "secureConnect");
    return new Connection(socket);
  }

  keepAsking(request: Buffer, goesOn: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#failed = reject;
      this.#answered = () => {
        if (goesOn()) this.#socket.write(request);
        else resolve();
      };
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#isEnded = true;
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    if (this.#left === 0) {
      const head = this.#head ? Buffer.concat([this.#head, bytes]) : bytes;
      const end = head.indexOf(END_OF_HEAD);
      this.#head = end === -1 ? head : undefined;
      if (end === -1) return;
      const body = lengthOf(head.toString("latin1", 0, end + 2));
      if (body === undefined) {
        this.#failed(new Error(`not the expected answer: ${head}`));
        return;
      }
      this.#left = end + END_OF_HEAD.length + body - head.length;
    } else this.#left -= bytes.length;
    if (this.#left < 0) this.#failed(new Error("an answer was longer than it said"));
    else if (this.#left === 0) this.#answered();
  }
}

/** Bytes of the body that a head tells of; undefined where it is another one than expected. */
function lengthOf(head: string): number | undefined {
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  return length !== undefined && head.startsWith("HTTP/1.1 200 ") ? Number(length) : undefined;
}
