import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { nearestFolder } from "../../bds/system.ts";
import { isRoot, userName } from "../../bds/users.ts";
import { orElse } from "../../cli/errno.ts";

/** Users of this machine. */
export interface Users {
  isRoot: boolean;
  /** owner of a path; undefined: not known */
  ownerOf(path: string): number | undefined;
  nameOf(uid: number): string | undefined;
  hasSudo: boolean;
}

export const systemUsers = (env: NodeJS.ProcessEnv): Users => ({
  isRoot: isRoot(),
  ownerOf: path => orElse(() => statSync(path).uid, undefined),
  nameOf: userName,
  hasSudo: (env.PATH ?? "").split(delimiter).some(folder => existsSync(join(folder, "sudo"))),
});

/**
 * The user as whom root has to run setup again, so that links in the folder cannot lead root anywhere; undefined: this user.
 * It is the owner of the server's folder, if they own the sidecar's configuration too and `sudo -u` can switch to them. With
 * two different owners, as with a service or in a container, only root can write both.
 * @param server the server's folder
 * @param config the sidecar's configuration, which may be missing; absolute
 */
export function ownerToRunAs(server: string, config: string, users: Users): string | undefined {
  if (!users.isRoot || !users.hasSudo) return undefined;
  const owner = users.ownerOf(server);
  if (owner === undefined || owner === 0 || owner !== users.ownerOf(nearestFolder(dirname(config))))
    return undefined;
  return users.nameOf(owner);
}
