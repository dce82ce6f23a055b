import { isAny, urlOf } from "../bds/address.ts";
import { isProgram } from "../bds/folder.ts";
import { isOfImage } from "../bds/image.ts";
import { JOIN_PATH, type Join } from "../bds/join.ts";
import { LAN_PORT, type Network } from "../bds/network.ts";
import { sharesNetwork } from "../bds/running.ts";
import { type Finding, isProblem, note, ok, problem, skipped } from "./finding.ts";
import type { Holder } from "./holder.ts";
import { checkNeighbours } from "./neighbours.ts";
import { networkIn } from "./network.ts";
import { readable } from "./readable.ts";
import { isOn } from "./setting.ts";
import { FOR_CONTAINER, named } from "./taken.ts";
import type { Target } from "./target.ts";

/** What says that the server hears players. */
const ANSWERS = "game-answers";
/** Problems by which nobody could come, so that a server that nobody can reach is no news. */
const EXPLAINED = /^(ports|server-port|server-ip|online-mode|other-game|game-port|lan-port)$/;

export const hearsPlayers = (findings: readonly Finding[]): boolean =>
  findings.some(({ id, state }) => id === ANSWERS && state === "ok");

/**
 * Whether players can come to the game: its ports, other games on this machine, and what the game answers.
 * @param sofar what server.properties has shown
 */
export async function checkJoining(target: Target, sofar: readonly Finding[]): Promise<Finding[]> {
  const network = readable("server", () => networkIn(target));
  // What may not be read has been named.
  if (network === undefined || "finding" in network) return [];
  const { findings: beside, pids, isPortShared } = checkNeighbours(target, network);
  const taken = await checkHolders(target, network, [...sofar, ...beside], pids);
  const known = [...sofar, ...beside, ...taken];
  const isExplained = known.some(({ id, state }) => state === "problem" && EXPLAINED.test(id));
  const answer = await checkAnswer(target, network, { isExplained, isPortShared });
  const services = hearsPlayers(answer) ? [] : await checkServices(target, network);
  return [...beside, ...taken, ...answer, ...services];
}

/** Whether other programs have the ports of the game. */
async function checkHolders(
  target: Target,
  { transport, port, host }: Network,
  sofar: readonly Finding[],
  neighbours: readonly number[],
): Promise<Finding[]> {
  const { server, around } = target;
  if (isElsewhere(target)) return [];
  const other = async (at: number, name: string, protocol: "tcp" | "udp"): Promise<Holder | undefined> => {
    const holder = await around.holderOf(at, name, protocol);
    if (holder === undefined || FOR_CONTAINER.test(holder.program ?? "")) return undefined;
    return isOwn(holder, target) || neighbours.includes(holder.pid ?? 0) ? undefined : holder;
  };
  const isNew = transport === "nethernet";
  const isClash = sofar.some(finding => isProblem(finding) && finding.id === "ports");
  const [first, lan] = await Promise.all([
    port === undefined || isClash ? undefined : other(port, host || "::", isNew ? "tcp" : "udp"),
    isNew ? other(LAN_PORT, "::", "udp") : undefined,
  ]);
  const findings: Finding[] = [];
  if (first !== undefined) {
    const then = isNew ? ": the server says nothing of that, and nobody can join" : "";
    const what = `server-port ${port} in ${server.propertiesFile} is taken by another program${named(first)}${then}`;
    const mend = `stop that program, or set server-port to a free port in ${server.propertiesFile}, then start the server again`;
    findings.push(problem("game-port", what, mend));
  }
  if (lan !== undefined) {
    const what = `UDP port ${LAN_PORT}, which the game takes for itself, is taken by another program${named(lan)}`;
    findings.push(problem("lan-port", what, "stop that program, then start the server again"));
  }
  return findings;
}

/** Whether the server has, or is likely to have, a network of its own. */
const isElsewhere = ({ server, running, around }: Target): boolean =>
  running?.pid === undefined ? isOfImage(server) : sharesNetwork(running.pid, around.signs) === false;

function isOwn({ pid, program }: Holder, { running }: Target): boolean {
  if (running === undefined) return false;
  if (pid === undefined || pid === running.pid) return true;
  return running.pid === undefined && isProgram(program ?? "");
}

/** Asks a server that runs what it tells anybody who wants to join. */
async function checkAnswer(
  target: Target,
  network: Network,
  { isExplained, isPortShared }: { isExplained: boolean; isPortShared: boolean },
): Promise<Finding[]> {
  const { around, running } = target;
  const { transport, port, host } = network;
  if (running === undefined || transport === "raknet" || port === undefined) return [];
  const later = [skipped(ANSWERS, "whether the server hears players: mend what is above first")];
  // Whoever answers there may be the other game.
  if (isPortShared) return later;
  const at = isAny(host || "::") ? "127.0.0.1" : host;
  const url = urlOf({ host: at, port });
  const read = await around.askJoin(port, at);
  if ("value" in read) return [ok(ANSWERS, `the server hears players at ${url}: ${toldBy(read.value)}`)];
  if (isExplained) return later;
  const isHere =
    around.platform === "win32" ||
    (running.pid !== undefined && sharesNetwork(running.pid, around.signs) === true);
  const why = `${url}${JOIN_PATH}: ${read.fault}`;
  if (!isHere)
    return [skipped(ANSWERS, `whether the server hears players: it may have a network of its own (${why})`)];
  const what = `the server runs, and does not hear players (${why}): nobody can join`;
  const mend =
    'wait a minute when it has just started; then look on its console for "Accepting clients on" and the lines before it, and start it again';
  return [problem(ANSWERS, what, mend)];
}

function toldBy({ version, players, maxPlayers, isEmpty }: Join): string {
  if (isEmpty) return "it tells no more, as with enable-lan-visibility=false";
  if (version === undefined) return "its answer has no version that could be one";
  const count = players === undefined ? "" : `, ${players} of ${maxPlayers ?? "?"} players`;
  return `game ${version}${count}`;
}

/** A game with online-mode does not start without the internet. */
async function checkServices(target: Target, { transport }: Network): Promise<Finding[]> {
  if (transport === "raknet" || !isOn(target, "online-mode", true) || isElsewhere(target)) return [];
  const why = await target.around.offline();
  if (why === undefined) return [];
  const what = `this machine does not seem to reach the internet (${why}): with online-mode the console says "Waiting for Minecraft services...", and the server ends after about a minute`;
  return [note("minecraft-services", what)];
}
