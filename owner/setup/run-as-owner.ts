import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { nearestFolder } from "../../bds/system.ts";
import { isRoot, userName } from "../../bds/users.ts";
import { orElse } from "../../cli/errno.ts";

/** What the system says of users. */
export interface Users {
  isRoot: boolean;
  /** the owner of what is at a path; undefined: that may not be seen */
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
 * The user as whom root has to run setup again; undefined: this user does. It is the owner of the server's folder, where the
 * sidecar's configuration is theirs, too, and `sudo -u` leads to them: what they put in that folder leads root nowhere then.
 * Where two users own the two, as with a service or in a container, only root can read and write both.
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
