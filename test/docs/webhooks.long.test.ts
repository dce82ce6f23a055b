import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { freePort } from "../../cli/free-port.ts";
import type { FeedEvent } from "../../client/types.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { encodeColours } from "../../sidecar/features/chat/rules/colours.ts";
import { discordFormat } from "../../sidecar/features/webhooks/discord.ts";
import { standardFormat } from "../../sidecar/features/webhooks/standard.ts";
import { chat, Hooks, SECRET } from "../../sidecar/features/webhooks/testing/hooks.ts";
import { eventually } from "../helpers/eventually.ts";
import { newFolder } from "../helpers/folder.ts";
import { startReceiver } from "../helpers/receiver.ts";
import { configLines, configShown, textsAfter } from "./config-lines.ts";
import { blocks } from "./pages.ts";

// Blocks of docs/webhooks.md: discord-in-one-line sh, discord-in-one-line text, what-can-be-set yaml
// Blocks of docs/webhooks.md: discord-only sh, what-can-be-set sh, try-it sh, try-it text, a-receiver-of-your-own json
// Blocks of docs/webhooks.md: a-receiver-of-your-own js
// Own connections: is a receiver of webhooks.

const PAGE = "docs/webhooks.md";
const HOOK = fileURLToPath(new URL("../../dist/tools/hook.js", import.meta.url));
const block = (language: string, index = 0): string => blocks(PAGE, language)[index]?.text ?? "";
const at = Date.UTC(2026, 0, 1, 12, 30, 15, 250);
const steve = { name: "Steve", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" };
const alex = { name: "Alex", uuid: "b7a5fd68-0ba5-5bd1-a1a7-a0a0f2b8a4c2" };

describe("the page on webhooks", () => {
  it("shows commands that add webhooks, and remove one", () => {
    expect(configShown(PAGE, "discord-in-one-line").webhooks).toMatchObject([{ format: "discord" }]);
    const [added, removed] = textsAfter(configLines(PAGE, "what-can-be-set"));
    expect(added).toContain('  - url: "https://www.example.com/hooks/minecraft"\n');
    expect(removed).toBe(defaultConfigFile());
  });

  it("shows how to keep the web console on its machine", () => {
    expect(configShown(PAGE, "discord-only").modules.api.host).toBe("127.0.0.1");
  });

  it("shows a configuration that the sidecar accepts", () => {
    const read = blocks(PAGE, "yaml").map(({ text }) => readConfig(text, {}, "/nowhere"));
    expect(read).toMatchObject([
      {
        config: {
          webhooks: [{ events: ["chat", "server"] }, { format: "standard" }, { allowPrivate: true }],
        },
      },
    ]);
  });

  it("creates a secret that the sidecar accepts", () => {
    const [, script = ""] = /^node -p "(.*)"$/.exec(block("sh", 2)) ?? [];
    const secret = spawnSync(process.execPath, ["-p", script], { encoding: "utf8" }).stdout.trim();
    const webhooks = [{ url: "https://a.example/", secret }];
    expect(readConfig(JSON.stringify({ webhooks }), {}, "/nowhere")).toHaveProperty("config");
  });

  it("shows the messages that Discord gets", () => {
    const events: FeedEvent[] = [
      { event: "server", at, state: "online" },
      { event: "join", at, player: steve },
      { event: "chat", at, from: "game", content: encodeColours(["<Steve> ", "§ahello"]), player: steve },
      { event: "chat", at, from: "web", content: "hello from the website" },
      {
        event: "chat",
        at,
        from: "web",
        content: "hello from a browser that is linked to Alex",
        player: alex,
      },
      { event: "death", at, player: steve, killer: alex },
    ];
    const entries = events.map((event, i) => ({ id: `1-${i}`, event }));
    const { body } = discordFormat("https://discord.com/").next(entries, false, at);
    expect(JSON.parse(body).content.replaceAll("\\", "")).toBe(block("text"));
  });

  it("shows how to test a webhook, and the output", async () => {
    const examples = blocks(PAGE).filter(({ heading }) => heading === "try-it");
    const lines = examples.find(({ language }) => language === "sh")?.text.split("\n") ?? [];
    expect(lines).toHaveLength(2);
    const receiver = await startReceiver();
    const folder = newFolder("tried ");
    try {
      const hook = { url: receiver.url, secret: SECRET, "allow-private": true };
      writeFileSync(join(folder, "config.yml"), JSON.stringify({ webhooks: [hook] }));
      for (const line of lines) {
        const args = line
          .replace("./web-bridge hook ", "")
          .replace("https://www.example.com/hooks/minecraft", hook.url);
        const child = spawn("sh", ["-c", `"${process.execPath}" "${HOOK}" ${args}`], {
          env: { ...process.env, WEB_BRIDGE_CONFIG: join(folder, "config.yml") },
        });
        let printed = "";
        child.stdout.on("data", chunk => {
          printed += chunk;
        });
        const [status] = await once(child, "close");
        expect([line, status]).toEqual([line, 0]);
        const bare = (text = ""): string[] =>
          text
            .replace(/\d+ ms/g, "")
            .trim()
            .split("\n")
            .slice(1);
        expect(bare(printed)).toEqual(bare(examples.find(({ language }) => language === "text")?.text));
      }
    } finally {
      await receiver.stop();
    }
  });

  it("shows a body as it is sent", () => {
    const example = JSON.parse(block("json"));
    const event: FeedEvent = { event: "death", at, player: steve, killer: alex };
    const { body } = standardFormat("https://a.example/", SECRET).next([{ id: "1-1", event }], false, at);
    expect(JSON.parse(body)).toEqual(example);
  });
});

describe("the receiver on the page", () => {
  let folder: string;
  let receiver: ChildProcess;
  let printed = "";
  let hooks: Hooks;
  let url: string;
  beforeEach(async () => {
    folder = newFolder("receiver-");
    // Packages are resolved from the location of the program.
    symlinkSync(
      fileURLToPath(new URL("../../node_modules", import.meta.url)),
      join(folder, "node_modules"),
      "junction",
    );
    const program = join(folder, "receiver.mjs");
    writeFileSync(program, block("js"));
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    receiver = spawn(process.execPath, [program], { env: { ...process.env, SECRET, PORT: `${port}` } });
    receiver.stdout?.on("data", chunk => {
      printed += chunk;
    });
    await eventually(() => fetch(url));
    hooks = new Hooks();
    await hooks.start({ url });
  });
  afterEach(async () => {
    await hooks.stop(1000);
    receiver.kill();
  });

  it("accepts what the sidecar sends once, and nothing else", async () => {
    await hooks.append({ event: chat("hello") });
    await eventually(() => expect(printed).toBe("chat { at: 1, from: 'web', content: 'hello' }\n"));
    const forged = await fetch(url, { method: "POST", body: "{}", headers: { "webhook-id": "1-1" } });
    expect(forged.status).toBe(401);
    expect(hooks.outcomes).toEqual(["taken"]);
  });
});
