import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createConsoleLink } from "../../../behavior_pack/console-link/link.ts";
import type { Endpoint } from "../../../behavior_pack/ports.ts";
import { askLine, COMMAND } from "../../../shared/console-link/frames.ts";
import type { ConsolePlayer } from "../../../shared/console-link/messages.ts";
import type { Result } from "../../../shared/result.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { eventually } from "../../../test/helpers/eventually.ts";
import { createConsoleBridge } from "./console-bridge.ts";
import type { BridgeTarget } from "./target.ts";

// Own connections: plays the sidecar for launch.

const TOKEN = "token-of-the-tests-0123456789abcdef";
const STAMP = "[2026-11-30 12:00:00:000 INFO] ";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The address of a sidecar that answers so. */
async function sidecar(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>(done => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) body += String(part);
  return body;
}

/** A game with the pack's end of the link, and launch's end of it. */
function game(read: () => Result<BridgeTarget>, hasTerminal = true) {
  const clock = new ManualClock();
  let [tick, keys] = [0, 0];
  let words: string[] = [];
  const said: string[] = [];
  const reported: ConsolePlayer[] = [];
  let printed = "";
  const print = (line: string): void => {
    printed += String(Buffer.from(bridge.push(Buffer.from(line))));
  };
  const bridge = createConsoleBridge({
    clock,
    random: () => `${keys++}`.padStart(20, "0"),
    type: line => words.push(line.trim().slice(COMMAND.length + 1)),
    target: async () => read(),
    hasTerminal,
    async whyNoAnswer(isRejected) {
      if (isRejected) return "it is rejected";
      return "fault" in read() ? Promise.reject(new Error("a file cannot be read")) : "look for errors";
    },
    say: line => said.push(line),
  });
  const newPack = () =>
    createConsoleLink({
      clock: { now: () => clock.now(), tick: () => tick },
      random: () => 0.123456789,
      print: line => print(`${STAMP}[Scripting] ${line}\n\n`),
      reported: player => reported.push(player),
      opened: () => undefined,
    });
  let pack = newPack();
  return {
    bridge,
    pack: () => pack,
    /** Starts the pack's script again. */
    reload() {
      pack = newPack();
    },
    clock,
    said,
    reported,
    print,
    printed: () => printed,
    /** Lets time pass until this is defined. */
    ticksUntil: <T>(value: () => T | undefined): Promise<Exclude<T, undefined>> =>
      eventually(() => {
        tick++;
        clock.advance(50);
        const typed = words;
        words = [];
        for (const word of typed) pack.takeWord(word);
        pack.step();
        const found = value();
        if (found === undefined) throw new Error("not yet");
        return found as Exclude<T, undefined>;
      }) as Promise<Exclude<T, undefined>>,
  };
}

/** The pack's way to the sidecar, once it has its settings. */
function endpoint({ pack }: ReturnType<typeof game>): Endpoint | undefined {
  const opened = pack().http.open();
  return opened !== undefined && "value" in opened ? opened.value : undefined;
}

/** What a request of the pack ends with: its answer, or the name of its error. */
async function ended(
  at: ReturnType<typeof game>,
  path: string,
  body = "{}",
  seconds = 9_000,
): Promise<unknown> {
  const { post } = await at.ticksUntil(() => endpoint(at));
  let end: unknown;
  post(path, body, seconds).then(
    answer => (end = answer),
    (error: Error) => (end = error.name),
  );
  return at.ticksUntil(() => end);
}

const targetAt = (url: string): Result<BridgeTarget> => ({ value: { url, token: TOKEN, world: "World" } });

describe("launch between the pack and the sidecar", () => {
  it("passes requests on with the bridge token, and answers back", async () => {
    const url = await sidecar(async (request, response) => {
      const { method, url: path, headers } = request;
      response.writeHead(409);
      response.end(
        JSON.stringify({ method, path, token: headers.authorization, body: await bodyOf(request) }),
      );
    });
    const at = game(() => targetAt(url));
    const body = JSON.stringify({ text: "grüß \u4e16" });
    expect(await ended(at, "/bridge/facts", body)).toEqual({
      status: 409,
      body: JSON.stringify({ method: "POST", path: "/bridge/facts", token: TOKEN, body }),
    });
    expect(endpoint(at)).toMatchObject({ url, world: "World" });
    expect(at.printed()).toBe("");
  });

  it("sends nothing to another path", async () => {
    let requests = 0;
    const url = await sidecar((_, response) => {
      requests++;
      response.end();
    });
    expect(
      await ended(
        game(() => targetAt(url)),
        "/bridge/status",
      ),
    ).toBe("PathNotAllowed");
    expect(requests).toBe(0);
  });

  it("names the error where no sidecar listens, or it does not answer in time", async () => {
    expect(
      await ended(
        game(() => targetAt("http://127.0.0.1:1")),
        "/bridge/poll",
      ),
    ).toBe("ConnectionRefused");
    expect(
      await ended(
        game(() => targetAt("sidecar")),
        "/bridge/poll",
      ),
    ).toBe("ERR_INVALID_URL");
    const silent = await sidecar(() => undefined);
    expect(
      await ended(
        game(() => targetAt(silent)),
        "/bridge/poll",
        "{}",
        1,
      ),
    ).toBe("Timeout");
  });

  it("says once that the token was rejected, without it", async () => {
    const url = await sidecar((_, response) => response.writeHead(401).end("{}"));
    const at = game(() => targetAt(url));
    for (let i = 0; i < 3; i++) await ended(at, "/bridge/hello");
    expect(at.said).toHaveLength(1);
    expect(at.said[0]).toContain("rejected the bridge token");
    expect(at.said[0]).not.toContain(TOKEN);
  });

  it("cancels the requests of an earlier run of the pack", async () => {
    let state = "none";
    const url = await sidecar((request, response) => {
      state = "open";
      response.on("close", () => (state = "cancelled"));
      request.resume();
    });
    const at = game(() => targetAt(url));
    const { post } = await at.ticksUntil(() => endpoint(at));
    post("/bridge/poll", "{}", 9_000).catch(() => undefined);
    await at.ticksUntil(() => (state === "open" ? true : undefined));
    at.reload();
    await at.ticksUntil(() => (state === "cancelled" ? true : undefined));
  });

  it("uses the address and the token as they are at each hello", async () => {
    const url = await sidecar((request, response) => response.end(request.headers.authorization));
    let token = "first-token-0123456789abcdef";
    const at = game(() => ({ value: { url, token, world: "World" } }));
    expect(await ended(at, "/bridge/facts")).toMatchObject({ body: token });
    token = "second-token-0123456789abcdef";
    expect(await ended(at, "/bridge/hello")).toMatchObject({ body: token });
  });

  it("waits for settings that cannot be used yet, and says why after a while", async () => {
    const url = await sidecar((_, response) => response.end("{}"));
    let now: Result<BridgeTarget> = { fault: "config.yml: does not exist" };
    const at = game(() => now);
    expect(await at.ticksUntil(() => at.said[0])).toContain("config.yml: does not exist");
    now = targetAt(url);
    expect(await ended(at, "/bridge/hello")).toMatchObject({ status: 200 });
    expect(at.said).toHaveLength(1);
  });

  it("says why a file with settings cannot be read, and reads it again", async () => {
    let isReadable = false;
    const at = game(() => {
      if (!isReadable) throw new Error("EACCES: permission denied, open 'journal.json'");
      return targetAt("http://127.0.0.1:1");
    });
    expect(await at.ticksUntil(() => at.said[0])).toContain("EACCES: permission denied, open 'journal.json'");
    isReadable = true;
    await at.ticksUntil(() => endpoint(at));
  });

  it("reports the ids of players to the pack", async () => {
    const at = game(() => targetAt("http://127.0.0.1:1"));
    at.print(`${STAMP}Player connected: A, xuid: 1\n`);
    at.print(`${STAMP}Player Spawned: A xuid: 1, pfid: 0123456789ABCDEF\n`);
    await at.ticksUntil(() => at.reported[0]);
    expect(at.reported).toEqual([{ name: "A", persistentId: "0123456789ABCDEF" }]);
    expect(at.printed()).toContain("Player Spawned: A");
  });

  it("does not print the lines with which the game rejects its commands", async () => {
    const at = game(() => targetAt("http://127.0.0.1:1"));
    await at.ticksUntil(() => endpoint(at));
    const lines = [
      `Unknown command: ${COMMAND}. Please check that the command exists and that you have permission to use it.`,
      `Syntax error: Unexpected "k0000000000": at ">>k0000000000<<0000"`,
    ];
    for (const line of lines) at.print(`${STAMP}${line}\n`);
    const others = [
      `Syntax error: Unexpected "something-else": at "say >>something-else<<"`,
      `Player connected: ${COMMAND}, xuid: 1`,
    ];
    for (const line of others) at.print(`${STAMP}${line}\n`);
    expect(at.printed()).toBe(others.map(line => `${STAMP}${line}\n`).join(""));
  });
});

describe("a pack that does not answer", () => {
  const NO_ANSWER = "The add-on does not answer on the console: ";
  const silent = (hasTerminal?: boolean) => game(() => targetAt("http://127.0.0.1:1"), hasTerminal);

  it("is a line of launch 30 s after the start of the game server, with the reason", async () => {
    const at = silent();
    at.print(`${STAMP}Server started.\n`);
    at.clock.advance(29_999);
    expect(at.said).toEqual([]);
    at.clock.advance(1);
    await nextTurn();
    expect(at.said).toEqual([`${NO_ANSWER}look for errors`]);
  });

  it("is one 90 s after the start of its program if its lines may be held back", async () => {
    const at = silent(false);
    at.clock.advance(90_000);
    await nextTurn();
    expect(at.said).toEqual([`${NO_ANSWER}look for errors`]);
  });

  it("says that the game rejects the command, and nothing once a pack has connected or the game has ended", async () => {
    const [rejected, connected, ended] = [silent(), silent(), silent()];
    await connected.ticksUntil(() => endpoint(connected));
    rejected.print(`${STAMP}[Scripting] ${askLine("abc123")}\n\n`);
    rejected.print(`${STAMP}Unknown command: ${COMMAND}.\n`);
    ended.bridge.stop();
    for (const at of [rejected, connected, ended]) {
      at.print(`${STAMP}Server started.\n`);
      at.clock.advance(30_000);
      await nextTurn();
    }
    expect(rejected.said).toEqual([`${NO_ANSWER}it is rejected`]);
    expect([connected.said, ended.said]).toEqual([[], []]);
  });

  it("is reported where the reason cannot be found out", async () => {
    const at = game(() => ({ fault: "unreadable" }));
    at.print(`${STAMP}Server started.\n`);
    at.clock.advance(30_000);
    await nextTurn();
    expect(at.said).toEqual([`${NO_ANSWER}a file cannot be read`]);
  });
});
