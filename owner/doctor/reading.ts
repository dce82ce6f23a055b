import { basename, join, relative, sep } from "node:path";
import { quoted } from "../../cli/commands.ts";
import { orElse } from "../../cli/errno.ts";
import { isFault } from "../bds/fault.ts";
import { packFolders, packIn, scriptFolder } from "../bds/folder.ts";
import { type Finding, ok, problem } from "./finding.ts";
import type { Access, Surroundings, Target, User } from "./target.ts";

const [READ, ENTER] = [4, 1];
const ANYBODY_EXECUTES = 0o111;

/** Whether the system can start the server's program. */
export function checkProgram({ server, around, running }: Target): Finding[] {
  const mode = around.accessOf(server.program)?.mode;
  if (around.platform === "win32" || running !== undefined || mode === undefined) return [];
  if (/\.exe$/i.test(server.program) || (mode & ANYBODY_EXECUTES) !== 0) return [];
  const what = `${server.program} is not executable (mode ${(mode & 0o777).toString(8)}): the server cannot start`;
  return [problem("server-program", what, `chmod +x ${quoted(server.program)}`)];
}

/** Whether the user that the server runs as may read the pack and its settings; who that is, where it does not run. */
export function checkReading(target: Target): Finding[] {
  const id = "server-reads";
  const { server, around, running } = target;
  if (around.platform === "win32") return [];
  const user = (running?.pid && around.userOf(running.pid)) || ownerOf(server.root, target);
  const paths = user === undefined || user.uid === 0 ? [] : pathsOf(target);
  const denied = paths.flatMap(({ path, bits }) => {
    const access = around.accessOf(path);
    return user !== undefined && access !== undefined && !may(user, access, bits)
      ? [{ path, bits, access }]
      : [];
  });
  const [first, ...more] = denied;
  if (first === undefined || user === undefined)
    return [ok(id, "the server's user may read the pack and its settings")];
  const { uid, mode } = first.access;
  const others = more.length === 0 ? "" : `, nor ${more.length} more`;
  const what = `${relative(server.root, first.path)}: the server's user (uid ${user.uid}) may not read it (owner ${uid}, mode ${(mode & 0o777).toString(8)})${others}`;
  return [problem(id, what, givenTo(user, denied, around))];
}

interface Denied {
  path: string;
  bits: number;
  access: Access;
}

/** The command that lets a user read all of it at once: the folders and files that have nothing above them among them. */
function givenTo(user: User, denied: readonly Denied[], around: Surroundings): string {
  const self = around.userOf(process.pid)?.uid;
  const command = (as: number, words: string, found: readonly Denied[]): string[] => {
    const paths = found.map(({ path }) => path);
    const tops = paths.filter(path => !paths.some(each => path.startsWith(join(each, sep))));
    if (tops.length === 0) return [];
    const sudo = self === 0 || self === as ? "" : "sudo ";
    return [`${sudo}${words} ${tops.map(path => quoted(path)).join(" ")}`];
  };
  const others = denied.filter(({ access }) => access.uid !== user.uid);
  // What he gets he has to be allowed to read, too.
  const closed = denied.filter(({ access, bits }) => ((access.mode >> 6) & bits) !== bits);
  return [...command(0, `chown -R ${user.uid}`, others), ...command(user.uid, "chmod -R u+rX", closed)].join(
    " && ",
  );
}

function ownerOf(root: string, { around }: Target): User | undefined {
  const access = around.accessOf(root);
  return access && { uid: access.uid, gid: access.gid, groups: undefined };
}

/** A group that a user may be in, and that may do it, is taken to be his. */
function may(user: User, { uid, gid, mode }: Access, bits: number): boolean {
  const has = (shift: number): boolean => ((mode >> shift) & bits) === bits;
  if (uid === user.uid) return has(6);
  if (gid === user.gid || (user.groups?.includes(gid) ?? has(3))) return has(3);
  return has(0);
}

/** All that the server has to read of ours, folders before what is in them. */
function pathsOf(target: Target): { path: string; bits: number }[] {
  const { server, around, module, behavior, resource } = target;
  const { files } = around;
  const kinds = [behavior, resource].filter(product => product !== undefined);
  const packs = kinds.flatMap(({ kind, manifest }) =>
    packFolders(server, kind).flatMap(place =>
      files
        .list(place)
        .map(name => join(place, name))
        .filter(folder => isOurs(folder, manifest.uuid, target)),
    ),
  );
  const lists = kinds.map(({ kind }) => server.world.lists[kind]);
  const config = scriptFolder(server.root, module);
  const whole = [...packs, config].flatMap(folder => treeIn(folder, target));
  return [...whole, ...lists.map(path => ({ path, bits: READ }))];
}

/** One that may not be looked into is ours by its name. */
function isOurs(folder: string, uuid: string, { around: { files } }: Target): boolean {
  if (orElse(() => files.kindOf(folder), undefined) !== "folder") return false;
  const pack = orElse(() => packIn(folder, files) ?? "none", undefined);
  if (pack === undefined) return basename(folder) === "web_bridge";
  return typeof pack === "object" && !isFault(pack) && pack.uuid === uuid;
}

/** A folder and all that can be seen in it, folders before what is in them. Links in it may lead back. */
function treeIn(folder: string, target: Target, seen = new Set<string>()): { path: string; bits: number }[] {
  const { files, signs } = target.around;
  const real = signs.realPath(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const below = orElse(() => files.list(folder), []).map(name => join(folder, name));
  return [
    { path: folder, bits: READ | ENTER },
    ...below.flatMap(path => {
      const kind = orElse(() => files.kindOf(path), undefined);
      return kind === "folder" ? treeIn(path, target, seen) : kind === "file" ? [{ path, bits: READ }] : [];
    }),
  ];
}
