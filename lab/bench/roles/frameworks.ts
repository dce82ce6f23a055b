import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import cors from "cors";
import express from "express";
import { fastify } from "fastify";
import { serve } from "../worker.ts";
import type { Recorded } from "./bare-http.ts";
import { meter } from "./meter.ts";

type Prepared = Recorded & { path: string };

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const fastifyHandlers = {
  ...meter,
  /** Serves these bytes at a path; answers the port. */
  async listen({ headers, body, path }: Prepared): Promise<number> {
    const app = fastify({ keepAliveTimeout: 65_000 });
    const bytes = Buffer.from(body);
    const fields = Object.fromEntries(headers);
    app.get(path, (_request, reply) => reply.headers(fields).send(bytes));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return portOf(app.server);
  },
};

const expressHandlers = {
  ...meter,
  async listen({ headers, body, path }: Prepared): Promise<number> {
    const bytes = Buffer.from(body);
    const fields = Object.fromEntries(headers);
    const app = express().disable("x-powered-by").disable("etag");
    // A list of origins, as ours has one: with it, cors says nothing to who names none.
    app.use(cors({ origin: ["https://example.com"] }), express.json());
    app.get(path, (_req, res) => void res.set(fields).send(bytes));
    return new Promise((resolve, reject) => {
      const server = app.listen(0, "127.0.0.1", error => (error ? reject(error) : resolve(portOf(server))));
      server.keepAliveTimeout = 65_000;
    });
  },
};
export type Framework = typeof fastifyHandlers;

/** What is built with either, with as little as they need. */
export const playFastify = (): void => serve(fastifyHandlers);
export const playExpress = (): void => serve(expressHandlers);
