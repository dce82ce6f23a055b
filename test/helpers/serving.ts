import { connect, type Socket } from "node:net";
import { afterEach } from "@jest/globals";
import { ChatSocket } from "./chat-socket.ts";
import { type Answer, type Ask, ask, newSession } from "./client.ts";
import { EventStream } from "./event-stream.ts";
import { FakePack, row } from "./fake-pack.ts";
import { type Options, startTestSidecar, type TestSidecar } from "./sidecar.ts";

// Own connections: sends requests byte by byte; ordinary requests check the same responses.

/** A session id that a client has invented. */
export const SESSION = { Cookie: "website_user_uuid=11111111-1111-4111-8111-111111111111" };

/** The bytes of a request without a body. */
export const bytesOf = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");

/** A connection that a test writes to byte by byte. */
export class Wire {
  readonly socket: Socket;
  #text = "";

  constructor(port: number, localAddress?: string) {
    this.socket = connect({ port, host: "127.0.0.1", ...(localAddress && { localAddress }) });
    this.socket.on("error", () => undefined);
    this.socket.on("data", (chunk: Buffer) => {
      this.#text += chunk.toString("latin1");
      this.#changed();
    });
    this.socket.on("close", () => this.#changed());
  }

  #changed(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
  readonly #waiting: (() => void)[] = [];

  /** everything received */
  got = (): string => this.#text;

  /** of the received responses, in order */
  statuses = (): string[] => [...this.#text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? "");

  write(...each: (string | Buffer)[]): this {
    for (const bytes of each)
      this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    return this;
  }

  /** Resolves once it is open or closed. */
  async connected(): Promise<void> {
    if (this.socket.connecting)
      await Promise.race([new Promise(resolve => this.socket.once("connect", resolve)), this.ended()]);
  }

  /** Resolves with everything received, once that contains a text. */
  async until(part: string): Promise<string> {
    while (!this.#text.includes(part)) {
      if (this.socket.closed) throw new Error(`it ended without ${part}: ${this.#text.slice(-2_000)}`);
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
    return this.#text;
  }

  /** Resolves with everything received, once the connection is closed. */
  async ended(): Promise<string> {
    // Node's `once` would reject on an error.
    if (!this.socket.closed) await new Promise(resolve => this.socket.once("close", resolve));
    return this.#text;
  }
}

/** A sidecar for a test, with a pack and clients. */
export class Serving {
  #side: TestSidecar | undefined;
  readonly pack = new FakePack(() => this.bridge);
  readonly #ends: (() => void)[] = [];

  /** Starts it, instead of the previous one, with a game with these players, or without a game if none are given. */
  async start(options: Options | string = {}, players?: readonly string[]): Promise<void> {
    await this.stop();
    this.#side = await startTestSidecar(typeof options === "string" ? { yaml: options } : options);
    this.pack.session = "";
    this.pack.seq = 1;
    if (players) await this.online(...players);
  }

  /** Starts it with these settings of the public service. */
  api(api: string, players?: readonly string[], more: Options = {}): Promise<void> {
    return this.start({ yaml: `modules: {api: {${api}}}`, ...more }, players);
  }

  /** Starts it with these limits. */
  limits(limits: string, players?: readonly string[], more: Options = {}): Promise<void> {
    return this.api(`limits: {${limits}}`, players, more);
  }

  /** Connects a game, if there is none, which reports these players. */
  async online(...players: string[]): Promise<void> {
    if (this.pack.session === "") await this.pack.connect();
    await this.pack.snapshot(...players);
    // With several sidecars, the others get it from the bus.
    await this.quiet();
  }

  get #running(): TestSidecar {
    if (!this.#side) throw new Error("the sidecar is down");
    return this.#side;
  }
  get base(): string {
    return this.#running.base;
  }
  get bridge(): string {
    return this.#running.bridge;
  }
  get clock(): TestSidecar["clock"] {
    return this.#running.clock;
  }
  get log(): TestSidecar["log"] {
    return this.#running.log;
  }
  get config(): TestSidecar["config"] {
    return this.#running.config;
  }
  get store(): TestSidecar["store"] {
    return this.#running.store;
  }
  get sidecar(): TestSidecar["sidecar"] {
    return this.#running.sidecar;
  }
  get port(): number {
    return this.sidecar.publicAddress.port;
  }
  quiet = (): Promise<void> => this.#running.quiet();

  ask = (path: string, options?: Ask): Promise<Answer> => ask(this.base, path, options);

  /** Sends a request, and returns status and body. */
  async said(path: string, options?: Ask): Promise<[number, unknown]> {
    const { status, json } = await this.ask(path, options);
    return [status, json];
  }

  session = (): ReturnType<typeof newSession> => newSession(this.base);

  /** Sends a player a link request and waits until the pack has it; returns its id. */
  async requestLink(cookie: string, username = "Steve"): Promise<string> {
    const taken = this.ask("/link-player", { cookie, body: { username } }).then(({ status, text }) => {
      if (status !== 202) throw new Error(`the link request was answered ${status}: ${text}`);
    });
    // A rejected request never reaches the game.
    const [{ id }] = await Promise.all([this.pack.carryOut("done", { player: row(username).player }), taken]);
    return id;
  }

  /** Sends a link request, which the player answers. */
  async link(cookie: string, accepted = true): Promise<void> {
    await this.pack.report({ is: "answered", request: await this.requestLink(cookie), accepted });
  }

  /** A chat socket after its greeting. */
  async socket(headers: Record<string, string> = {}, query = ""): Promise<ChatSocket> {
    const socket = await ChatSocket.open(this.base, headers, query);
    this.#ends.push(() => socket.ws.terminate());
    return socket;
  }

  async stream(query = "", headers: Record<string, string> = {}): Promise<EventStream> {
    const stream = await EventStream.open(this.base, query, headers);
    this.#ends.push(() => stream.close());
    return stream;
  }

  /** A connection to the public listener or another port; these bytes are sent immediately. */
  wire(written = "", port = this.port, localAddress?: string): Wire {
    const wire = new Wire(port, localAddress);
    this.#ends.push(() => wire.socket.destroy());
    return written === "" ? wire : wire.write(written);
  }

  /** A metric of the bridge listener, by its name without `web_bridge_`. */
  async figure(name: string): Promise<number> {
    const figures = await (await fetch(`${this.bridge}/metrics`)).text();
    return Number(new RegExp(`^web_bridge_${name} (\\d+)$`, "m").exec(figures)?.[1]);
  }

  /** Registers a function to call at the end. */
  onEnd(end: () => void): void {
    this.#ends.push(end);
  }

  /** Stops the sidecar; its clients are disconnected. */
  shut(): Promise<void> {
    this.#shut ??= this.#running.stop();
    return this.#shut;
  }
  #shut: Promise<void> | undefined;

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    if (this.#side) await this.shut();
    this.#side = undefined;
    this.#shut = undefined;
  }
}

/** A sidecar for the tests of a file; everything that a test starts is stopped after it. */
export function serving(): Serving {
  const side = new Serving();
  afterEach(() => side.stop());
  return side;
}
