import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import { WebSocket } from "ws";
import type { KnownPlayers, ListedServer } from "../../client/index.ts";
import { ask, checkedFetch, newSession } from "../../test/helpers/client.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { needs } from "../../test/helpers/needs.ts";
import { SignInBrowser } from "../../test/helpers/sign-in.ts";
import { findRedisServer } from "../scale/redis-server.ts";
import type { FromServer, PanelData, PlayerView, SidecarView } from "./panel/protocol.ts";

// Own connections: calls the panel of the demo; responses of the service are checked.

const DEMO = fileURLToPath(new URL("../../dist/tools/demo.js", import.meta.url));

/** Starts the built demo in its own process, on free ports, and waits for a line that starts with `last`. */
async function startDemo(last: string, ...options: string[]) {
  const child = spawn(process.execPath, [DEMO, "--port", "0", "--panel-port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith(last)) break;
  }
  child.stdout.resume();
  const address = (name: string): string =>
    lines.find(line => line.startsWith(name))?.replace(/^.*\s/, "") ?? "";
  const [panel, site] = ["Panel", "Example site"].map(name => address(name).replace(/\/$/, ""));
  return { child, lines, panel: panel ?? "", site: site ?? "", rest: address("REST") };
}

needs("npm run build", existsSync(DEMO)).it(
  "the demo runs the panel, the game and the website together, and ends at a signal",
  async () => {
    const { child, lines, panel, rest } = await startDemo("No terminal");
    expect(lines.join("\n")).not.toContain("guess");
    const ended = once(child, "exit");
    const { service } = (await (await fetch(`${panel}/panel.json`)).json()) as PanelData;
    expect(service).not.toBe(rest);
    expect((await fetch(`${service}/healthz`)).status).toBe(200);
    expect((await fetch(`${panel}/`)).status).toBe(200);
    const policy = (await checkedFetch(`${rest}/`)).headers.get("content-security-policy");
    expect(policy).toContain(`frame-ancestors ${panel};`);

    const known = await checkedFetch(`${rest}/known-players?sort=playtime`);
    const { players, total } = (await known.json()) as KnownPlayers;
    expect(total).toBe(16);
    expect(players[0]).toMatchObject({ name: "Ilse Moor", online: false });
    expect(players.filter(({ online }) => online).map(({ name }) => name)).toContain("Steve");

    const begun = await checkedFetch(`${rest}/initialize`, { headers: { origin: panel } });
    expect(begun.headers.get("access-control-allow-origin")).toBe(panel);
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    const link = (): Promise<Response> =>
      checkedFetch(`${rest}/link-player`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ username: "Steve" }),
      });
    const status = async (): Promise<string> => {
      const answer = await checkedFetch(`${rest}/linked-player`, { headers: { cookie } });
      return ((await answer.json()) as { status: string }).status;
    };

    // While a panel is open, its visitors answer the forms.
    const socket = new WebSocket(`${panel.replace("http", "ws")}/world`, { origin: panel });
    let steve: PlayerView | undefined;
    socket.on("message", data => {
      const message: FromServer = JSON.parse(String(data));
      if (message.is === "world") steve = message.world.players.find(({ name }) => name === "Steve");
    });
    await once(socket, "open");
    expect((await link()).status).toBe(202);
    await eventually(() => expect(steve?.form?.isChest).toBe(true));
    expect(await status()).toBe("pending");
    const answer = { id: 1, do: "answer", name: "Steve", form: steve?.form?.number, button: 15 };
    socket.send(JSON.stringify(answer));
    await eventually(async () => expect(await status()).toBe("declined"));

    // Without one, the players answer automatically.
    socket.close();
    await once(socket, "close");
    expect((await link()).status).toBe(202);
    await eventually(async () => expect(await status()).toBe("accepted"));

    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);

needs("npm run build", existsSync(DEMO)).it(
  "the demo has an example site, where a player signs in",
  async () => {
    const { child, site, rest } = await startDemo("No terminal");
    const ended = once(child, "exit");
    expect(site).toMatch(/^http:\/\/localhost:\d+$/);
    expect(await (await fetch(site)).text()).toContain('href="/sign-in"');
    const begun = await fetch(`${site}/sign-in`, { redirect: "manual" });
    const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const browser = new SignInBrowser(rest);
    await browser.go(begun.headers.get("location") ?? "");
    await browser.call("/initialize");
    const { pathname } = browser.at;
    expect((await browser.call(`${pathname}/player`, { username: "Steve" })).status).toBe(202);
    const state = async () => (await browser.call(`${pathname}/state`)).json;
    await eventually(async () => expect(await state()).toMatchObject({ status: "accepted" }));
    const { uuid } = (await state()).player;
    const { json } = await browser.call(`${pathname}/go-on`, { uuid });
    const { location = "" } = await browser.go(json.location, "own");
    const greeted = await fetch(location, { headers: { cookie } });
    expect(await greeted.text()).toContain("Welcome, Steve.");
    expect((await fetch(location, { headers: { cookie } })).status).toBe(400);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);

/** What the demo prints on one of its outputs with these options, and its exit code. */
async function output(
  where: "stdout" | "stderr",
  options: string[],
  env: Record<string, string> = {},
): Promise<[text: string, code: unknown]> {
  const child = spawn(process.execPath, [DEMO, ...options], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const each of ["stdout", "stderr"] as const)
    child[each].on("data", chunk => {
      texts[each] += chunk;
    });
  const [code] = await once(child, "close");
  return [texts[where].trim(), code];
}

needs("npm run build", existsSync(DEMO)).it(
  "the demo lists its options with --help, and names one that is wrong",
  async () => {
    const [usage, code] = await output("stdout", ["--help"]);
    expect(code).toBe(0);
    for (const option of ["port", "panel-port", "sidecars", "servers"])
      expect(usage).toContain(`--${option} <number>`);
    for (const option of ["--server <folder>", "--origin <origin>", "--key <name>", "--site <redirect uri>"])
      expect(usage).toContain(option);
    expect(usage).toContain("--console ");
    for (const number of ["0", "6", "two", "1.5", ""])
      expect(await output("stderr", [`--sidecars=${number}`])).toEqual([
        `--sidecars ${number}: expected a whole number from 1 to 5`,
        1,
      ]);
    expect(await output("stderr", ["--sidecars", "2", "--server", tmpdir()])).toEqual([
      "--sidecars needs the sidecar of the demo, and --server uses another one: leave one out",
      1,
    ]);
    for (const [options, fault] of [
      [["--console", "--server", tmpdir()], /^--console cannot be combined with --server: /],
      [["--orign", "x"], /^Unknown option '--orign'. npm run demo -- --help lists the options$/],
      [["--origin", "http://localhost:5173/"], /^--origin: .*write "http:\/\/localhost:5173"/],
      [["--key", "admin"], /^--key: "admin": expected .* not admin, /],
      [["--site", "http://a.example/in"], /^--site: .*expected an exact address/],
      [["--key", "x", "--server", tmpdir()], /^--key needs the sidecar of the demo/],
    ] as const)
      expect(await output("stderr", [...options])).toEqual([expect.stringMatching(fault), 1]);
    expect(await output("stderr", ["--sidecars", "2"], { PATH: tmpdir(), REDIS_SERVER: "" })).toEqual([
      expect.stringMatching(/^--sidecars needs redis-server .*apt install redis-server.*$/),
      1,
    ]);
  },
);

needs("npm run build", existsSync(DEMO)).it(
  "the demo and its sidecar end when the reader of the output is gone",
  async () => {
    const { child, rest } = await startDemo("No terminal");
    const ended = once(child, "exit");
    child.stdout.destroy();
    expect(await ended).toEqual([0, null]);
    await expect(fetch(`${rest}/healthz`)).rejects.toThrow("fetch failed");
  },
);

needs("npm run build", existsSync(DEMO)).it(
  "the demo plays several game servers behind one sidecar, and ends them all at a signal",
  async () => {
    const { child, lines, rest } = await startDemo("No terminal", "--servers", "3");
    const ended = once(child, "exit");
    expect(lines.join("\n")).toContain("Other game servers: survival, creative");
    const listed = (await (await checkedFetch(`${rest}/servers`)).json()) as ListedServer[];
    expect(listed).toMatchObject([
      { name: "lobby", title: "Lobby", state: "online", onlinePlayerCount: 4 },
      { name: "survival", state: "online" },
      { name: "creative", state: "online" },
    ]);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);

needs("npm run build", existsSync(DEMO)).it(
  "the demo plays the pack that keeps achievements, whose players write by command",
  async () => {
    const { child, lines, panel, rest } = await startDemo("No terminal", "--console");
    const ended = once(child, "exit");
    expect(lines.join("\n")).toContain("players write with /bridge:say");
    expect((await ask(rest, "/console.json")).json).toMatchObject({ gameChat: "command" });
    const chat = new WebSocket(`${rest.replace("http", "ws")}/chat`);
    const heard: string[] = [];
    chat.on("message", data => heard.push(String(data)));
    const world = new WebSocket(`${panel.replace("http", "ws")}/world`, { origin: panel });
    await Promise.all([once(chat, "open"), once(world, "open")]);
    world.send(JSON.stringify({ id: 1, do: "say", name: "Steve", text: 'hello "web"' }));
    await eventually(() => expect(heard.join()).toContain("hello 'web'"));
    world.close();
    chat.close();
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);

needs("redis-server, npm run build", existsSync(DEMO) && findRedisServer() !== undefined).it(
  "the demo continues when one of its sidecars is killed, and starts it again",
  async () => {
    const { child, panel, rest } = await startDemo("No terminal", "--sidecars", "3");
    const ended = once(child, "exit");
    const socket = new WebSocket(`${panel.replace("http", "ws")}/world`, { origin: panel });
    let sidecars: SidecarView[] = [];
    let fault: string | undefined = "none yet";
    socket.on("message", data => {
      const message: FromServer = JSON.parse(String(data));
      if (message.is === "sidecars") sidecars = message.sidecars;
      if (message.is === "answer") fault = message.fault;
    });
    await once(socket, "open");
    const { cookie } = await newSession(rest);
    const link = { cookie, body: { username: "Steve" } };
    expect((await ask(rest, "/link-player", link)).status).toBe(202);
    const status = async (): Promise<unknown> => {
      const { json } = await ask(rest, "/linked-player", { cookie });
      return (json as { status: string }).status;
    };
    for (let i = 0; i < 3; i++) expect(await status()).toBe("pending");
    await eventually(() => {
      for (const { isUp, served, fromPack, last } of sidecars)
        expect([isUp, served > 0, fromPack > 0, last.length > 0]).toEqual([true, true, true, true]);
      expect(sidecars.map(({ name }) => name)).toEqual(["1", "2", "3"]);
    });

    const holder = await eventually(() => {
      const { name } = sidecars.find(({ hasPoll }) => hasPoll) ?? {};
      expect(name).toBeDefined();
      return name;
    });
    const find = (): SidecarView | undefined => sidecars.find(({ name }) => name === holder);
    socket.send(JSON.stringify({ id: 1, do: "kill", sidecar: holder }));
    await eventually(() => expect([fault, find()?.isUp]).toEqual([undefined, false]));
    for (let i = 0; i < 6; i++) expect(await status()).toBe("pending");
    const { served } = find() ?? { served: 0 };
    await eventually(() => expect(find()?.isUp).toBe(true));
    for (let i = 0; i < 3; i++) expect(await status()).toBe("pending");
    await eventually(() => expect(find()?.served).toBeGreaterThan(served));
    socket.close();
    // Without a panel, the players answer automatically.
    await eventually(async () => expect(await status()).toBe("accepted"));
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);
