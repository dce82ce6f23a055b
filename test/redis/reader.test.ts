import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, expect, it } from "@jest/globals";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { contents, line } from "../store/feed-log.contract.ts";

// Own connections: stands between a sidecar and Redis.

/** Passes everything on to Redis; whoever reads a stream may be kept waiting for its answers. */
class Line {
  isHolding = false;
  held: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer(near => this.#join(near));
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  async open(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #join(near: Socket): void {
    const far = connect(this.#port, "127.0.0.1");
    let isHeld = false;
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        if (!isHeld) (socket === near ? far : near).destroy();
      });
    }
    near.on("data", bytes => {
      if (this.isHolding && bytes.includes("XREAD")) isHeld = true;
      far.write(bytes);
    });
    far.on("data", bytes => {
      const pass = (): void => {
        isHeld = false;
        if (near.writable) near.write(bytes);
      };
      if (isHeld) this.held.push(pass);
      else pass();
    });
  }
}

needs("redis-server", hasRedis).describe("a sidecar whose connection broke before it was ready", () => {
  const redis = redisForTests();
  const lines: Line[] = [];
  afterAll(() => {
    for (const one of lines) one.close();
  });

  it("hears everything once, though an answer to the connection before comes at last", async () => {
    const between = new Line(redis.server().port);
    lines.push(between);
    const prefix = "once";
    const [one, two] = [
      await redis.open({ prefix, settings: { url: await between.open() } }),
      await redis.open({ prefix }),
    ];
    const heard: string[] = [];
    one.feedLog.subscribe(entries => heard.push(...contents(entries)));
    between.isHolding = true;
    between.cut();
    await eventually(() => expect(between.held.length).toBeGreaterThan(0));
    between.isHolding = false;
    await eventually(() => expect(one.reach.isAway()).toBe(false));
    for (const answer of between.held) answer();
    for (let i = 0; i < 20; i++) await two.feedLog.tell([line(`${i}`)]);
    await one.feedLog.sync();
    await two.feedLog.tell([line("last")]);
    await eventually(() => expect(heard.at(-1)).toBe("last"));
    expect(heard).toEqual([...Array.from({ length: 20 }, (_, i) => `${i}`), "last"]);
  });
});
