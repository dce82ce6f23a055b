import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { upgrade } from "./resets.ts";

// Own connections: looks at nothing that it is answered.

/** So many text frames as clients send them, or frames of another kind, under a mask of zeros. */
export const frames = (text: string, count: number, opcode = 0x81): Buffer => {
  const frame = Buffer.concat([
    Buffer.from([opcode, 0x80 | text.length, 0, 0, 0, 0]),
    Buffer.from(text, "latin1"),
  ]);
  return Buffer.alloc(frame.length * count, frame);
};

/** A chat socket that reads nothing of what comes. With an address where the service believes its proxies. */
export async function plainSocket(port: number, address?: string, localAddress?: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", ...(localAddress && { localAddress }) });
  socket.on("error", () => undefined);
  const headers = address === undefined ? [] : [`X-Forwarded-For: ${address}`];
  socket.write(Buffer.from(upgrade("/chat", "Host: localhost", ...headers), "latin1"));
  await once(socket, "data");
  return socket;
}

/** Strangers of many addresses who say as much as they can; who is closed comes again. */
export class Flood {
  readonly #port: number;
  readonly #addresses: readonly string[];
  readonly #sockets: (Socket | undefined)[] = [];
  #said = 0;

  constructor(base: string, addresses: readonly string[], sockets: number) {
    this.#port = Number(new URL(base).port);
    this.#addresses = addresses;
    this.#sockets = Array.from({ length: sockets }, () => undefined);
  }

  /** Opens what is not open and says so many lines on each socket. Does not wait for anything. */
  pour(lines: number): void {
    for (const [i, socket] of this.#sockets.entries()) {
      if (socket === undefined || socket.destroyed) this.#open(i);
      for (let n = 0; n < lines; n++)
        socket?.write(frames(`{"type":"CHAT","content":"flood ${this.#said++}"}`, 1));
    }
  }

  end(): void {
    for (const socket of this.#sockets) socket?.destroy();
  }

  #open(place: number): void {
    const address = this.#addresses[place % this.#addresses.length] ?? "";
    const socket = connect({ port: this.#port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    socket.resume();
    const head = upgrade("/chat", "Host: localhost", `X-Forwarded-For: ${address}`);
    socket.write(Buffer.from(head, "latin1"));
    this.#sockets[place] = socket;
  }
}
