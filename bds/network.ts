import { isIP } from "node:net";
import { isLoopbackUrl, overlaps, urlOf } from "./address.ts";
import type { ServerFolder } from "./folder.ts";
import { isSince } from "./game-version.ts";
import { countOf, isNamed, isPort, readUdpPorts, type UdpPorts, widened } from "./udp-ports.ts";

/** The first game whose players connect over HTTP and WebRTC instead of RakNet. */
export const NETHERNET = [1, 26, 50];
/** The first game whose clients know no RakNet, and whose server has one port for all players. */
export const ONE_PORT = [1, 26, 60];
/** UDP port that each NetherNet server opens on every address, for players of the local network. */
export const LAN_PORT = 7551;
const PORT = 19132;
const PORT_V6 = 19133;
const MAX_PLAYERS = 10;

/** How players reach a server. */
export interface Network {
  transport: "nethernet" | "raknet";
  /** TCP with NetherNet, UDP with RakNet; undefined: the value is no port */
  port: number | undefined;
  /** the address that it binds; empty: all */
  host: string;
}

/** What is wrong, or odd, about how players reach a server. */
interface NetworkFault {
  what: string;
  /** `key=value` or words that fix it; undefined: not a fault, but worth knowing */
  fix: { pair: string } | { words: string } | undefined;
}

/** How players reach a server of this version, with the game's defaults. */
export function networkOf({ properties }: ServerFolder, version: readonly number[]): Network {
  const isNew = isSince(version, NETHERNET);
  const configured = properties.get("transport")?.toLowerCase();
  const port = Number(properties.get("server-port") || PORT);
  const transport = isNew && configured !== "raknet" ? "nethernet" : "raknet";
  const host = transport === "nethernet" ? (properties.get("server-ip") ?? "") : "";
  return { transport, port: isPort(port) ? port : undefined, host };
}

/** Whether a listener of the sidecar and a game on the same machine want the same TCP port. */
export function needsSamePort(
  { transport, port, host }: Network,
  listener: { host: string; port: number },
  ownAddresses: readonly string[],
): boolean {
  const isHere = isLoopbackUrl(urlOf(listener)) || ownAddresses.includes(listener.host);
  const isSame = transport === "nethernet" && listener.port === port;
  return isSame && isHere && overlaps(host || "::", listener.host);
}

/** What happens when game and sidecar have the same port. */
export const SAME_PORT_EFFECT =
  "both need TCP: if the sidecar has it, the server does not report that, and nobody can join";

/** Faults in the network settings of server.properties. */
export function networkFaults(server: ServerFolder, version: readonly number[]): NetworkFault[] {
  const { transport } = networkOf(server, version);
  const faults = [
    transportFault(server, version),
    portFault(server, "server-port", PORT),
    ...(transport === "nethernet"
      ? [ignoredPort(server), addressFault(server), udpFault(server, version)]
      : [portFault(server, "server-portv6", PORT_V6), ...ignoredKeys(server)]),
  ];
  return faults.filter(fault => fault !== undefined);
}

function transportFault({ properties }: ServerFolder, version: readonly number[]): NetworkFault | undefined {
  const value = properties.get("transport") || "nethernet";
  const isNew = isSince(version, NETHERNET);
  const fix = { pair: `transport=${isNew ? "nethernet" : "raknet"}` };
  if (value === "nethernet") return undefined;
  if (value !== "raknet") {
    const isCase = /^(raknet|nethernet)$/i.test(value);
    const why = isCase ? "the game only accepts it in lower case" : "expected nethernet or raknet";
    return { what: `transport is ${value}: ${why}`, fix };
  }
  if (!isNew) return undefined;
  const who = isSince(version, ONE_PORT) ? "this game" : "1.26.60 and later";
  const what = `transport is raknet: players of ${who} cannot join, and the server's console shows TRANSPORT TYPE ERROR`;
  return { what, fix };
}

function portFault({ properties }: ServerFolder, key: string, usual: number): NetworkFault | undefined {
  const value = properties.get(key);
  if (!value || isPort(Number(value))) return undefined;
  const what = `${key} is ${value}: expected a port from 1 to 65535`;
  return { what, fix: { pair: `${key}=${usual}` } };
}

/** Only RakNet has a second port. */
function ignoredPort({ properties }: ServerFolder): NetworkFault | undefined {
  const value = properties.get("server-portv6");
  if (!value || value === String(PORT_V6)) return undefined;
  const why = "has had no effect since 1.26.50: players connect to server-port over IPv6 too";
  return { what: `server-portv6 is ${value}, and ${why}`, fix: undefined };
}

const ignoredKeys = ({ properties }: ServerFolder): NetworkFault[] =>
  ["server-ip", "server-udp-ports"]
    .filter(key => properties.get(key))
    .map(key => ({ what: `${key} has no effect while transport is raknet`, fix: undefined }));

function addressFault({ properties }: ServerFolder): NetworkFault | undefined {
  const value = properties.get("server-ip");
  if (!value || isIP(value) !== 0) return undefined;
  const what = `server-ip is ${value}: expected an address of this machine, or nothing for all of them`;
  return { what, fix: { pair: "server-ip=" } };
}

function udpFault(server: ServerFolder, version: readonly number[]): NetworkFault | undefined {
  const key = "server-udp-ports";
  const { propertiesFile, properties, udpPorts } = server;
  const read = readUdpPorts(udpPorts);
  if ("fault" in read) {
    const words = `fix ${key} in ${propertiesFile}, or remove its line`;
    return { what: `${key}: ${read.fault}`, fix: { words } };
  }
  const named = read.ports.find(isNamed);
  if (named?.address !== undefined) {
    const what = `${key}: ${named.address} is a name, which not every server accepts`;
    return { what, fix: { words: `write its address into ${key} in ${propertiesFile}` } };
  }
  if (read.ports.some(({ inside }) => inside.from <= LAN_PORT && LAN_PORT <= inside.to)) {
    const what = `${key} has ${LAN_PORT}, which the server itself uses for players on the local network`;
    return { what, fix: { words: `leave ${LAN_PORT} out of ${key} in ${propertiesFile}` } };
  }
  if (isSince(version, ONE_PORT)) return undefined;
  return portCountFault(read.ports, Number(properties.get("max-players") || MAX_PLAYERS), server);
}

/** Before 1.26.60 each player took another port. */
function portCountFault(
  ports: readonly UdpPorts[],
  players: number,
  server: ServerFolder,
): NetworkFault | undefined {
  const key = "server-udp-ports";
  const [first] = ports;
  const count = ports.reduce((sum, { inside }) => sum + countOf(inside), 0);
  if (first === undefined || !(count < players)) return undefined;
  const what = `${key} has ${count === 1 ? "1 port" : `${count} ports`}, and max-players is ${players}: before 1.26.60 each player needs one`;
  if (count > 1) return { what, fix: undefined };
  const wide = widened(first, players);
  const words = `give ${key} in ${server.propertiesFile} a range of ${players} ports`;
  return { what, fix: wide === undefined ? { words } : { pair: `${key}=${wide}` } };
}
