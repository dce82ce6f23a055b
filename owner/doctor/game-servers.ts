import { scriptFile } from "../../bds/folder.ts";
import { freeName } from "../../bds/free-server-name.ts";
import { notedOf, otherServers, packToken } from "../../bds/other-servers.ts";
import { valuesIn } from "../../bds/script-config.ts";
import { setupNotes } from "../../bds/setup-journal.ts";
import { orElse } from "../../cli/errno.ts";
import { note, ok, problem, type Verdict } from "./finding.ts";
import { setupCommand } from "./fixes.ts";
import type { Side, Surroundings, Target } from "./target.ts";

/** Where several game servers are described. */
export const PAGE = "docs/several-servers.md";

/** Whether the sidecar has more than one game server, so that each is spoken of by its name. */
export const isSeveral = ({ config }: Pick<Side, "config">): boolean => config.servers.length > 0;

/** Names of the sidecar's game servers, the first one first. */
export const namesOf = ({ config }: Pick<Side, "config">): string[] => [
  config.server.name,
  ...config.servers.map(({ name }) => name),
];

/** Where the notes of a sidecar are. */
export const notesOf = ({ configFile, config }: Pick<Side, "configFile" | "config">) => ({
  configFile,
  storage: config.storage.folder,
});

/** The game server whose token it is; undefined: it is that of none. */
export const tokenOwner = ({ tokens }: Pick<Side, "tokens">, token: unknown): string | undefined =>
  [...tokens].find(([, each]) => each === token)?.[0];

/** A name that a game server could have beside those that the sidecar has. */
export const freeNameFor = (side: Side | undefined, levelName: string): string =>
  freeName(levelName, new Set(side === undefined ? [] : namesOf(side)));

/** The name that a folder was set up by; undefined: setup was not run for it, or by a name that is no more. */
function notedName(side: Side, root: string): string | undefined {
  const noted = notedOf(root, notesOf(side));
  const name = noted && (noted.name ?? namesOf(side)[0]);
  return namesOf(side).find(each => each === name);
}

/**
 * The sidecar as the game server of a folder has to do with it: by the name that setup was given, and where it was not run
 * for that folder, by the token that its pack has. Any other is the first one.
 */
export function sideOf(
  side: Side,
  root: string,
  module: string,
  { files }: Pick<Surroundings, "files">,
): Side {
  if (!isSeveral(side)) return side;
  const names = namesOf(side);
  const notes = setupNotes(root, files);
  const own = Object.keys(notes).length > 0 ? (notes.as ?? names[0]) : notedName(side, root);
  const known = names.find(each => each === own) ?? tokenOwner(side, packToken(root, module, files));
  const name = known ?? names[0] ?? side.name;
  return { ...side, name, token: side.tokens.get(name) };
}

/** Which game server of the sidecar the folder is, where there are several. */
export function checkName({ server }: Target, side: Side): Verdict[] {
  if (!isSeveral(side)) return [];
  const which = side.name === namesOf(side)[0] ? "the first game server" : "one of servers";
  const name = ok(`the sidecar calls it ${side.name}, ${which} in ${side.configFile}`);
  if (server.properties.get("online-mode") !== "false") return [name];
  const what = `online-mode is false: where the game gives players no persistentId, they link, hide and block on each game server separately, see ${PAGE}`;
  return [name, note(what)];
}

/** Names the other servers that have been given the same token, or are copies of one that has. */
export function checkOthers(target: Target, side: Side): Verdict[] {
  const { server, around, module, running } = target;
  const tokens = new Map(side.token === undefined ? [] : [[side.name, side.token]]);
  const token = `the token of this sidecar${isSeveral(side) ? ` for ${side.name}` : ""}`;
  const others = otherServers(server.root, notesOf(side), tokens, module, around.files, around.signs);
  return others.map(({ root, world, pid }) => {
    const other = `the server ${root} with the world ${world}`;
    const name = notedName(side, root);
    const own = name === side.name ? undefined : name;
    const as = `--as ${own ?? freeNameFor(side, world)}`;
    if (pid === undefined || running === undefined) {
      const which = own === undefined ? "one of them" : "that one";
      const what = `${other} has ${token}, too: each game server needs a name of its own: for ${which}, run setup with ${as}`;
      return note(what);
    }
    const setup = setupCommand({ server: root, config: side.configFile }, around);
    const what = `${other} (process ${pid}) runs with ${token}, too, as a copy of a server's folder does: the two games throw each other out`;
    const text = `stop that one first; to give it a name of its own, run setup with ${as} instead, see ${PAGE}`;
    return problem(what, { text, command: `${setup} --undo` });
  });
}

/** What the world of a server was called as far as its pack and setup know it. */
export function earlierNames({ server, around, module, side }: Target): unknown[] {
  const path = scriptFile(server.root, module, "variables.json", around.files);
  const inPack = orElse(() => valuesIn(path, around.files)?.["world-name"], undefined);
  return [inPack, side && notedOf(server.root, notesOf(side))?.world];
}

/** Names the folders whose packs have one token. */
export function sameTokens(targets: readonly Target[], config: string, around: Surroundings): Verdict[] {
  return targets.flatMap((target, place) => {
    const token = packToken(target.server.root, target.module, around.files);
    const tokenOf = ({ server, module }: Target): unknown => packToken(server.root, module, around.files);
    const before = targets.slice(0, place).find(each => token !== undefined && tokenOf(each) === token);
    if (before === undefined) return [];
    const name = target.side && tokenOwner(target.side, token);
    const of = name === undefined ? "one token" : `the token of ${name}`;
    const what = `${before.server.root} and ${target.server.root} have ${of}: of two such game servers only one can be connected`;
    // One that was set up by another name has to have the token of that name.
    const strayed = [before, target].find(({ side }) => name !== undefined && side?.name !== name);
    const { server, side } = strayed ?? target;
    const as = strayed === undefined ? freeNameFor(side, server.levelName) : side?.name;
    const command = `${setupCommand({ server: server.root, config }, around)} --as ${as}`;
    return [problem(what, { command })];
  });
}
