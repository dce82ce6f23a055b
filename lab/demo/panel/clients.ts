import type { WebSocket } from "ws";
import { messageOf } from "../../../cli/errno.ts";
import { perform } from "./commands.ts";
import { Feed } from "./feed.ts";
import { type Fault, type FromServer, UNPLUGGED_MS } from "./protocol.ts";
import { type Command, readCommand } from "./read-command.ts";
import type { Show } from "./show.ts";
import { worldView } from "./views.ts";

/** Interval of updates in milliseconds. */
const EVERY_MS = 200;
/** Unsent bytes above which a page gets no updates. */
const SLOW_BYTES = 64 * 1024;

interface Client {
  readonly socket: WebSocket;
  /** the last world and sidecars sent to it, and the number of the last chat line */
  world: string;
  sidecars: string;
  chat: number;
}

/** The pages that show a world. Each gets changes at most five times a second, and fewer if it reads slowly. */
export class Clients {
  readonly #show: Omit<Show, "places">;
  readonly #feed = new Feed();
  readonly #clients = new Set<Client>();
  readonly #timer: NodeJS.Timeout;

  constructor(show: Omit<Show, "places">) {
    this.#show = show;
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  /** Number of open pages. */
  get size(): number {
    return this.#clients.size;
  }

  /** Adds a page. */
  add(socket: WebSocket): void {
    socket.on("error", () => socket.terminate());
    const client = { socket, world: "", sidecars: "", chat: 0 };
    this.#clients.add(client);
    socket.on("close", () => this.#clients.delete(client));
    socket.on("message", (data, isBinary) => {
      this.#receive(client, isBinary ? "" : String(data)).catch((error: unknown) => {
        this.#show.say(`Closed the socket of a page after an error: ${error}`);
        socket.terminate();
      });
    });
    this.#look();
  }

  /** Closes the sockets of all pages. */
  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#clients) socket.terminate();
  }

  async #receive(client: Client, message: string): Promise<void> {
    const { id, command } = readCommand(message);
    const fault = await this.#carryOut(command);
    this.#look();
    send(client, { is: "answer", id, ...(fault === undefined ? {} : { fault }) });
  }

  async #carryOut(command: Command | undefined): Promise<Fault | undefined> {
    if (command === undefined) return "bad_command";
    if (command.do === "kill") return this.#show.fleet?.kill(command.sidecar) ? undefined : "sidecar_down";
    if (command.do === "unplug") return void this.#show.unplug?.(UNPLUGGED_MS);
    try {
      const done = perform(command, this.#show.game);
      // The page shows that the server is stopping before it has stopped.
      if (command.do === "power") this.#look();
      return await done;
    } catch (error) {
      this.#show.say(`The panel could not run a command: ${messageOf(error)}`);
      return "bad_command";
    }
  }

  #look(): void {
    this.#feed.read(this.#show.game.world);
    if (this.#clients.size === 0) return;
    const world = JSON.stringify({ is: "world", world: worldView(this.#show.game) } satisfies FromServer);
    const views = this.#show.fleet?.views();
    const sidecars = views && JSON.stringify({ is: "sidecars", sidecars: views } satisfies FromServer);
    for (const client of this.#clients) {
      if (client.socket.bufferedAmount > SLOW_BYTES) continue;
      const lines = this.#feed.after(client.chat);
      if (lines.length > 0) send(client, { is: "chat", lines });
      client.chat = lines.at(-1)?.number ?? client.chat;
      if (sidecars !== undefined && client.sidecars !== sidecars) {
        client.sidecars = sidecars;
        client.socket.send(sidecars);
      }
      if (client.world === world) continue;
      client.world = world;
      client.socket.send(world);
    }
  }
}

function send({ socket }: Client, message: FromServer): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}
