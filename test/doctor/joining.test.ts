import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { setProperties } from "../../owner/bds/properties.ts";
import { holderOf } from "../../owner/doctor/holder.ts";
import { systemSurroundings } from "../../owner/doctor/system.ts";
import type { Surroundings } from "../../owner/doctor/target.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import { needs } from "../helpers/runner.ts";
import { type StrangeServer, strangeServer } from "../helpers/strange-server.ts";
import { Fixture } from "./fixture.ts";
import { keep } from "./mends.ts";

const fixture = new Fixture();
const { askJoin } = systemSurroundings("");
const second = (): string => fixture.path("../second");
let game: StrangeServer;
let answer = "";
const back: (() => void)[] = [];

beforeAll(async () => {
  await fixture.stand();
  game = await strangeServer(
    (path, response) => void response.writeHead(path === "/v1/join" ? 200 : 404).end(answer),
  );
  await makeServer(second(), { levelName: "Second" });
});
afterEach(() => {
  for (const put of back.splice(0).reverse()) put();
});
afterAll(async () => {
  await game.close();
  await fixture.remove();
});

function give(values: Record<string, string>, folder = fixture.server): void {
  const path = join(folder, "server.properties");
  back.push(keep(path));
  fixture.edit(path, text => setProperties(text, values));
}
const nobody = async () => undefined;
const asking = (): Partial<Surroundings> => ({ signs: fixture.runs(), askJoin, holderOf: nobody });

it("says of a game that runs what it tells players, and of its pack what is missing", async () => {
  give({ "server-port": String(game.port) });
  answer = JSON.stringify({ version: "1.26.60", players: "2", maxPlayers: 10, protocol: "2225" });
  const url = `http://127.0.0.1:${game.port}`;
  expect(await fixture.told("game-answers", asking())).toBe(
    `ok: the server hears players at ${url}: game 1.26.60, 2 of 10 players`,
  );
  expect(await fixture.told("pack-connected", asking())).toBe(
    "problem: the server runs and hears players, and the pack has not connected",
  );
});

it("takes an empty answer for one of a game that hears players", async () => {
  give({ "server-port": String(game.port), "enable-lan-visibility": "false" });
  answer = "";
  expect(await fixture.told("game-answers", asking())).toMatch(
    /^ok: .*it tells no more, as with enable-lan-visibility=false/,
  );
});

it.each(["{}", '{"version":5,"players":"many"}', '{"version":"1.26.60\\n","name":[]}'])(
  "says of the answer %s that it tells no version, and nothing of settings",
  async told => {
    give({ "server-port": String(game.port) });
    answer = told;
    expect(await fixture.told("game-answers", asking())).toBe(
      `ok: the server hears players at http://127.0.0.1:${game.port}: its answer has no version that could be one`,
    );
  },
);

it("says of a game that nobody can reach that it is deaf, apart from what its pack lacks", async () => {
  give({ "server-port": String(game.port) });
  answer = "<html>";
  expect(await fixture.told("game-answers", asking())).toBe(
    `problem: the server runs, and does not hear players (http://127.0.0.1:${game.port}/v1/join: the answer is not that of a game server): nobody can join`,
  );
  expect(await fixture.find("pack-connected", asking())).toMatchObject({
    what: "the server runs, and the pack has not connected",
  });
});

it("asks where server-ip says", async () => {
  give({ "server-ip": "127.0.0.2", "server-port": String(game.port) });
  const asked: unknown[] = [];
  const ask: Surroundings["askJoin"] = async (...at) => {
    asked.push(at);
    return { value: {} };
  };
  await fixture.doctor({ ...asking(), askJoin: ask });
  expect(asked).toEqual([[game.port, "127.0.0.2"]]);
});

it("asks neither a game that does not run nor one that speaks RakNet", async () => {
  give({ "server-port": String(game.port) });
  const before = game.asked.length;
  expect(await fixture.find("game-answers", { askJoin })).toBeUndefined();
  give({ transport: "raknet" });
  expect(await fixture.find("game-answers", asking())).toBeUndefined();
  expect(game.asked).toHaveLength(before);
});

it("does not call a game deaf that may have a network of its own, or that another problem explains", async () => {
  const signs = fixture.runs();
  const apart: Surroundings["signs"] = {
    ...signs,
    linkOf: (pid, what) => (what === "ns/net" ? `net:[${pid}]` : signs.linkOf(pid, what)),
  };
  const refuse: Surroundings["askJoin"] = async () => ({ fault: "ECONNREFUSED" });
  expect(await fixture.find("game-answers", { signs: apart, askJoin: refuse })).toMatchObject({
    state: "skipped",
  });
  const nginx = async (port: number) => (port === 19132 ? { pid: 4711, program: "nginx" } : undefined);
  expect(await fixture.find("game-answers", { signs, askJoin: refuse, holderOf: nginx })).toMatchObject({
    what: "whether the server hears players: mend what is above first",
  });
});

it("does not take the game itself, or what serves its container, for another program", async () => {
  const held = (pid: number | undefined, program: string) => async () => ({ pid, program });
  const ports = async (more: Partial<Surroundings>): Promise<string[]> =>
    (await fixture.problems(more)).filter(id => id.endsWith("-port") && !id.startsWith("public"));
  const ofGames = async (holder: Surroundings["holderOf"], more: Partial<Surroundings> = {}) => {
    const alone: Surroundings["holderOf"] = async (port, ...rest) =>
      port === 19132 || port === 7551 ? holder(port, ...rest) : undefined;
    return ports({ ...more, holderOf: alone });
  };
  expect(await ofGames(held(1, "bedrock_server"), { signs: fixture.runs(1) })).toEqual([]);
  expect(await ofGames(held(undefined, ""), { signs: fixture.runs(1) })).toEqual([]);
  expect(await ofGames(held(7, "docker-proxy"))).toEqual([]);
  expect(await ofGames(held(7, "bedrock_server"), { signs: fixture.runs(1) })).toEqual([
    "game-port",
    "lan-port",
  ]);
  give({ transport: "raknet" });
  expect(await ofGames(held(7, "nginx"))).toEqual(["game-port"]);
});

/** Another server that runs on this machine. */
function neighbour(namespace = "net:[1]"): Surroundings["signs"] {
  return {
    ...fixture.signs,
    pids: () => [8],
    linkOf: (pid, what) => {
      if (what === "ns/net") return pid === 8 ? namespace : "net:[1]";
      return what === "exe" ? join(second(), "bedrock_server") : second();
    },
  };
}

it("names another game of this machine with the ports that both need", async () => {
  const both = (ports: string) => ({
    state: "problem",
    what: `the server ${second()} (process 8) runs on this machine, too, and both need ${ports}`,
  });
  const signs = neighbour();
  expect(await fixture.find("other-game", { signs })).toMatchObject(
    both("UDP port 7551 and TCP port 19132 (server-port)"),
  );
  give({ "server-port": "19140" }, second());
  expect(await fixture.find("other-game", { signs })).toMatchObject(both("UDP port 7551"));
  const holder: Surroundings["holderOf"] = async port =>
    port === 7551 ? { pid: 8, program: "bedrock_server" } : undefined;
  expect(await fixture.problems({ signs, holderOf: holder })).toEqual(["other-game"]);
});

it("does not say which of two games with one TCP port hears players", async () => {
  const signs = neighbour();
  const self = fixture.runs();
  const both: Surroundings["signs"] = {
    ...signs,
    pids: () => [8, ...self.pids()],
    linkOf: (pid, what) => (pid === 8 || what === "ns/net" ? signs : self).linkOf(pid, what),
  };
  const answers: Surroundings["askJoin"] = async () => ({ value: { version: "1.26.60" } });
  const more = { signs: both, askJoin: answers };
  expect(await fixture.told("other-game", more)).toContain("TCP port 19132");
  expect(await fixture.told("game-answers", more)).toBe(
    "skipped: whether the server hears players: mend what is above first",
  );
  give({ "server-port": "19140" }, second());
  expect(await fixture.stateOf("other-game", more)).toBe("problem");
  expect(await fixture.stateOf("game-answers", more)).toBe("ok");
});

it("has nothing against a game in a container, one of RakNet beside one of NetherNet, and two of RakNet with two ports", async () => {
  expect(await fixture.find("other-game", { signs: neighbour("net:[2]") })).toBeUndefined();
  give({ transport: "raknet" }, second());
  expect(await fixture.find("other-game", { signs: neighbour() })).toBeUndefined();
  give({ transport: "raknet" });
  expect(await fixture.told("other-game", { signs: neighbour() })).toContain(
    "both need UDP port 19132 (server-port)",
  );
  give({ "server-port": "19140" });
  expect(await fixture.find("other-game", { signs: neighbour() })).toBeUndefined();
});

it("mentions a server that was set up for this sidecar before, and does not run", async () => {
  const file = join(dirname(fixture.tokenFile), "server.json");
  back.push(keep(file));
  const servers = [fixture.server, second(), "/nowhere"].map(server => ({ server, world: "x" }));
  writeFileSync(file, JSON.stringify({ servers }));
  expect(await fixture.told("other-game")).toBe(
    `note: the server ${second()} was set up for this sidecar, too, and both need UDP port 7551 and TCP port 19132 (server-port): outside of containers only one of them can run at a time`,
  );
  expect(await fixture.stateOf("other-game", { signs: neighbour() })).toBe("problem");
});

it("says what a game will say on a machine without the internet, as long as it is not heard", async () => {
  const offline = async () => "it cannot look up minecraft.net: ECONNREFUSED";
  const noted = (more: Partial<Surroundings> = {}) =>
    fixture.find("minecraft-services", { offline, ...more });
  expect(await noted()).toMatchObject({
    state: "note",
    what: expect.stringMatching(
      /ECONNREFUSED\): .*"Waiting for Minecraft services\.\.\.", and the server ends/,
    ),
  });
  expect(await noted({ signs: fixture.runs() })).toBeUndefined();
  give({ "online-mode": "false", "allow-list": "false" });
  expect(await noted()).toBeUndefined();
});

it("says what is ignored, and only for whom a server listens, without calling it wrong", async () => {
  give({ "server-portv6": "20000", "server-ip": "127.0.0.1" });
  expect(await fixture.problems()).toEqual([]);
  expect(await fixture.told("server-portv6")).toMatch(/^note: .*does nothing/);
  expect(await fixture.told("server-ip")).toMatch(/^note: .*only players on/);
});

it("has nothing against UDP ports of the numbers that the sidecar has", async () => {
  const { publicAddress, bridgeAddress } = fixture.running;
  const ports = [publicAddress.port, bridgeAddress.port].map(port => `${port}-${port + 9}`);
  give({ "server-udp-ports": ports.join(",") });
  expect(await fixture.problems()).toEqual([]);
});

it("moves the sidecar's port where it is the usual one of the game", async () => {
  back.push(keep(fixture.config));
  fixture.edit(fixture.config, text => text.replace(/(bridge:\n {2}host: .*\n {2}port: )\d+/, "$119132"));
  expect(await fixture.find("ports", { fetch: () => Promise.reject(new TypeError("nobody")) })).toMatchObject(
    {
      mend: expect.stringMatching(/ set bridge\.port 8081 --config /),
    },
  );
});

it("cannot tell how players come while nothing tells which game it is", async () => {
  const [level, packs] = [join(fixture.world, "level.dat"), fixture.path("behavior_packs/vanilla_1.26.40")];
  back.push(keep(level), () => mkdirSync(packs));
  rmSync(packs, { recursive: true });
  writeFileSync(level, "");
  give({ transport: "raknet" });
  expect(await fixture.stateOf("transport")).toBe("skipped");
});

needs("/proc", process.platform === "linux").all(() => {
  it("finds who has a UDP port", async () => {
    const socket = createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { port } = socket.address();
    expect(await holderOf(port, "0.0.0.0", "udp")).toMatchObject({ pid: process.pid });
    expect(await holderOf(port, "0.0.0.0", "tcp")).toBeUndefined();
    socket.close();
  });
});
