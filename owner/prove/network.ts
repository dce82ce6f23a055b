import { spawn, spawnSync } from "node:child_process";
import { createSocket, type SocketType } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { LAN_PORT } from "../bds/network.ts";
import { serversHere, sharesNetwork } from "../bds/running.ts";
import { systemSigns } from "../bds/system.ts";
import { holderOf } from "../doctor/holder.ts";
import { CannotRun } from "./fault.ts";

/** Below the ports that systems hand out by themselves. */
const FIRST = 20_000;
const LAST = 31_000;
/** UDP ports that a game before 1.26.60 needs: one for each player. */
const PLAYERS = 10;
/** Pairs that are tried before it is given up. */
const TRIES = 200;
/** How long a program of the system may take, in milliseconds. */
const SYSTEM_MS = 10_000;

/** Ports of a trial, free when they were looked at. */
export interface Ports {
  /** of the game: TCP with NetherNet, UDP with RakNet */
  game: number;
  /** of the game over IPv6, which only RakNet has */
  gameV6: number;
  /** the first of those for players */
  players: number;
  /** of the sidecar */
  web: number;
  bridge: number;
}

/** `server-udp-ports` for these. */
export const udpPortsOf = ({ players }: Ports): string => `${players}-${players + PLAYERS - 1}`;

/** Ports that nobody has at the moment. */
export async function freePorts(): Promise<Ports> {
  for (let left = TRIES; left > 0; left--) {
    const first = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const all = Array.from({ length: PLAYERS + 4 }, (_, place) => first + place);
    const free = await Promise.all(all.flatMap(port => [isFreeTcp(port), isFreeUdp(port)]));
    const [game = 0, gameV6 = 0, web = 0, bridge = 0, players = 0] = all;
    if (free.every(Boolean)) return { game, gameV6, web, bridge, players };
  }
  throw new CannotRun("this machine has no free ports between 20000 and 31000");
}

async function isFreeTcp(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

/** Whether nobody has a UDP port on any address. A machine without IPv6 has it free there. */
async function isFreeUdp(port: number): Promise<boolean> {
  const tried = await Promise.all((["udp4", "udp6"] as const).map(type => bound(type, port)));
  return !tried.includes("EADDRINUSE");
}

/** The code of the error with which a port could not be had; undefined: it could. */
async function bound(type: SocketType, port: number): Promise<string | undefined> {
  const socket = createSocket({ type, ...(type === "udp6" && { ipv6Only: true }) });
  try {
    socket.bind({ port, exclusive: true });
    await once(socket, "listening");
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "unknown";
  } finally {
    socket.close();
  }
}

/** Who keeps a second game server from this machine, in words; undefined: nobody does. */
export async function whoIsInTheWay(): Promise<string | undefined> {
  if (await isFreeUdp(LAN_PORT)) return undefined;
  const game = serversHere(systemSigns).find(({ pid }) => sharesNetwork(pid, systemSigns) === true);
  if (game !== undefined) return `the game server in ${game.root} (process ${game.pid})`;
  const holder = await holderOf(LAN_PORT, "::", "udp");
  const name = holder?.program ?? "another program";
  return holder?.pid === undefined ? name : `${name} (process ${holder.pid})`;
}

/** Says to the program that is run within that it is, and is not to go further. */
export const INSIDE = "WEB_BRIDGE_PROVE_INSIDE";

/** Turns on the loopback of a new network, then becomes what follows. */
const WITHIN = 'ip link set lo up && exec "$0" "$@"';

/** The words in front of a command that give it a network of its own. Only root of the outside needs no users of its own. */
export const isolated = (isRoot: boolean): string[] => [
  "unshare",
  ...(isRoot ? [] : ["--user", "--map-root-user"]),
  ...["--net", "--", "sh", "-c", WITHIN],
];

/** Whether this system lets this user have a network of its own. */
export function canIsolate(platform = process.platform): boolean {
  if (platform !== "linux") return false;
  const [file = "", ...args] = isolated(process.getuid?.() === 0);
  const { status } = spawnSync(file, [...args, process.execPath, "--version"], {
    stdio: "ignore",
    timeout: SYSTEM_MS,
  });
  return status === 0;
}

/**
 * Runs this program again in a network of its own; resolves with its exit code. Signals are passed on. Over the channel between
 * both the other one hears when this one is gone.
 */
export async function runIsolated(program: string, args: readonly string[]): Promise<number> {
  const [file = "", ...words] = isolated(process.getuid?.() === 0);
  const child = spawn(file, [...words, process.execPath, program, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, [INSIDE]: "1" },
  });
  // Only the one within has anything to end, and this one waits for it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => void child.kill(signal));
  }
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 2;
}
