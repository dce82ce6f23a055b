import { scriptFile } from "../../bds/folder.ts";
import { freeName } from "../../bds/free-server-name.ts";
import { otherServers, packToken } from "../../bds/other-servers.ts";
import { registrationOf } from "../../bds/registered-servers.ts";
import { valuesIn } from "../../bds/script-config.ts";
import { setupNotes } from "../../bds/setup-journal.ts";
import { orElse } from "../../cli/errno.ts";
import { note, ok, problem, type Verdict } from "./finding.ts";
import { setupCommand } from "./fixes.ts";
import type { CheckedSidecar, DoctorSystem, Target } from "./target.ts";

export const PAGE = "docs/several-servers.md";

/** Whether the sidecar has several game servers, each with its own name. */
export const isSeveral = ({ config }: CheckedSidecar): boolean => config.servers.length > 0;

const namesOf = ({ config }: CheckedSidecar): [string, ...string[]] => [
  config.server.name,
  ...config.servers.map(({ name }) => name),
];

/** The game server that has a token; undefined: none. */
export const tokenOwner = ({ tokens }: CheckedSidecar, token: unknown): string | undefined =>
  [...tokens].find(([, each]) => each === token)?.[0];

/** A name for another game server of the sidecar. */
export const freeNameFor = (sidecar: CheckedSidecar | undefined, levelName: string): string =>
  freeName(levelName, new Set(sidecar && namesOf(sidecar)));

/** What setup has registered for a folder. */
const registered = ({ config }: CheckedSidecar, root: string) => registrationOf(root, config.storage.folder);

/** The sidecar's name for a folder, as given to setup; undefined: setup has not run, or the name is gone. */
function registeredName(sidecar: CheckedSidecar, root: string): string | undefined {
  const found = registered(sidecar, root);
  const names = namesOf(sidecar);
  return found && names.find(each => each === (found.name ?? names[0]));
}

/**
 * The sidecar with name and token of the game server in a folder: by the name for setup, else by the pack's token, else the
 * first one.
 */
export function sidecarFor(sidecar: CheckedSidecar, root: string, module: string): CheckedSidecar {
  if (!isSeveral(sidecar)) return sidecar;
  const { files } = sidecar.system;
  const names = namesOf(sidecar);
  const notes = setupNotes(root, files);
  const own = Object.keys(notes).length > 0 ? (notes.as ?? names[0]) : registeredName(sidecar, root);
  const known = names.find(each => each === own) ?? tokenOwner(sidecar, packToken(root, module, files));
  const name = known ?? names[0];
  return { ...sidecar, name, token: sidecar.tokens.get(name) };
}

export function checkName({ server }: Target, sidecar: CheckedSidecar): Verdict[] {
  if (!isSeveral(sidecar)) return [];
  const which = sidecar.name === namesOf(sidecar)[0] ? "the first game server" : "one of servers";
  const name = ok(`the sidecar calls it ${sidecar.name}, ${which} in ${sidecar.configFile}`);
  if (server.properties.get("online-mode") !== "false") return [name];
  const what = `online-mode is false: players without a persistentId link, hide and block on each game server separately, see ${PAGE}`;
  return [name, note(what)];
}

/** Other servers with the same token, such as copies of one that has it. */
export function checkOthers({ server, system, module, running }: Target, sidecar: CheckedSidecar): Verdict[] {
  const { config, configFile, name, token } = sidecar;
  const what = `the token of this sidecar${isSeveral(sidecar) ? ` for ${name}` : ""}`;
  const { files, processes } = system;
  const storage = config.storage.folder;
  const as = name === config.server.name ? undefined : name;
  const others = otherServers({ root: server.root, storage, token, as, module, files, processes });
  return others.map(({ root, world, pid }) => {
    const other = `the server ${root} with the world ${world}`;
    const registeredAs = registeredName(sidecar, root);
    const own = registeredAs === name ? undefined : registeredAs;
    const as = `--as ${own ?? freeNameFor(sidecar, world)}`;
    if (pid === undefined || running === undefined) {
      const which = own === undefined ? "one of them" : "that one";
      return note(
        `${other} also has ${what}: each game server needs its own name: for ${which}, run setup with ${as}`,
      );
    }
    const setup = setupCommand({ server: root, config: configFile }, system);
    return problem(
      `${other} (process ${pid}) also runs with ${what}, as a copy of a server's folder does: the two servers keep disconnecting each other`,
      {
        text: `stop that one first; or, to give it its own name, run setup with ${as} instead, see ${PAGE}`,
        command: `${setup} --undo`,
      },
    );
  });
}

/** Names of the server's world in its pack and in the registration. */
export function earlierNames({ server: { root }, system: { files }, module, sidecar }: Target): unknown[] {
  const path = scriptFile(root, module, "variables.json", files);
  const inPack = orElse(() => valuesIn(path, files)?.["world-name"], undefined);
  return [inPack, sidecar && registered(sidecar, root)?.world];
}

/** Game servers whose packs have the same token. */
export function sameTokens(targets: readonly Target[], config: string, system: DoctorSystem): Verdict[] {
  const tokenOf = ({ server, module, keepsAchievements, sidecar }: Target): unknown =>
    keepsAchievements ? sidecar?.token : packToken(server.root, module, system.files);
  return targets.flatMap((target, place) => {
    const token = tokenOf(target);
    const before = targets.slice(0, place).find(each => token !== undefined && tokenOf(each) === token);
    if (before === undefined) return [];
    const name = target.sidecar && tokenOwner(target.sidecar, token);
    const of = name === undefined ? "the same token" : `the token of ${name}`;
    const what = `${before.server.root} and ${target.server.root} have ${of}: only one of the two can be connected`;
    // A game server with the token of another name needs its own.
    const mismatched = [before, target].find(({ sidecar }) => name !== undefined && sidecar?.name !== name);
    const { server, sidecar } = mismatched ?? target;
    const as = mismatched === undefined ? freeNameFor(sidecar, server.levelName) : sidecar?.name;
    return problem(what, { command: `${setupCommand({ server: server.root, config }, system)} --as ${as}` });
  });
}
