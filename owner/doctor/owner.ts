import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { orElse } from "../../cli/errno.ts";
import { type Asked, doctorCommand, type Surroundings } from "./target.ts";

/**
 * What mends that this user may not use a file of the sidecar's: to be its owner, and only where that is not meant, to take
 * it over.
 * @param own the command that takes it over
 */
export function asOwner(path: string, own: string, asked: Asked, around: Surroundings): string {
  const uid = ownerOf(path, around);
  const taken = `only when this user is to run the sidecar instead: ${own}`;
  if (uid === undefined || uid === process.geteuid?.()) return `run doctor as the sidecar's user; ${taken}`;
  const name = nameOf(uid);
  const again = doctorCommand(asked, around, name ?? `'#${uid}'`);
  return `${again}  (the files belong to ${name ?? `user ${uid}`}; ${taken})`;
}

/** Who owns what is at a path, or the nearest folder above it that this user can look at. */
function ownerOf(path: string, around: Surroundings): number | undefined {
  const found = around.accessOf(path);
  if (found !== undefined || dirname(path) === path) return found?.uid;
  return ownerOf(dirname(path), around);
}

/** The name of a user of this machine; undefined where it has none that a shell would take as it is. */
function nameOf(uid: number): string | undefined {
  const users = orElse(() => readFileSync("/etc/passwd", "utf8"), "")
    .split("\n")
    .map(line => line.split(":"));
  return users.find(([name = "", , id]) => id === String(uid) && /^\w[\w.-]*$/.test(name))?.[0];
}
