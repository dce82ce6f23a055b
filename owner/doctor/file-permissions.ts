import { basename, join, relative, sep } from "node:path";
import { PACK_FOLDER } from "../../bds/built-pack.ts";
import { isFault } from "../../bds/fault.ts";
import { packFolders, packIn, scriptFolder } from "../../bds/folder.ts";
import { inside } from "../../bds/safe-paths.ts";
import { quoted } from "../../cli/commands.ts";
import { orElse } from "../../cli/errno.ts";
import { ok, problem, type Verdict } from "./finding.ts";
import type { Access, DoctorSystem, Target, User } from "./target.ts";

const [READ, ENTER] = [4, 1];
const ANYBODY_EXECUTES = 0o111;
const OTHERS = 0o077;

const octalMode = (mode: number): string => (mode & 0o777).toString(8);

/** The fault of a private file that other users can read; undefined: none. */
export function sharedModeFault(file: string, system: DoctorSystem): string | undefined {
  const mode = system.accessOf(file)?.mode ?? 0;
  if (system.platform === "win32" || (mode & OTHERS) === 0) return undefined;
  return `${file}: other users can read it (mode ${octalMode(mode)})`;
}

export function checkProgram({ server, system, running }: Target): Verdict | undefined {
  const mode = system.accessOf(server.program)?.mode;
  if (system.platform === "win32" || running !== undefined || mode === undefined) return undefined;
  if (/\.exe$/i.test(server.program) || (mode & ANYBODY_EXECUTES) !== 0) return undefined;
  const what = `${server.program} is not executable (mode ${octalMode(mode)}): the server cannot start`;
  return problem(what, { command: `chmod +x ${quoted(server.program)}` });
}

/** A file or folder that the server has to read. */
interface RequiredPath {
  path: string;
  bits: number;
  access: Access;
}

/** Whether the server's user can read the pack and its settings. If it is not running, that is the owner of its folder. */
export function checkReading(target: Target): Verdict | undefined {
  const { server, system, running } = target;
  if (system.platform === "win32") return undefined;
  const user = (running?.pid && system.userOf(running.pid)) || ownerOf(server.root, system);
  const places = user === undefined || user.uid === 0 ? [] : placesOf(target);
  const denied = places.filter(({ access, bits }) => user !== undefined && !may(user, access, bits));
  const [first, ...more] = denied;
  if (first === undefined || user === undefined)
    return ok("the server's user can read the add-on and its settings");
  const { uid, mode } = first.access;
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  const what = `${relative(server.root, first.path)}: the server's user (uid ${user.uid}) cannot read it (owner ${uid}, mode ${octalMode(mode)})${others}`;
  return problem(what, { command: commandFor(user, denied, system) });
}

function commandFor({ uid }: User, denied: readonly RequiredPath[], system: DoctorSystem): string {
  // The command for a folder includes its content.
  const paths = denied.map(({ path }) => path);
  const tops = paths.filter(path => !paths.some(each => path.startsWith(join(each, sep))));
  const targets = tops.map(path => quoted(path)).join(" ");
  const isOwn = denied.every(({ access }) => access.uid === uid);
  const self = system.userOf(process.pid)?.uid;
  const sudo = self === 0 || (isOwn && self === uid) ? "" : "sudo ";
  return `${isOwn ? "" : `${sudo}chown -R ${uid} ${targets} && `}${sudo}chmod -R u+rX ${targets}`;
}

function ownerOf(root: string, { accessOf }: DoctorSystem): User | undefined {
  const access = accessOf(root);
  return access && { uid: access.uid, gid: access.gid, groups: undefined };
}

/** Whether a user can read a file. If the user's groups are unknown, the user counts as a member of the file's group. */
function may(user: User, { uid, gid, mode }: Access, bits: number): boolean {
  const has = (shift: number): boolean => ((mode >> shift) & bits) === bits;
  if (uid === user.uid) return has(6);
  if (gid === user.gid || (user.groups?.includes(gid) ?? has(3))) return has(3);
  return has(0);
}

/** All files and folders of this product that the server reads, folders before their content. */
function placesOf({ server, system, module, behavior, resource }: Target): RequiredPath[] {
  const built = [behavior, resource].filter(pack => pack !== undefined);
  const packs = built.flatMap(({ kind, manifest }) =>
    packFolders(server, kind).flatMap(place =>
      orElse(() => system.files.list(place), [])
        .map(name => join(place, name))
        .filter(folder => isOurs(folder, manifest.uuid, system)),
    ),
  );
  const lists = built.map(({ kind }) => server.world.lists[kind]);
  return [...packs, scriptFolder(server.root, module), ...lists].flatMap(path => placesBelow(path, system));
}

/** A folder that cannot be listed counts as this product's by its name. */
function isOurs(folder: string, uuid: string, { files }: DoctorSystem): boolean {
  if (orElse(() => files.kindOf(folder), undefined) !== "folder") return false;
  const pack = orElse(() => packIn(folder, files) ?? "none", undefined);
  if (pack === undefined) return basename(folder) === PACK_FOLDER;
  return typeof pack === "object" && !isFault(pack) && pack.uuid === uuid;
}

/**
 * A file, or a folder and its content. Each folder is listed once, since links may form a circle. Targets of links elsewhere are left
 * out: the advice would give them to the server's user.
 */
function placesBelow(
  path: string,
  system: DoctorSystem,
  top?: string,
  seen = new Set<string>(),
): RequiredPath[] {
  const { files, processes } = system;
  const access = system.accessOf(path);
  const kind = orElse(() => files.kindOf(path), undefined);
  if (access === undefined || kind === undefined) return [];
  const real = processes.realPath(path);
  const root = top ?? real;
  if (inside(root, real) === undefined) return [];
  if (kind === "file") return [{ path, bits: READ, access }];
  if (seen.has(real)) return [];
  seen.add(real);
  const below = orElse(() => files.list(path), []);
  const all = below.flatMap(name => placesBelow(join(path, name), system, root, seen));
  return [{ path, bits: READ | ENTER, access }, ...all];
}
