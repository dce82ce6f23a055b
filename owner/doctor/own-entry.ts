import { notedOf, notedServers, packToken } from "../bds/other-server.ts";
import { setupNotes } from "../bds/setup-notes.ts";
import { type Finding, note, ok } from "./finding.ts";
import type { Side, Surroundings, Target } from "./target.ts";

/** Where all of it is told. */
export const PAGE = "docs/several-servers.md";

/** Whether the sidecar has more than one game server, so that each is spoken of by its name. */
export const isSeveral = ({ config }: Pick<Side, "config">): boolean => config.servers.length > 0;

/** What the sidecar calls its game servers, the first one first. */
export const namesOf = ({ config }: Pick<Side, "config">): string[] => [
  config.server.name,
  ...config.servers.map(({ name }) => name),
];

/** Where the notes of a sidecar are. */
export const notesOf = ({ configFile, config }: Pick<Side, "configFile" | "config">) => ({
  configFile,
  storage: config.storage.folder,
});

/**
 * The sidecar as the game server of a folder has to do with it: by the name that setup was given, and where it was not run
 * for that folder, by the token that its pack has. What is not known of is the first one.
 */
export function sideOf(
  side: Side,
  root: string,
  module: string,
  { files }: Pick<Surroundings, "files">,
): Side {
  if (!isSeveral(side)) return side;
  const names = namesOf(side);
  const [first = side.name] = names;
  const journal = setupNotes(root, files);
  const noted = notedOf(root, notesOf(side));
  const told = Object.keys(journal).length > 0 ? (journal.as ?? first) : noted && (noted.name ?? first);
  const name = names.find(each => each === told) ?? holderOf(side, packToken(root, module, files)) ?? first;
  return { ...side, name, token: side.tokens.get(name) };
}

/** The game server whose token it is; undefined: it is that of none. */
export const holderOf = ({ tokens }: Pick<Side, "tokens">, token: unknown): string | undefined =>
  [...tokens].find(([, each]) => each === token)?.[0];

/** Which game server of the sidecar the folder is, where there are several. */
export function checkOwnName({ side, server }: Pick<Target, "side" | "server">): Finding[] {
  if (side === undefined || !isSeveral(side)) return [];
  const [first] = namesOf(side);
  const which = side.name === first ? "the first game server" : "one of servers";
  const name = ok("server-name", `the sidecar calls it ${side.name}, ${which} in ${side.configFile}`);
  if (server.properties.get("online-mode") !== "false") return [name];
  const what = `online-mode is false: where the game gives players no persistentId, they are others here than on the other game servers, and link, hide and block on each by itself, see ${PAGE}`;
  return [name, note("same-player", what)];
}

/** Names the game servers of the configuration that setup was never run for. */
export function checkEntries(side: Side): Finding[] {
  if (!isSeveral(side)) return [];
  const [first] = namesOf(side);
  const noted = new Set(notedServers(notesOf(side)).map(({ name }) => name ?? first));
  const missing = namesOf(side).filter(name => !noted.has(name));
  if (missing.length === 0) return [];
  const how = missing[0] === first ? "without --as" : `with --as ${missing[0]}`;
  const what = `no folder was set up as ${missing.join(", ")}, which ${side.configFile} lists: for one on this machine run setup ${how}; of one elsewhere nothing is known here`;
  return [note("servers-set-up", what)];
}
