import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// Own connections: plays a stranger to the pack.

export interface StrangeServer {
  port: number;
  /** paths that were asked for */
  asked: string[];
  close(): Promise<void>;
}

/** Something that listens where the sidecar should be, and answers in its own way. */
export async function strangeServer(
  answer: (path: string, response: ServerResponse) => void,
): Promise<StrangeServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    request.resume();
    request.on("end", () => answer(path, response));
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
