import { once } from "node:events";
import { connect, type Socket } from "node:net";

// Own connections: ignores responses, or disconnects before them.

/** This many text frames of a client, or frames of another type, with a mask of zeros. */
export const frames = (text: string, count: number, opcode = 0x81): Buffer => {
  const frame = Buffer.concat([
    Buffer.from([opcode, 0x80 | text.length, 0, 0, 0, 0]),
    Buffer.from(text, "latin1"),
  ]);
  return Buffer.alloc(frame.length * count, frame);
};

/** A chat socket that reads nothing. With a client address, if the service trusts proxies. */
export async function plainSocket(port: number, address?: string, localAddress?: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", ...(localAddress && { localAddress }) });
  socket.on("error", () => undefined);
  const headers = address === undefined ? [] : [`X-Forwarded-For: ${address}`];
  socket.write(Buffer.from(upgrade("/chat", "Host: localhost", ...headers), "latin1"));
  await once(socket, "data");
  return socket;
}

/** Clients of many addresses that send as much as they can, and reconnect when they are disconnected. */
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

  /** Opens missing sockets and sends this many messages on each. Does not wait. */
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

/** The data that a client sends before it disconnects, and the names of these stages. */
type Stages = Record<string, string>;

const request = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, ...headers, "", ""].join("\r\n");

/** A complete WebSocket upgrade for this path, followed by a text frame with a PING. */
export const upgrade = (path: string, ...headers: string[]): string =>
  request(
    `GET ${path}`,
    ...headers,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ) + PING_FRAME;

/** `{"type":"PING"}` with a mask of zeros. */
const PING_FRAME = `\x81\x8f\0\0\0\0{"type":"PING"}`;

/** Stages of a connection to any listener. `headers`: of each request. */
export const stagesOf = (socket: string, page: string, ...headers: string[]): Stages => ({
  nothing: "",
  get: request(`GET ${page}`, ...headers),
  "pipelined gets": request(`GET ${page}`, ...headers).repeat(20),
  post: `${request(`POST ${page}`, ...headers, "Content-Type: application/json", "Content-Length: 18")}{"username":"Alex"`,
  upgrade: upgrade(socket, ...headers),
  "upgrade behind a get": request(`GET ${page}`, ...headers) + upgrade(socket, ...headers),
  "two upgrades": upgrade(socket, ...headers).repeat(2),
  "upgrade elsewhere": upgrade("/nowhere", ...headers),
  "broken handshake": request(`GET ${socket}`, ...headers, "Connection: Upgrade", "Upgrade: websocket"),
  "another protocol": request(`GET ${page}`, ...headers, "Connection: Upgrade", "Upgrade: h2c").repeat(3),
  tunnel: request("CONNECT x:80", ...headers),
  noise: "\0\x16\x03\x01",
});

/** Number of connections of one address that the service still accepts. */
const OF_AN_ADDRESS = 50;

/** A loopback address for a connection; only Linux has more than one. */
const addressOf = (turn: number): { localAddress?: string } => {
  const place = Math.floor(turn / OF_AN_ADDRESS);
  return process.platform === "linux" ? { localAddress: `127.1.${place >> 8}.${place & 255}` } : {};
};

/** Resets a connection: immediately, with data still in transit, or once a response has arrived. */
function reset(port: number, bytes: Buffer, when: number, from: { localAddress?: string }): Promise<void> {
  return new Promise(resolve => {
    const socket = connect({ port, host: "127.0.0.1", ...from });
    const end = (): void => void socket.resetAndDestroy();
    socket.on("error", () => undefined);
    socket.once("close", () => resolve());
    socket.once("connect", () => {
      if (when === 2) socket.once("data", end);
      if (bytes.length === 0) end();
      else socket.write(bytes, when === 1 ? end : undefined);
      if (when === 0) end();
      // There is no response to half of a request.
      if (when === 2) setImmediate(() => setImmediate(end));
    });
  });
}

/**
 * Opens `count` connections to a port, 100 in parallel, and resets each at another moment: at another stage, after more or less
 * of its data was sent.
 */
export async function resetMany(port: number, stages: Stages, count: number): Promise<void> {
  const payloads = Object.values(stages).map(text => Buffer.from(text, "latin1"));
  let begun = 0;
  async function client(): Promise<void> {
    while (begun < count) {
      const turn = begun++;
      const whole = payloads[turn % payloads.length] ?? Buffer.alloc(0);
      const round = Math.floor(turn / payloads.length);
      // Every third is sent completely; the others are cut at varying positions.
      const length = round % 3 === 0 ? whole.length : (round * 7) % (whole.length + 1);
      await reset(port, whole.subarray(0, length), Math.floor(round / 3) % 3, addressOf(turn));
    }
  }
  await Promise.all(Array.from({ length: 100 }, client));
}
