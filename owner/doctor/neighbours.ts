import { orElse } from "../../cli/errno.ts";
import type { Files } from "../bds/files.ts";
import { openServer, type ServerFolder } from "../bds/folder.ts";
import { likelyVersion } from "../bds/game-version.ts";
import { isOfImage } from "../bds/image.ts";
import { LAN_PORT, type Network, networkOf } from "../bds/network.ts";
import { notedServers } from "../bds/other-server.ts";
import { filesIn, realFolder } from "../bds/paths.ts";
import { serversHere, sharesNetwork } from "../bds/running.ts";
import { type Finding, note, problem } from "./finding.ts";
import type { Target } from "./target.ts";

/**
 * Whether other games of this machine need the ports of this one. `pids`: those that run and do. `isPortShared`: one of
 * these needs the port that players come to.
 */
export function checkNeighbours(
  target: Target,
  own: Network,
): { findings: Finding[]; pids: number[]; isPortShared: boolean } {
  const { server, around, elsewhere: files, side } = target;
  const { signs } = around;
  const home = signs.realPath(server.root);
  const running = serversHere(signs).flatMap(({ pid, root }) => {
    const shared = root === home || !sharesNetwork(pid, signs) ? NONE : sharedPorts(root, own, files);
    return shared.names.length === 0 ? [] : [{ pid, root, ...shared }];
  });
  const runs = running.map(({ pid, root, names }) =>
    problem(
      "other-game",
      `the server ${root} (process ${pid}) runs on this machine, too, and both need ${names.join(" and ")}`,
      "stop one of them, or run each in a container, which has ports of its own",
    ),
  );
  const noted =
    side === undefined || isOfImage(server)
      ? []
      : notedServers({ ...side, storage: side.config.storage.folder }).map(({ server }) => server);
  const others = noted
    .filter(root => root !== home && !running.some(each => each.root === root))
    .flatMap(root => {
      const { names } = sharedPorts(root, own, files);
      if (names.length === 0) return [];
      const what = `the server ${root} was set up for this sidecar, too, and both need ${names.join(" and ")}: outside of containers only one of them can run at a time`;
      return [note("other-game", what)];
    });
  return {
    findings: [...runs, ...others.slice(0, 1)],
    pids: running.map(({ pid }) => pid),
    isPortShared: running.some(({ isPortShared }) => isPortShared),
  };
}

/** Ports that two games need, in words, and whether that for players is one of them. */
interface Shared {
  names: string[];
  isPortShared: boolean;
}

const NONE: Shared = { names: [], isPortShared: false };

/** The ports that the server in a folder needs as well; none where it cannot be looked at. */
function sharedPorts(root: string, own: Network, files: Files): Shared {
  const other = look(root, files);
  if (other === undefined || isOfImage(other.server) || other.network.transport !== own.transport)
    return NONE;
  const isNew = own.transport === "nethernet";
  const isPortShared = own.port !== undefined && own.port === other.network.port;
  const names = [
    ...(isNew ? [`UDP port ${LAN_PORT}`] : []),
    ...(isPortShared ? [`${isNew ? "TCP" : "UDP"} port ${own.port} (server-port)`] : []),
  ];
  return { names, isPortShared };
}

/** What may not be looked at is not told of. */
const look = (root: string, files: Files): { server: ServerFolder; network: Network } | undefined =>
  orElse(() => {
    const real = realFolder(root);
    const within = filesIn(real, files);
    const server = openServer(real, within);
    const version = "faults" in server ? undefined : likelyVersion(server, within);
    return "faults" in server || version === undefined
      ? undefined
      : { server, network: networkOf(server, version) };
  }, undefined);
