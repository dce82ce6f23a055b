import { once } from "node:events";
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  detach,
  endBehind,
  handOut,
  skipPieces,
  staysOpen,
  takeNoMore,
  takeUnread,
  WatchedRequest,
} from "../../sidecar/http/node-internals.ts";

// Own connections: asks bare listeners what Node does.

// A program that says as JSON, of the Node that runs it, whether it still has what it does not describe. It imports nothing but
// what it is about: each Node runs it as it is.

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const LAST = GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
const POST = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
const CRUMB = "1\r\na\r\n";

async function listen(
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<{ server: Server; open(): Socket }> {
  const server = createServer(options, listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    server,
    open: () => connect({ port, host: "127.0.0.1" }).on("error", () => undefined),
  };
}

/** Writes all of it at once; resolves with what came back once the connection is over. */
async function tell(socket: Socket, text: string): Promise<string> {
  let heard = "";
  socket.on("data", bytes => {
    heard += bytes;
  });
  socket.write(text, "latin1");
  await once(socket, "close");
  return heard;
}

const count = (text: string, of: string): number => text.split(of).length - 1;

/** Requests that count the pieces of their bodies. */
function counting(
  Base: typeof IncomingMessage,
  told: (req: IncomingMessage) => void,
): typeof IncomingMessage {
  return class extends Base {
    override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
      if (piece !== null) told(this);
      return super.push(piece, encoding);
    }
  };
}

const FACTS: Record<string, () => Promise<boolean>> = {
  async takeUnread() {
    const { server, open } = await listen((_req, res) => res.end());
    const taken: Socket[] = [];
    takeUnread(server);
    server.on("connection", (socket: Socket) => {
      if (taken.push(socket) > 1) socket.resume();
    });
    const first = open();
    await new Promise(resolve => first.write(GET, resolve));
    await tell(open(), LAST);
    const before = taken[0]?.bytesRead;
    taken[0]?.resume();
    const [answer] = await once(first, "data");
    return before === 0 && String(answer).startsWith("HTTP/1.1 200 ");
  },

  async takeNoMore() {
    const left: IncomingMessage[] = [];
    const { open } = await listen((req, res) => {
      takeNoMore(req, one => left.push(one));
      res.writeHead(200, { Connection: "close" }).end();
    });
    const heard = await tell(open(), GET.repeat(1_000));
    return count(heard, "HTTP/1.1 200 ") === 1 && left.length === 1;
  },

  async skipPieces() {
    let pieces = 0;
    const Counting = counting(IncomingMessage, ({ socket }) => {
      pieces++;
      if (pieces === 3) skipPieces(socket);
    });
    const { open } = await listen((req, res) => req.on("end", () => res.end()).resume(), {
      IncomingMessage: Counting,
    });
    const crumbs = (of: number): string => `${CRUMB.repeat(of)}0\r\n\r\n`;
    const first = await tell(open(), POST + crumbs(5_000) + LAST);
    const skipped = pieces === 3;
    // The parser goes on to another connection, and tells of that.
    await tell(open(), POST + crumbs(2) + LAST);
    return skipped && pieces === 5 && count(first, "HTTP/1.1 200 ") === 2;
  },

  async watchedRequest() {
    let behind = 0;
    const Counting = counting(WatchedRequest, req => {
      if (!(req instanceof WatchedRequest && req.isLetGo)) return;
      if (++behind === 10) req.socket.destroy();
    });
    const { open } = await listen((_req, res) => res.end("answer"), { IncomingMessage: Counting });
    const socket = open();
    socket.write(POST);
    await once(socket, "data");
    await tell(socket, CRUMB.repeat(10));
    return behind === 10;
  },

  async handOut() {
    const { server, open } = await listen((req, res) => {
      handOut(req);
      detach(res);
    });
    server.on("upgrade", (_req: IncomingMessage, raw: Duplex) => raw.end("handed out"));
    return (await tell(open(), GET)) === "handed out";
  },

  async staysOpen() {
    const stays: boolean[] = [];
    const { open } = await listen((_req, res) => {
      stays.push(staysOpen(res));
      res.end();
    });
    await tell(open(), GET + LAST);
    await tell(open(), LAST.replace("1.1", "1.0"));
    return stays.join() === "true,false,false";
  },

  async endBehind() {
    const { open } = await listen((_req, res) => {
      endBehind(res);
      res.end("answer");
    });
    return (await tell(open(), GET)).endsWith("answer");
  },
};

const DEADLINE_MS = 20_000;
const late = new Promise<string>(resolve => setTimeout(resolve, DEADLINE_MS, "nothing came of it"));
const found: Record<string, unknown> = {};
for (const [name, fact] of Object.entries(FACTS))
  found[name] = await Promise.race([fact().catch(error => String(error)), late]);
console.log(JSON.stringify(found));
process.exit();
