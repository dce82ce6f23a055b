import { isIP } from "node:net";
import { isAny, isOfMachine, urlOf } from "../bds/address.ts";
import { likelyVersion } from "../bds/game-version.ts";
import { isOfImage } from "../bds/image.ts";
import { CLASH, clashes, type Network, networkFaults, networkOf } from "../bds/network.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { isOn, set, settingOf } from "./setting.ts";
import { commandsOf, configCommand, type Side, type Target } from "./target.ts";

/** What the game takes where nobody has chosen a port. */
const GAME_PORT = 19132;

/** How players reach the server; undefined: nothing tells which game it is. */
export function networkIn({ server, around }: Pick<Target, "server" | "around">): Network | undefined {
  const version = likelyVersion(server, around.files);
  return version && networkOf(server, version);
}

/** Checks what server.properties says of the way that players come. */
export function checkNetwork(target: Target): Finding[] {
  const { server, around } = target;
  const version = likelyVersion(server, around.files);
  if (version === undefined)
    return [
      skipped("transport", "the way that players come: nothing tells which game it is"),
      ...checkPorts(target, undefined),
    ];
  const network = networkOf(server, version);
  const faults = networkFaults(server, version).map(({ key, what, mend }) =>
    mend === undefined
      ? note(key, what)
      : problem(key, what, "pair" in mend ? set(target, mend.pair) : mend.words),
  );
  const named = faults.some(({ id }) => id === "transport") ? [] : [transport(network)];
  return [...named, ...faults, ...checkAddress(target, network), ...checkPorts(target, network)];
}

const transport = ({ transport, port }: Network): Finding =>
  ok("transport", `players come over ${transport === "raknet" ? "RakNet" : "NetherNet"}, to port ${port}`);

/** Whether the address that the server is to bind is one of this machine. In a container it need not be. */
function checkAddress(target: Target, { host }: Network): Finding[] {
  const id = "server-ip";
  const { server, around } = target;
  if (isIP(host) === 0 || isAny(host) || isOfImage(server)) return [];
  if (isOfMachine(urlOf({ host, port: 1 })))
    return [note(id, `${id} is ${host}: only players on this machine can join`)];
  if (around.ownAddresses().includes(host)) return [];
  const what = `${id} is ${host}, and this machine has no such address: nobody can join`;
  return [problem(id, what, set(target, `${id}=`))];
}

/** Whether server and sidecar want one port. */
function checkPorts(target: Target, network: Network | undefined): Finding[] {
  const id = "ports";
  const { side, server } = target;
  if (side === undefined)
    return [skipped(id, "ports of server and sidecar: those of the sidecar are not known")];
  const own = listenersOf(side);
  const debug = Number(settingOf(target, "force-inbound-debug-port", "19144"));
  const clash = own.find(({ port }) => port === debug);
  if (clash !== undefined && isOn(target, "allow-inbound-script-debugging", false)) {
    const what = `force-inbound-debug-port ${debug} is ${clash.key} of the sidecar: only one of them can have it`;
    return [problem(id, what, set(target, "force-inbound-debug-port=19144"))];
  }
  const shared = own.find(({ port }) => port === network?.port);
  if (network === undefined || shared === undefined || isOfImage(server))
    return [ok(id, "server and sidecar have ports of their own")];
  const both = `the server and ${shared.key} both have ${shared.port}`;
  if (network.transport === "raknet")
    return [note(id, `${both}: one is UDP and the other TCP, so both work`)];
  if (!clashes(network, shared, target.around.ownAddresses()))
    return [note(id, `${both}, each at an address of its own`)];
  return [problem(id, `${both}, and ${CLASH}`, set(target, `server-port=${GAME_PORT}`))];
}

/**
 * The sidecar's port that has to be another, as it is the usual one of the game; undefined: none. All else that is said of
 * the sidecar would have its address moved there and back.
 */
export function checkSidecarsPort(target: Target): Finding | undefined {
  const { side, server, around } = target;
  const network = networkIn(target);
  if (side === undefined || network?.port !== GAME_PORT || isOfImage(server)) return undefined;
  const own = listenersOf(side);
  const shared = own.find(each => clashes(network, each, around.ownAddresses()));
  if (shared === undefined) return undefined;
  const { key, usual } = shared;
  const port = own.some(each => each.port === usual) ? usual + own.length : usual;
  const mend = `${configCommand(side, around, "set", key, String(port))}, then ${commandsOf(side, around).restart}`;
  return problem("ports", `the server and ${key} both have ${GAME_PORT}, and ${CLASH}`, mend);
}

const listenersOf = ({ config: { modules, bridge } }: Side) => [
  { key: "modules.api.port", ...modules.api, usual: 8080 },
  { key: "bridge.port", ...bridge, usual: 8081 },
];
