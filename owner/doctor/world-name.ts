import { resolve } from "node:path";
import { DEFAULT_CONFIG } from "../../cli/arguments.ts";
import { orElse } from "../../cli/errno.ts";
import type { BridgeStatus } from "../../shared/status.ts";
import { scriptFile } from "../bds/folder.ts";
import { notedOf, otherServers } from "../bds/other-server.ts";
import { valuesIn } from "../bds/script-config.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { type Side, type Surroundings, setupCommand, type Target } from "./target.ts";

/** Whether the pack calls the world as the server does: it cannot know the name by itself. */
export function checkWorldName({ server, around, setup }: Target, value: unknown): Finding {
  const id = "world-name";
  const { levelName, world } = server;
  if (around.files.kindOf(world.levelDat) !== "file")
    return skipped(id, `${id} in variables.json: the world has to be there first`);
  if (value === levelName) return ok(id, `variables.json calls the world ${levelName}, too`);
  if (value === undefined)
    return note(id, `variables.json has no ${id}: log and /bridge:status cannot name the world: ${setup}`);
  const what = `variables.json: ${id} is ${JSON.stringify(value)}, and level-name in ${server.propertiesFile} is ${levelName}`;
  return problem(id, what, setup);
}

/** Whether the game server that reports to the sidecar is the one of this folder. */
export function checkConnectedWorld(
  game: BridgeStatus["game"],
  isReporting: boolean,
  target: Target | undefined,
  ago: (then: number) => string,
): Finding[] {
  const id = "connected-world";
  const name = game?.world?.name || undefined;
  if (game === undefined || name === undefined) return [];
  if (!isReporting) return [note(id, `the world ${name} was connected last, and reports no more`)];
  const own = target?.server.levelName;
  const connected = `the world ${name} (for ${ago(game.connectedAt)})`;
  const what = `the sidecar is connected with ${connected}`;
  if (target === undefined || own === undefined || own === name) return [ok(id, what)];
  if (namesBefore(target).includes(name)) {
    const renamed = `${what}, as that of this server was called before: ${target.setup}, and start the server again`;
    return [note(id, renamed)];
  }
  const mend = `give each world a sidecar of its own, see ${PAGE}`;
  return [problem(id, `${what}, and the world of this server is ${own}`, mend)];
}

const PAGE = `"One sidecar per world" in docs/troubleshooting.md`;
/** For how long a game server that was refused counts, in milliseconds: it asks again within a minute. */
const REFUSED_MS = 10 * 60_000;

/** Whether another game server wants the sidecar, too, wherever that one runs. */
export function checkRivals(
  { refusedAt = Number.NEGATIVE_INFINITY }: NonNullable<BridgeStatus["game"]>,
  around: Surroundings,
  ago: (then: number) => string,
): Finding[] {
  if (around.now() - refusedAt > REFUSED_MS) return [];
  const what = `two game servers want this sidecar, and one of them was refused ${ago(refusedAt)} ago`;
  const mend = `stop the one that is not to have it, which may be a copy of the other, and take the pack out of it by setup with --undo, or give it a sidecar of its own, see ${PAGE}`;
  return [problem("two-servers", what, mend)];
}

/** What the world of a server was called as far as its pack and setup know it. */
function namesBefore({ server, around, module, side }: Target): unknown[] {
  const path = scriptFile(server.root, module, "variables.json", around.files);
  const inPack = orElse(() => valuesIn(path, around.files)?.["world-name"], undefined);
  return [inPack, side && notedOf(server.root, sidecarOf(side))?.world];
}

const sidecarOf = ({ configFile, config }: Side) => ({ configFile, storage: config.storage.folder });

/** Names the other servers that have been given the same sidecar, or are copies of one that has. */
export function checkOtherServers({ server, around, elsewhere, module, side, running }: Target): Finding[] {
  if (side === undefined) return [];
  const id = "other-server";
  const { signs } = around;
  const tokens = new Map(side.token === undefined ? [] : [[side.config.server.name, side.token]]);
  return otherServers(server.root, sidecarOf(side), tokens, module, elsewhere, signs).map(
    ({ root, world, pid }) => {
      const other = `the server ${root} with the world ${world}`;
      const each = "each world needs a sidecar of its own";
      if (pid === undefined || running === undefined)
        return note(id, `${other} has the token of this sidecar, too: ${each}`);
      const config = side.configFile === resolve(DEFAULT_CONFIG) ? DEFAULT_CONFIG : side.configFile;
      const undo = `${setupCommand({ server: root, config }, around)} --undo`;
      return problem(
        id,
        `${other} (process ${pid}) runs with the token of this sidecar, too, as a copy of a server's folder does: the two games throw each other out`,
        `stop it, then: ${undo}  (or give it a sidecar of its own, see ${PAGE})`,
      );
    },
  );
}
