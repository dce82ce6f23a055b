import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** A recorded response, without the headers that Node adds itself. */
export interface RecordedResponse {
  headers: [name: string, value: string][];
  body: string;
}

/** A minimal server on node:http, which sends these bytes for every request. @returns the port */
export async function serveBareHttp(recorded: string): Promise<number> {
  const { headers, body }: RecordedResponse = JSON.parse(recorded);
  const [fields, bytes] = [Object.fromEntries(headers), Buffer.from(body)];
  const server = createServer((_req, res) => res.writeHead(200, fields).end(bytes));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** A minimal server on ws, which forwards messages of a socket to all others. @returns the port */
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
