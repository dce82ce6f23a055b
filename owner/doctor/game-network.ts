import { isIP } from "node:net";
import { isLoopbackUrl, isWildcard, urlOf } from "../../bds/address.ts";
import { isContainerImage } from "../../bds/container-image.ts";
import { openServer } from "../../bds/folder.ts";
import { likelyGameVersion } from "../../bds/game-version.ts";
import { JOIN_PATH, type JoinInfo } from "../../bds/join-info.ts";
import { LAN_PORT, type Network, networkFaults, networkOf } from "../../bds/network.ts";
import { isProgram } from "../../bds/program.ts";
import { runningServers, sharesNetwork } from "../../bds/running-servers.ts";
import { orElse } from "../../cli/errno.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byProperty } from "./fixes.ts";
import { CONTAINER_PROXY, programName } from "./port-conflicts.ts";
import type { PortOwner } from "./port-owner.ts";
import type { DoctorSystem, Target } from "./target.ts";

/** How players reach the server; undefined: the version of the game is not known. */
export function networkOfTarget({ server, system }: Pick<Target, "server" | "system">): Network | undefined {
  const version = likelyGameVersion(server, system.files);
  return version && networkOf(server, version);
}

export function checkNetwork(target: Target): (Verdict | undefined)[] {
  const version = likelyGameVersion(target.server, target.system.files);
  if (version === undefined) return [skipped("how players connect: the game's version is not known")];
  const { transport, port, host } = networkOf(target.server, version);
  const faults = networkFaults(target.server, version).map(({ what, fix }) =>
    fix === undefined ? note(what) : problem(what, "pair" in fix ? byProperty(target, fix.pair) : fix.words),
  );
  const by = transport === "raknet" ? "RakNet" : "NetherNet";
  return [
    ok(`players join at port ${port}, over ${by} (see docs/ports.md)`),
    ...faults,
    checkHost(target, host),
  ];
}

/** Whether `server-ip` is an address of this machine. In a container it need not be. */
function checkHost(target: Target, host: string): Verdict | undefined {
  if (isIP(host) === 0 || isWildcard(host) || isContainerImage(target.server)) return undefined;
  if (isLoopbackUrl(urlOf({ host, port: 1 })))
    return note(`server-ip is ${host}: only players on this machine can join`);
  if (target.system.ownAddresses().includes(host)) return undefined;
  const what = `server-ip is ${host}, but this machine has no such address: nobody can join`;
  return problem(what, byProperty(target, "server-ip="));
}

/** Another running server of this machine that needs a port of this one. */
interface ConflictingServer {
  pid: number;
  root: string;
  /** the ports that both need, in words */
  ports: string;
}

function conflictingServers(target: Target): ConflictingServer[] {
  const { server, system } = target;
  const { processes } = system;
  const own = networkOfTarget(target);
  const home = processes.realPath(server.root);
  return runningServers(processes).flatMap(({ pid, root }) => {
    if (own === undefined || root === home || !sharesNetwork(pid, processes)) return [];
    const ports = sharedPorts(root, own, system);
    return ports === undefined ? [] : [{ pid, root, ports }];
  });
}

/** The ports that the server in a folder also needs; undefined: none, or not known. */
function sharedPorts(root: string, own: Network, system: DoctorSystem): string | undefined {
  const server = orElse(() => openServer(root, system.files), undefined);
  if (server === undefined || "faults" in server || isContainerImage(server)) return undefined;
  const other = orElse(() => networkOfTarget({ server, system }), undefined);
  if (other?.transport !== own.transport) return undefined;
  const isNew = own.transport === "nethernet";
  const isShared = own.port !== undefined && own.port === other.port;
  const names = [
    ...(isNew ? [`UDP port ${LAN_PORT}`] : []),
    ...(isShared ? [`${isNew ? "TCP" : "UDP"} port ${own.port} (server-port)`] : []),
  ];
  return names.length === 0 ? undefined : names.join(" and ");
}

export const checkOtherGames = (target: Target): Verdict[] =>
  conflictingServers(target).map(({ pid, root, ports }) =>
    problem(
      `the server ${root} (process ${pid}) also runs on this machine, and both need ${ports}`,
      "stop one of them, or run each in a container, where it has its own ports",
    ),
  );

/** Whether the server has its own network, or probably has. */
const hasOwnNetwork = ({ server, running, system }: Target): boolean =>
  running?.pid === undefined
    ? isContainerImage(server)
    : sharesNetwork(running.pid, system.processes) === false;

export async function checkGamePorts(target: Target): Promise<Verdict[]> {
  const network = networkOfTarget(target);
  if (network === undefined || hasOwnNetwork(target)) return [];
  const { transport, port, host } = network;
  const { server, system } = target;
  const conflicting = conflictingServers(target).map(({ pid }) => pid);
  const other = async (at: number, name: string, protocol: "tcp" | "udp"): Promise<PortOwner | undefined> => {
    const owner = await system.portOwner(at, name, protocol);
    if (owner === undefined || CONTAINER_PROXY.test(owner.program ?? "")) return undefined;
    return isOwn(owner, target) || conflicting.includes(owner.pid ?? 0) ? undefined : owner;
  };
  const isNew = transport === "nethernet";
  const findings: Verdict[] = [];
  const first = port === undefined ? undefined : await other(port, host || "::", isNew ? "tcp" : "udp");
  if (first !== undefined) {
    const then = isNew ? ": the server does not report that, and nobody can join" : "";
    const what = `server-port ${port} in ${server.propertiesFile} is used by another program${programName(first)}${then}`;
    const fix = `stop that program, or set server-port to a free port in ${server.propertiesFile}, then start the server again`;
    findings.push(problem(what, fix));
  }
  const lan = isNew ? await other(LAN_PORT, "::", "udp") : undefined;
  if (lan !== undefined) {
    const what = `UDP port ${LAN_PORT}, which the game always uses, is used by another program${programName(lan)}`;
    findings.push(problem(what, "stop that program, then start the server again"));
  }
  return findings;
}

function isOwn({ pid, program }: PortOwner, { running }: Target): boolean {
  if (running === undefined) return false;
  if (pid === undefined || pid === running.pid) return true;
  return running.pid === undefined && isProgram(program ?? "");
}

/** Asks a running server at its port for players. */
export async function checkAnswers(target: Target): Promise<Verdict | undefined> {
  const { system, running } = target;
  const network = networkOfTarget(target);
  if (running === undefined || network?.port === undefined || network.transport === "raknet")
    return undefined;
  const { port, host } = network;
  const at = isWildcard(host || "::") ? "127.0.0.1" : host;
  const url = urlOf({ host: at, port });
  const read = await system.fetchJoinInfo(port, at);
  if ("value" in read) return ok(`the server accepts players at ${url}: ${inWords(read.value)}`);
  const isHere =
    system.platform === "win32" ||
    (running.pid !== undefined && sharesNetwork(running.pid, system.processes) === true);
  const why = `${url}${JOIN_PATH}: ${read.fault}`;
  if (!isHere)
    return note(`not known whether players can join: the server may have its own network (${why})`);
  return problem(
    `the server is running but does not answer (${why}): nobody can join`,
    'if it has just started, wait a minute; otherwise look for "Accepting clients on" on its console and at the lines before it (without internet access it says "Waiting for Minecraft services..."), then restart it',
  );
}

function inWords({ version, players, maxPlayers, isEmpty }: JoinInfo): string {
  if (isEmpty) return "no details, as with enable-lan-visibility=false";
  if (version === undefined) return "its answer has no valid version";
  const count = players === undefined ? "" : `, ${players} of ${maxPlayers ?? "?"} players`;
  return `game ${version}${count}`;
}
