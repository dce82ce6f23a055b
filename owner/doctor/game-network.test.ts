import { createSocket } from "node:dgram";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { setProperties } from "../../bds/properties.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import { needs } from "../../test/helpers/needs.ts";
import { type OtherServer, startOtherServer } from "../../test/helpers/receiver.ts";
import { portOwner } from "./port-owner.ts";
import { doctorSystem } from "./system.ts";
import type { DoctorSystem } from "./target.ts";
import { type Fixture, fixtureWithSetup, MODULE } from "./testing/fixture.ts";
import { type Situation, situation, testSituations } from "./testing/situations.ts";

// Own connections: passes on what the doctor asks.

const fixture = fixtureWithSetup();
const { fetchJoinInfo } = doctorSystem("");
const second = join(fixture.folder, "second");
let game: OtherServer;
let answer = "";

beforeAll(async () => {
  game = await startOtherServer(
    (path, response) => void response.writeHead(path === "/v1/join" ? 200 : 404).end(answer),
  );
  await makeServer(second, { levelName: "Second" });
});
afterAll(() => game.close());

const give = (values: Record<string, string>, folder = fixture.server): void =>
  fixture.edit(join(folder, "server.properties"), text => setProperties(text, values));
const nobody = async () => undefined;
const asking = (
  { processes }: Pick<Fixture, "processes"> = { processes: fixture.runs() },
): Partial<DoctorSystem> => ({
  ...{ processes, fetchJoinInfo, portOwner: nobody },
});
const verdictOf = async (id: string, more: Partial<DoctorSystem>) =>
  (await fixture.verdictOf(id, more)) ?? "";
/** The game at the port of this test runs in the folder, and answers this. */
const answering = (text: string, values: Record<string, string> = {}) => ({
  id: "game-answers",
  prepare: () => {
    answer = text;
    give({ "server-port": String(game.port), ...values });
  },
  system: () => ({ ...asking(), fetch: readyFetch }),
});
/** A game reports to the sidecar. */
const readyFetch: typeof fetch = async (url, init) =>
  String(url).endsWith("/readyz") ? new Response("{}") : fetch(url, init);

/** Another server runs on this machine, in a network of this name, beside the one that is looked at, or not. */
function rival(network = "net:[1]", isRunning = false): Partial<DoctorSystem> {
  const own = fixture.runs();
  const linkOf: DoctorSystem["processes"]["linkOf"] = (pid, what) => {
    if (what === "ns/net") return pid === 8 ? network : "net:[1]";
    if (pid !== 8) return own.linkOf(pid, what);
    return what === "exe" ? join(second, "bedrock_server") : second;
  };
  return { processes: { ...own, pids: () => [8, ...(isRunning ? own.pids() : [])], linkOf } };
}
/** A program at the ports of the game. */
const listener = (pid: number | undefined, program: string, isRunning = true) => ({
  id: "game-ports",
  system: () => ({
    ...(isRunning && { processes: fixture.runs(1), fetch: readyFetch }),
    portOwner: async (port: number) => (port === 19132 || port === 7551 ? { pid, program } : undefined),
  }),
});

const SAYINGS: Situation[] = [
  {
    what: "a running game is reported with the information that players see",
    ...answering(JSON.stringify({ version: "1.26.60", players: "2", maxPlayers: 10, protocol: "2225" })),
    says: /^ok: the server accepts players at http:\/\/127\.0\.0\.1:\d+: game 1\.26\.60, 2 of 10 players$/,
  },
  {
    what: "a game with an empty answer accepts players",
    ...answering("", { "enable-lan-visibility": "false" }),
    says: /^ok: .*no details, as with enable-lan-visibility=false$/,
  },
  ...["{}", '{"version":5,"players":"many"}', '{"version":"1.26.60\\n","name":[]}'].map(text => ({
    what: `the answer ${text} has no version`,
    ...answering(text),
    says: /^ok: .*: its answer has no valid version$/,
  })),
  { what: "the game itself is not another program", ...listener(1, "bedrock_server"), lacks: "" },
  { what: "an unknown program counts as the running game", ...listener(undefined, ""), lacks: "" },
  { what: "a container's proxy is not another program", ...listener(7, "docker-proxy", false) },
  situation("other-game", "a game in a container has no conflict", {
    system: () => rival("net:[2]"),
  }),
  situation("other-game", "a game of RakNet is not in the way of one of NetherNet", {
    prepare: () => give({ transport: "raknet" }, second),
    system: () => rival(),
  }),
  situation("script-folder", "settings for all scripts count too", {
    prepare: () => {
      cpSync(fixture.path("config", MODULE), fixture.path("config/default"), { recursive: true });
      rmSync(fixture.path("config", MODULE), { recursive: true });
    },
    says: "ok: the add-on uses the settings for all scripts, in config/default",
  }),
  situation("network", "what is ignored is noted, and no problem", {
    prepare: () => give({ "server-portv6": "20000" }),
    says: /^note: server-portv6 is 20000, and has had no effect/,
  }),
  situation("network", "a server for this machine alone is noted", {
    prepare: () => give({ "server-ip": "127.0.0.1" }),
    says: "note: server-ip is 127.0.0.1: only players on this machine can join",
  }),
];

testSituations(fixture, SAYINGS);

it("queries neither a stopped game nor one with RakNet", async () => {
  give({ "server-port": String(game.port) });
  expect(await verdictOf("game-answers", { fetchJoinInfo, portOwner: nobody })).toBe("");
  give({ transport: "raknet" });
  expect(await verdictOf("game-answers", asking())).toBe("");
});

it("queries the address of server-ip", async () => {
  give({ "server-ip": "127.0.0.2", "server-port": String(game.port) });
  const requests: unknown[] = [];
  const sendRequest: DoctorSystem["fetchJoinInfo"] = async (...at) => {
    requests.push(at);
    return { value: {} };
  };
  await fixture.doctor({ ...asking(), fetchJoinInfo: sendRequest });
  expect(requests).toEqual([[game.port, "127.0.0.2"]]);
});

it("reports no problem if the game may have its own network, or if another problem explains it", async () => {
  const processes = fixture.runs();
  const apart: DoctorSystem["processes"] = {
    ...processes,
    linkOf: (pid, what) => (what === "ns/net" ? `net:[${pid}]` : processes.linkOf(pid, what)),
  };
  const refuse: DoctorSystem["fetchJoinInfo"] = async () => ({ fault: "ECONNREFUSED" });
  expect(await verdictOf("game-answers", { processes: apart, fetchJoinInfo: refuse })).toContain(
    "the server may have its own network",
  );
  const nginx = async (port: number) => (port === 19132 ? { pid: 4711, program: "nginx" } : undefined);
  const found = await fixture.doctor({ processes, fetchJoinInfo: refuse, portOwner: nginx });
  expect(found.map(({ id }) => id)).not.toContain("game-answers");
  expect(found.find(({ id }) => id === "left-out")?.what).toBe("1 more check. Fix the problems above first.");
});

needs("/proc", process.platform === "linux").it("finds the program that has a UDP port", async () => {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  expect(await portOwner(port, "0.0.0.0", "udp")).toMatchObject({ pid: process.pid });
  expect(await portOwner(port, "0.0.0.0", "tcp")).toBeUndefined();
  socket.close();
});
