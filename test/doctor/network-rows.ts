import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setProperties } from "../../owner/bds/properties.ts";
import type { Surroundings } from "../../owner/doctor/target.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import type { Row } from "./breaks.ts";
import type { Fixture } from "./fixture.ts";
import { keep } from "./mends.ts";

// Own connections: takes ports, and plays a game server.

type Values = Readonly<Record<string, string>>;

/** Gives keys of server.properties values; how to put it back. */
function give(fixture: Fixture, values: Values): () => void {
  const path = fixture.path("server.properties");
  const back = keep(path);
  fixture.edit(path, text => setProperties(text, values));
  return back;
}

const shown = (values: Values): string =>
  Object.entries(values)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");

/** Values that the advice mends. */
const wrong = (id: string, says: string, ...given: Values[]): Row[] =>
  given.map(values => ({ id, what: shown(values), says, break: fixture => void give(fixture, values) }));

/** The same where the owner has to choose, and puts it back. */
const odd = (id: string, says: string, ...given: Values[]): Row[] =>
  given.map(values => ({ id, what: shown(values), says, break: fixture => give(fixture, values) }));

/** The same with a game in which each player takes a port. */
const before60 = (rows: Row[]): Row[] =>
  rows.map(row => ({ ...row, what: `${row.what} in 1.26.52`, game: "1.26.52" }));

const at = (key: string, ...values: string[]): Values[] => values.map(value => ({ [key]: value }));
const udp = (...values: string[]): Values[] => at("server-udp-ports", ...values);

const PROPERTIES: Row[] = [
  ...wrong("transport", "players of this game cannot join", { transport: "raknet" }),
  ...wrong("transport", "in lower case only", ...at("transport", "NetherNet", "RAKNET")),
  ...wrong("transport", "expected nethernet or raknet", ...at("transport", "tcp", "true", "nether-net")),
  ...wrong(
    "server-port",
    "from 1 to 65535",
    ...at("server-port", "0", "65536", "-1", "19132 19133", "default"),
  ),
  ...wrong(
    "server-ip",
    "expected an address",
    ...at("server-ip", "localhost", "192.0.2.300", "192.0.2.7:19132"),
  ),
  ...wrong("server-ip", "this machine has no such address", ...at("server-ip", "192.0.2.7", "2001:db8::7")),
  ...odd("server-udp-ports", "the lower port first", ...udp("19149-19140")),
  ...odd(
    "server-udp-ports",
    "play.example.com is a name",
    ...udp("play.example.com:19140-19149:19140-19149"),
  ),
  ...odd("server-udp-ports", "has 7551", ...udp("7540-7560")),
  ...wrong("allow-list", "neither true nor false", ...at("allow-list", "yes", "1", "on")),
  ...wrong("online-mode", "neither true nor false", ...at("online-mode", "no", "0", "off")),
  ...wrong("online-mode", "and ends", { "online-mode": "false" }),
  ...before60([
    ...wrong("transport", "players of 1.26.60 and later cannot join", { transport: "raknet" }),
    ...wrong(
      "server-udp-ports",
      "has 1 port, and max-players is 10",
      ...udp("19140", "192.0.2.7:30000:19140"),
    ),
    ...odd("server-udp-ports", "the lower port first", ...udp("19149-19140")),
    ...wrong("online-mode", "hangs without opening a port", { "online-mode": "false" }),
  ]),
];

const port = (says: string, of: (fixture: Fixture) => number): Row => ({
  id: "ports",
  what: `server-port is that of ${says}`,
  says: `the server and ${says} both have`,
  break: fixture => void give(fixture, { "server-port": String(of(fixture)) }),
});

/** What is beside the folder, and what the owner does about it. */
const beside = (
  id: string,
  what: string,
  says: string,
  around: (fixture: Fixture) => Partial<Surroundings>,
): Row => ({
  id,
  what,
  says,
  break: fixture => {
    const before = fixture.around;
    fixture.around = { ...before, ...around(fixture) };
    return () => {
      fixture.around = before;
    };
  },
});

/** Another program at a port. */
const holding =
  (at: number, protocol: string, program?: string): Surroundings["holderOf"] =>
  async (port, _host, of) =>
    port === at && of === protocol ? { pid: program === undefined ? undefined : 4711, program } : undefined;

const deaf = (what: string, fault: string): Row =>
  beside("game-answers", what, fault, fixture => ({
    signs: fixture.runs(),
    fetch: readyFetch(fixture),
    askJoin: async () => ({ fault }),
  }));

/** The sidecar's answers, with a game that reports. */
const readyFetch =
  ({ around }: Fixture): typeof fetch =>
  async (url, init) =>
    String(url).endsWith("/readyz") ? new Response("{}") : around.fetch(url, init);

const LIVE: Row[] = [
  port("modules.api.port", fixture => fixture.running.publicAddress.port),
  port("bridge.port", fixture => fixture.running.bridgeAddress.port),
  beside("game-port", "server-port is taken", "taken by another program, nginx (process 4711)", () => ({
    holderOf: holding(19132, "tcp", "nginx"),
  })),
  beside("game-port", "server-port is taken by nobody knows whom", "taken by another program: ", () => ({
    holderOf: holding(19132, "tcp"),
  })),
  beside(
    "game-port",
    "server-port is taken by a game of another user",
    "bedrock_server (process 4711)",
    () => ({
      holderOf: holding(19132, "tcp", "bedrock_server"),
    }),
  ),
  beside(
    "lan-port",
    "the port for the local network is taken",
    "UDP port 7551, which the game takes",
    () => ({
      holderOf: holding(7551, "udp", "avahi-daemon"),
    }),
  ),
  deaf("nobody listens at server-port", "ECONNREFUSED"),
  deaf("what listens at server-port knows no players", "it answers 404"),
  deaf("what listens at server-port is a website", "the answer is not that of a game server"),
  deaf("what listens at server-port says nothing", "no answer in time"),
];

/** Another server of this machine that runs. */
const neighbour = (what: string, says: string, values: Values): Row => ({
  id: "other-game",
  what,
  says,
  break: async fixture => {
    const [root, before] = [fixture.path("../second"), fixture.around];
    await makeServer(root);
    const path = join(root, "server.properties");
    writeFileSync(path, setProperties(readFileSync(path, "utf8"), values));
    const linkOf: Surroundings["signs"]["linkOf"] = (_pid, link) =>
      link === "exe" ? join(root, "bedrock_server") : root;
    fixture.around = { ...before, signs: { ...before.signs, pids: () => [8], linkOf } };
    return () => {
      fixture.around = before;
      rmSync(root, { recursive: true });
    };
  },
});
const NEIGHBOURS: Row[] = [
  neighbour("another server has the same server-port", "TCP port 19132 (server-port)", {}),
  neighbour("another server has another server-port", "both need UDP port 7551", { "server-port": "19140" }),
];

/** A line as old editors write it, beside others. */
export const ENCODING: Row = {
  id: "properties-encoding",
  what: "one line of server.properties is not UTF-8, and others are",
  says: "not UTF-8, as other lines are: line 3 (server-name)",
  break: fixture => {
    const path = fixture.path("server.properties");
    const back = keep(path);
    const first = Buffer.from("# Gr\xfc\xdfe\n", "latin1");
    const lines = [first, Buffer.from("# Grüße\n"), Buffer.from("server-name=M\xfcller\n", "latin1")];
    writeFileSync(path, Buffer.concat([...lines, readFileSync(path)]));
    return back;
  },
};

/** How players come: everything here is that of a game of 1.26.50 and later. */
export const NETWORK: Row[] = [...PROPERTIES, ...LIVE, ...NEIGHBOURS];
