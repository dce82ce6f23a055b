import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { ended } from "../helpers/ended.ts";
import { eventually } from "../helpers/eventually.ts";
import { STEVE, said } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { Serving } from "../helpers/serving.ts";

// Own connections: is Discord for the bot, and reads figures of the bridge listener.

const BOT = fileURLToPath(new URL("../../docs/cookbook/discord-bot.mjs", import.meta.url));
const CLIENT = fileURLToPath(new URL("../../dist/client/index.js", import.meta.url));

interface Message {
  id: string;
  content: string;
  author: { username: string; bot?: boolean };
}

/** The part of Discord that the bot uses: the messages of a channel, with increasing ids. */
class FakeDiscord {
  readonly messages: Message[] = [];
  readonly tokens = new Set<string | undefined>();
  readonly sent: { content: string; allowed_mentions: unknown }[] = [];
  /** number of further requests to reject */
  refusals = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (req, res) => {
      this.tokens.add(req.headers.authorization);
      if (this.refusals > 0) {
        this.refusals--;
        return void res.writeHead(429, { "Retry-After": "0.01" }).end();
      }
      let body = "";
      for await (const part of req) body += part;
      const { searchParams, pathname } = new URL(req.url ?? "", "http://discord");
      if (pathname !== "/channels/7/messages") return void res.writeHead(404).end();
      if (req.method === "POST") {
        const sent: { content: string; allowed_mentions: unknown } = JSON.parse(body);
        this.sent.push(sent);
        return void res.end(JSON.stringify(this.say("The bot", sent.content, true)));
      }
      const after = Number(searchParams.get("after") ?? -1);
      const found = this.messages.filter(({ id }) => Number(id) > after);
      const limit = Number(searchParams.get("limit"));
      res.end(JSON.stringify(found.reverse().slice(0, limit)));
    });
  }

  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  say(username: string, content: string, bot = false): Message {
    const message = { id: `${this.messages.length + 1}`, content, author: { username, ...(bot && { bot }) } };
    this.messages.push(message);
    return message;
  }

  /** Messages of the bot, in order. */
  get lines(): string[] {
    return this.sent.flatMap(({ content }) => content.split("\n"));
  }
}

needs("npm run build", existsSync(CLIENT)).describe("the Discord bot of the cookbook", () => {
  const side = new Serving();
  let discord: FakeDiscord;
  let bot: ChildProcess;
  let folder: string;
  let errors: string;

  beforeEach(async () => {
    await side.start({}, ["Steve"]);
    discord = new FakeDiscord();
    discord.say("Old", "said before the bot was there");
    folder = newFolder("discord-bot-");
    copyFileSync(BOT, join(folder, "discord-bot.mjs"));
    copyFileSync(CLIENT, join(folder, "client.js"));
    errors = "";
    bot = spawn(process.execPath, [join(folder, "discord-bot.mjs")], {
      env: {
        ...process.env,
        SERVICE: side.base,
        DISCORD: await discord.start(),
        BOT_TOKEN: "token",
        CHANNEL: "7",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    bot.stderr?.on("data", text => {
      errors += text;
    });
    await eventually(() => expect(discord.tokens.size).toBe(1));
  });
  afterEach(async () => {
    await ended(bot);
    discord.stop();
    await side.stop();
    expect(errors.replace(/^.*(Warning|--trace-warnings).*\n/gm, "")).toBe("");
  });

  it("reports events to the channel, in order and escaped, and waits when Discord is busy", async () => {
    // The bot starts with the first event after it has subscribed.
    await eventually(async () => {
      const figures = await fetch(`${side.bridge}/metrics`);
      expect(await figures.text()).toMatch(/^web_bridge_event_streams 1$/m);
    });
    discord.refusals = 2;
    await side.pack.report(said("§ahi @everyone **[x](https://x.example)**"), { is: "died", player: STEVE });
    await eventually(() => expect(discord.lines.at(-1)).toBe("*Steve died*"));
    expect(discord.lines.at(-2)).toBe(
      "\\<Steve\\> hi \\@everyone \\*\\*\\[x\\]\\(https\\:\\/\\/x\\.example\\)\\*\\*",
    );
    expect(discord.sent.map(one => one.allowed_mentions)).toEqual(discord.sent.map(() => ({ parse: [] })));
    expect([...discord.tokens]).toEqual(["Bot token"]);
  });

  it("sends messages of the channel to the game, and reports nothing twice", async () => {
    const page = await side.socket();
    await eventually(async () => {
      discord.say("Ann", "is anybody there?");
      expect(page.unread().map(one => one.content)).toContain("Ann: is anybody there?");
    });
    page.say("yes");
    await eventually(() => expect(discord.lines).toContain("(web) yes"));
    expect(discord.lines.join()).not.toContain("Ann");
    expect(discord.lines.join()).not.toContain("said before");
  });
});
