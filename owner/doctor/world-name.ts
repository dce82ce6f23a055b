import { orElse } from "../../cli/errno.ts";
import type { BridgeStatus } from "../../shared/status.ts";
import { scriptFile } from "../bds/folder.ts";
import { freeName } from "../bds/free-name.ts";
import { notedOf, otherServers } from "../bds/other-server.ts";
import { valuesIn } from "../bds/script-config.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { isSeveral, namesOf, notesOf, PAGE } from "./own-entry.ts";
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
  const mend = `${target.setup} --as ${freeOf(target)}, so that each has a name of its own, see ${PAGE}`;
  return [problem(id, `${what}, and the world of this server is ${own}`, mend)];
}

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
  const mend = `stop the one that is not to have it, which may be a copy of the other, and take the pack out of it by setup with --undo, or give it a name of its own by setup with --as, see ${PAGE}`;
  return [problem("two-servers", what, mend)];
}

/** What the world of a server was called as far as its pack and setup know it. */
function namesBefore({ server, around, module, side }: Target): unknown[] {
  const path = scriptFile(server.root, module, "variables.json", around.files);
  const inPack = orElse(() => valuesIn(path, around.files)?.["world-name"], undefined);
  return [inPack, side && notedOf(server.root, notesOf(side))?.world];
}

/** A name that the game server could have beside those that the sidecar has. */
const freeOf = ({ side, server }: Target): string =>
  freeName(server.levelName, new Set(side === undefined ? [] : namesOf(side)));

/** Names the other servers that have been given the same token, or are copies of one that has. */
export function checkOtherServers(target: Target): Finding[] {
  const { server, around, elsewhere, module, side, running } = target;
  if (side === undefined) return [];
  const id = "other-server";
  const tokens = new Map(side.token === undefined ? [] : [[side.name, side.token]]);
  const token = `the token of this sidecar${isSeveral(side) ? ` for ${side.name}` : ""}`;
  const others = otherServers(server.root, notesOf(side), tokens, module, elsewhere, around.signs);
  return others.map(({ root, world, pid }) => {
    const other = `the server ${root} with the world ${world}`;
    const own = strayedFrom(side, root);
    const as = `--as ${own ?? freeName(world, new Set(namesOf(side)))}`;
    if (pid === undefined || running === undefined) {
      const each = `each game server needs a name of its own: for ${own === undefined ? "one of them" : "that one"}, run setup with ${as}`;
      return note(id, `${other} has ${token}, too: ${each}`);
    }
    const setup = setupCommand({ server: root, config: side.configFile }, around);
    return problem(
      id,
      `${other} (process ${pid}) runs with ${token}, too, as a copy of a server's folder does: the two games throw each other out`,
      `stop it, then: ${setup} --undo  (or give it a name of its own, see ${PAGE}: ${setup} ${as})`,
    );
  });
}

/** The name by which another server with this one's token was set up; undefined: by the same one, or by none. */
function strayedFrom(side: Side, root: string): string | undefined {
  const names = namesOf(side);
  const noted = notedOf(root, notesOf(side));
  const name = noted && (noted.name ?? names[0]);
  return name === side.name ? undefined : names.find(each => each === name);
}
