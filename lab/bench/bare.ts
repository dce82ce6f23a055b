import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** A recorded answer, without the headers that Node adds by itself. */
export interface Recorded {
  headers: [name: string, value: string][];
  body: string;
}

/** The least that a server on node:http can do: serves these bytes to every request. @returns the port */
export async function serveBareHttp(recorded: string): Promise<number> {
  const { headers, body }: Recorded = JSON.parse(recorded);
  const [fields, bytes] = [Object.fromEntries(headers), Buffer.from(body)];
  const server = createServer((_req, res) => res.writeHead(200, fields).end(bytes));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** The least that a server on ws can do: sends what comes from a socket to all the others. @returns the port */
export async function serveBareSockets(): Promise<number> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  server.on("connection", from =>
    from.on("message", (bytes: Buffer) => {
      for (const socket of server.clients) if (socket !== from) socket.send(bytes, { binary: false });
    }),
  );
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
