import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { WebSocket, WebSocketServer } from "ws";
import { freePort } from "../../cli/free-port.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { Balancer, type BalancerOptions, type Target } from "./balancer.ts";

// Own connections: implements the services behind the balancer.

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Responds with its own name and the request. */
const tells =
  (name: string): Handler =>
  (req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", chunk => chunks.push(chunk));
    req.on("end", () => {
      const { method, url, headers, socket } = req;
      const body = Buffer.concat(chunks).toString();
      res.setHeader("Set-Cookie", ["a=1", "b=2"]);
      res.end(JSON.stringify({ name, method, url, headers, body, from: socket.remoteAddress }));
    });
  };

describe("a balancer", () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function serve(
    name: string,
    handler: Handler = tells(name),
    port = 0,
  ): Promise<Target & { server: Server }> {
    const server = createServer(handler).listen(port, "127.0.0.1");
    await once(server, "listening");
    ends.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    return { name, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  }
  async function balance(...targets: Target[]): Promise<Balancer> {
    return balanced({ targets });
  }
  async function balanced(options: BalancerOptions): Promise<Balancer> {
    const balancer = await Balancer.open(options);
    ends.push(() => balancer.close());
    return balancer;
  }
  const who = async (balancer: Balancer, init: RequestInit = {}): Promise<string> => {
    const { name } = (await (await fetch(balancer.origin, init)).json()) as { name: string };
    return name;
  };

  it("gives each request of a keep-alive connection to the next target", async () => {
    const served: string[] = [];
    const targets = [await serve("a"), await serve("b"), await serve("c")];
    const balancer = await balanced({
      targets,
      onServed: ({ name }, method, path, status) => served.push(`${name} ${method} ${path} ${status}`),
    });
    const socket = connect(balancer.port, "127.0.0.1");
    let text = "";
    socket.on("data", chunk => {
      text += chunk;
    });
    for (const path of ["/1", "/2", "/3", "/4"]) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually(() => expect(text.match(/"name":"."/g)).toHaveLength(4));
    expect(text.match(/"name":"."/g)?.join()).toBe('"name":"a","name":"b","name":"c","name":"a"');
    socket.destroy();
    expect(served.sort()).toEqual(["a GET /1 200", "a GET /4 200", "b GET /2 200", "c GET /3 200"]);
    expect([...balancer.counts]).toEqual(
      expect.arrayContaining([
        ["a", 2],
        ["b", 1],
        ["c", 1],
      ]),
    );
  });

  it("forwards method, path, headers, body and cookies, and adds the client's address", async () => {
    const balancer = await balance(await serve("a"));
    const answer = await fetch(`${balancer.origin}/x?y=%20z`, {
      method: "PUT",
      body: "hello",
      headers: { "X-Own": "1", "X-Forwarded-For": "203.0.113.7" },
    });
    const { method, url, headers, body } = (await answer.json()) as Record<string, unknown>;
    expect({ method, url, body }).toEqual({ method: "PUT", url: "/x?y=%20z", body: "hello" });
    const host = `127.0.0.1:${balancer.port}`;
    expect(headers).toMatchObject({ "x-own": "1", host, "x-forwarded-for": "203.0.113.7, 127.0.0.1" });
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("skips a target that refuses the connection, and keeps the body", async () => {
    const gone = { name: "gone", url: `http://127.0.0.1:${await freePort()}` };
    const balancer = await balance(gone, await serve("b"), gone, await serve("d"));
    const init = { method: "POST", body: "x".repeat(100_000) };
    const names = await Promise.all(Array.from({ length: 8 }, () => who(balancer, init)));
    expect(names.sort()).toEqual(["b", "b", "b", "b", "d", "d", "d", "d"]);
    expect(balancer.counts.get("gone")).toBeUndefined();
  });

  it("closes the connection if a target fails during a request, without a second attempt", async () => {
    let calls = 0;
    const breaks: Handler = req => {
      calls++;
      req.resume().on("end", () => req.socket.destroy());
    };
    const half: Handler = (_req, res) => {
      res.writeHead(200, { "Content-Length": "9" });
      res.write("half");
      setTimeout(() => res.destroy(), 10);
    };
    const balancer = await balance(
      await serve("a", breaks),
      await serve("b", breaks),
      await serve("c", half),
    );
    await expect(fetch(balancer.origin, { method: "POST", body: "x" })).rejects.toThrow();
    expect(calls).toBe(1);
    await expect(fetch(balancer.origin)).rejects.toThrow();
    const cut = await fetch(balancer.origin);
    await expect(cut.text()).rejects.toThrow();
  });

  it("connects each WebSocket to one target, and forwards rejections", async () => {
    const targets = [await serve("a"), await serve("b")];
    const served: string[] = [];
    for (const { name, server } of targets) {
      const sockets = new WebSocketServer({ noServer: true });
      server.on("upgrade", (req, raw, head) => {
        if (req.url === "/no") return void raw.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
        sockets.handleUpgrade(req, raw, head, socket => {
          socket.on("message", data => socket.send(`${name} ${data} ${req.headers["x-forwarded-for"]}`));
        });
      });
    }
    const gone = { name: "gone", url: `http://127.0.0.1:${await freePort()}` };
    const balancer = await balanced({
      targets: [...targets, gone],
      onServed: ({ name }, _method, path, status) => served.push(`${name} ${path} ${status}`),
    });
    const received: string[] = [];
    for (let i = 0; i < 3; i++) {
      const socket = new WebSocket(`${balancer.origin.replace("http", "ws")}/chat`);
      socket.on("open", () => socket.send("hi"));
      const [data] = await once(socket, "message");
      received.push(`${data}`);
      socket.close();
      await once(socket, "close");
    }
    expect(received).toEqual(["a hi 127.0.0.1", "b hi 127.0.0.1", "a hi 127.0.0.1"]);
    const refused = new WebSocket(`${balancer.origin.replace("http", "ws")}/no`);
    const [, answer] = (await once(refused, "unexpected-response")) as [unknown, IncomingMessage];
    expect([answer.statusCode, (await answer.toArray()).join("")]).toEqual([403, "no"]);
    expect(served).toEqual(["a /chat 101", "b /chat 101", "a /chat 101", "a /no 403"]);
  });
});
