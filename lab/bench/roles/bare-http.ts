import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "../worker.ts";
import { meter } from "./meter.ts";

/** A recorded answer, headers without those that Node adds by itself. */
export interface Recorded {
  headers: [string, string][];
  body: string;
}

const handlers = {
  ...meter,
  /** Serves these bytes to every request; answers the port. */
  async listen({ headers, body }: Recorded & { path: string }): Promise<number> {
    const bytes = Buffer.from(body);
    const fields = Object.fromEntries(headers);
    const server = createServer({ keepAliveTimeout: 65_000 }, (_req, res) => {
      res.writeHead(200, fields).end(bytes);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  },
};
export type BareHttp = typeof handlers;

/** The least that a server on node:http can do. */
export const playBareHttp = (): void => serve(handlers);
