import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:http";
import { isIP } from "node:net";
import type { ServerFolder } from "../../bds/folder.ts";
import { JOIN_PATH } from "../../bds/join-info.ts";
import { networkOf } from "../../bds/network.ts";
import { readUdpPorts } from "../../bds/udp-ports.ts";

const VERSION = [1, 26, 60, 6];
const PROTOCOL = 2225;

interface Ports {
  /** Opens the ports for players; returns whether the game port was free. */
  open(): Promise<boolean>;
  close(): void;
}

/**
 * The ports of a server of this version, except the one for the local network, so that several stand-ins can run at
 * once. `players`: the number of online players.
 */
export function createPorts(server: ServerFolder, players: () => number): Ports {
  const { properties, udpPorts, levelName } = server;
  const { transport, port = 0, host } = networkOf(server, VERSION);
  const sockets: Socket[] = [];
  const message = {
    name: properties.get("server-name") || "Dedicated Server",
    version: VERSION.slice(0, 3).join("."),
    protocol: PROTOCOL,
    level: levelName,
    maxPlayers: Number(properties.get("max-players") || 10),
    gameType: 0,
  };
  const web = createServer((request, response) => {
    response.on("error", () => undefined);
    if (request.url !== JOIN_PATH) response.writeHead(404).end();
    else if (request.method !== "GET") response.writeHead(405).end();
    else if (properties.get("enable-lan-visibility") === "false") response.end();
    else {
      const all = { ...message, players: players() };
      response.setHeader("content-type", "application/json").end(JSON.stringify(all));
    }
  });

  return {
    async open() {
      const isV4 = isIP(host) === 4;
      if (transport === "raknet") {
        const second = Number(properties.get("server-portv6") || 19_133);
        await Promise.all([udp(sockets, "udp4", port), udp(sockets, "udp6", second)]);
        return true;
      }
      const read = readUdpPorts(udpPorts);
      const inside = "ports" in read ? read.ports.map(each => each.inside.from) : [];
      await Promise.all(inside.map(each => udp(sockets, isV4 ? "udp4" : "udp6", each)));
      return tcp(web, port, isV4 ? host : host || "::");
    },
    close() {
      web.close();
      web.closeAllConnections();
      for (const socket of sockets) socket.close();
    },
  };
}

function tcp(web: Server, port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    web.once("error", () => resolve(false));
    web.listen(port, host, () => resolve(true));
  });
}

/** Listens on a port of every address. A port in use is skipped, as the game does. */
function udp(sockets: Socket[], type: "udp4" | "udp6", port: number): Promise<void> {
  return new Promise(resolve => {
    const socket = createSocket(type);
    socket.once("error", () => resolve());
    socket.bind(port, () => {
      sockets.push(socket);
      resolve();
    });
  });
}
