import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

// Own connections: is a DNS server.

const HEADER_BYTES = 12;
const TYPE_A = 1;
/** Length prefix over TCP. */
const LENGTH_BYTES = 2;

/**
 * Responds to DNS queries with IPv4 addresses, the same for each name, over UDP and TCP, as versions of Caddy use them;
 * `address`: of the DNS server.
 */
export async function startNames(
  addresses: () => readonly string[],
): Promise<{ address: string; stop(): Promise<void> }> {
  const server = createServer(socket => {
    socket.on("error", () => undefined);
    // The queries of a test arrive in one piece each.
    socket.on("data", bytes => {
      const reply = answer(bytes.subarray(LENGTH_BYTES), addresses());
      socket.write(Buffer.concat([Buffer.from([reply.length >> 8, reply.length & 255]), reply]));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const udp = createSocket("udp4");
  udp.on("message", (query, from) => udp.send(answer(query, addresses()), from.port, from.address));
  await once(udp.bind(port, "127.0.0.1"), "listening");
  return {
    address: `127.0.0.1:${port}`,
    async stop() {
      const closed = [once(udp, "close"), once(server, "close")];
      udp.close();
      server.close();
      await Promise.all(closed);
    },
  };
}

/** The response to a DNS query: address records if the query is for those. */
function answer(query: Buffer, addresses: readonly string[]): Buffer {
  const end = query.indexOf(0, HEADER_BYTES) + 5;
  const isForIPv4 = query.readUInt16BE(end - 4) === TYPE_A;
  const records = (isForIPv4 ? addresses : []).map(each =>
    // The name of the query, type, class, a TTL of one second, four bytes.
    Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4, ...each.split(".").map(Number)]),
  );
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]);
}
