import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setProperties } from "../../../bds/properties.ts";
import { makeServer } from "../../../scripts/make-server.mjs";
import type { DoctorSystem } from "../target.ts";
import type { Breakage } from "./breakage.ts";
import type { Fixture } from "./fixture.ts";

// Own connections: takes ports, and plays a game server.

type Values = Readonly<Record<string, string>>;

/** Gives keys of server.properties values. */
const give = (fixture: Fixture, values: Values): void =>
  fixture.edit(fixture.path("server.properties"), text => setProperties(text, values));

const display = (values: Values): string =>
  Object.entries(values)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");

/** Values with the pair that the fix sets; none: the owner has to choose. */
const wrong = (id: string, set: string | undefined, says: string, ...given: Values[]): Breakage[] =>
  given.map(values => ({
    id,
    what: display(values),
    says,
    break: fixture => give(fixture, values),
    ...(set === undefined ? { byHand: true } : { set }),
  }));

/** Rows of a game in which each player takes a port. */
const before60 = (rows: Breakage[]): Breakage[] =>
  rows.map(row => ({ ...row, what: `${row.what} in 1.26.52`, game: "1.26.52" }));

const at = (key: string, ...values: string[]): Values[] => values.map(value => ({ [key]: value }));
const udp = (...values: string[]): Values[] => at("server-udp-ports", ...values);

const PROPERTIES: readonly Breakage[] = [
  ...wrong("network", "transport=nethernet", "players of this game cannot join", { transport: "raknet" }),
  ...wrong("network", "transport=nethernet", "in lower case", ...at("transport", "NetherNet", "RAKNET")),
  ...wrong(
    "network",
    "transport=nethernet",
    "expected nethernet or",
    ...at("transport", "tcp", "true", "nether-net"),
  ),
  ...wrong(
    "network",
    "server-port=19132",
    "from 1 to 65535",
    ...at("server-port", "0", "65536", "-1", "19132 19133", "default"),
  ),
  ...wrong(
    "network",
    "server-ip=",
    "expected an address",
    ...at("server-ip", "localhost", "192.0.2.300", "192.0.2.7:19132"),
  ),
  ...wrong("network", "server-ip=", "has no such address", ...at("server-ip", "192.0.2.7", "2001:db8::7")),
  ...wrong("network", undefined, "the lower port first", ...udp("19149-19140")),
  ...wrong("network", undefined, "example.com is a name", ...udp("example.com:19140-19149:19140-19149")),
  ...wrong("network", undefined, "has 7551", ...udp("7540-7560")),
  ...wrong("allow-list", "allow-list=true", "neither true nor", ...at("allow-list", "yes", "1", "on")),
  ...wrong("online-mode", "online-mode=true", "neither true nor", ...at("online-mode", "no", "0", "off")),
  ...wrong("online-mode", "online-mode=true", "and stops", { "online-mode": "false" }),
  ...before60([
    ...wrong("network", "transport=nethernet", "players of 1.26.60 and later cannot join", {
      transport: "raknet",
    }),
    ...(
      [
        ["19140", "19140-19149"],
        ["192.0.2.7:30000:19140", "192.0.2.7:30000-30009:19140-19149"],
      ] as const
    ).flatMap(([given, wide]) =>
      wrong("network", `server-udp-ports=${wide}`, "has 1 port, and max-players is 10", ...udp(given)),
    ),
    ...wrong("network", undefined, "the lower port first", ...udp("19149-19140")),
    ...wrong("online-mode", "online-mode=true", "hangs without opening a port", { "online-mode": "false" }),
  ]),
];

const port = (says: string, of: (fixture: Fixture) => number): Breakage => ({
  id: "ports",
  what: `server-port is that of ${says}`,
  says: `the server and ${says} both use port`,
  break: fixture => give(fixture, { "server-port": String(of(fixture)) }),
  set: "server-port=19132",
});

/** Faults outside the folder, which the owner fixes. */
const beside = (
  id: string,
  what: string,
  says: string,
  system: (fixture: Fixture) => Partial<DoctorSystem>,
): Breakage => ({
  ...{ id, what, says, byHand: true },
  break: fixture => {
    fixture.system = { ...fixture.system, ...system(fixture) };
  },
});

/** Another program at a port. */
const holding =
  (at: number, protocol: string, program?: string): DoctorSystem["portOwner"] =>
  async (port, _host, of) =>
    port === at && of === protocol ? { pid: program === undefined ? undefined : 4711, program } : undefined;

const deaf = (what: string, fault: string): Breakage =>
  beside("game-answers", what, fault, fixture => ({
    processes: fixture.runs(),
    fetch: readyFetch(fixture),
    fetchJoinInfo: async () => ({ fault }),
  }));

/** The sidecar's answers, with a game that reports. */
const readyFetch =
  ({ system }: Fixture): typeof fetch =>
  async (url, init) =>
    String(url).endsWith("/readyz") ? new Response("{}") : system.fetch(url, init);

const LIVE: readonly Breakage[] = [
  port("modules.api.port", fixture => fixture.running.publicAddress.port),
  port("bridge.port", fixture => fixture.running.bridgeAddress.port),
  beside("game-ports", "server-port is taken", "used by another program, nginx (process 4711)", () => ({
    portOwner: holding(19132, "tcp", "nginx"),
  })),
  beside("game-ports", "an unknown program has server-port", "used by another program: ", () => ({
    portOwner: holding(19132, "tcp"),
  })),
  beside("game-ports", "a game of another user has server-port", "bedrock_server (process 4711)", () => ({
    portOwner: holding(19132, "tcp", "bedrock_server"),
  })),
  beside("game-ports", "port 7551 is taken", "UDP port 7551, which the game always uses", () => ({
    portOwner: holding(7551, "udp", "avahi-daemon"),
  })),
  deaf("no process listens at server-port", "ECONNREFUSED"),
  deaf("what listens at server-port knows no players", "it answers 404"),
  deaf("what listens at server-port is a website", "the answer is not that of a game server"),
  deaf("what listens at server-port says nothing", "no answer in time"),
];

/** Another server of this machine that runs. */
const rival = (what: string, says: string, values: Values): Breakage => ({
  ...{ id: "other-game", what, says, byHand: true },
  break: async fixture => {
    const root = fixture.path("../second");
    await makeServer(root);
    const path = join(root, "server.properties");
    writeFileSync(path, setProperties(readFileSync(path, "utf8"), values));
    const linkOf: DoctorSystem["processes"]["linkOf"] = (_pid, link) =>
      link === "exe" ? join(root, "bedrock_server") : root;
    fixture.system = {
      ...fixture.system,
      processes: { ...fixture.system.processes, pids: () => [8], linkOf },
    };
  },
});
const RIVALS: readonly Breakage[] = [
  rival("another server has the same server-port", "TCP port 19132 (server-port)", {}),
  rival("another server has another server-port", "both need UDP port 7551", { "server-port": "19140" }),
];

/** A line as old editors write it, beside others. */
const ENCODING: Breakage = {
  id: "properties-encoding",
  what: "one line of server.properties is not UTF-8, and others are",
  says: "these lines are not UTF-8, unlike the others: line 3 (server-name)",
  break: fixture => {
    const path = fixture.path("server.properties");
    const first = Buffer.from("# Gr\xfc\xdfe\n", "latin1");
    const lines = [first, Buffer.from("# Grüße\n"), Buffer.from("server-name=M\xfcller\n", "latin1")];
    writeFileSync(path, Buffer.concat([...lines, readFileSync(path)]));
  },
  byHand: true,
};

/** Transports of players. By default everything is as in a game of 1.26.50 and later. */
export const NETWORK_BREAKAGES: readonly Breakage[] = [...PROPERTIES, ...LIVE, ...RIVALS, ENCODING];
