import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { stateOf } from "../../setup/change.ts";
import { Bench } from "./server-setup.ts";

/** A user and a group that no machine has. */
export const OWNER = { uid: 4242, gid: 4243 };
export const IS_ROOT = process.getuid?.() === 0;
export const MODULE = "config/d09dd5f3-f8bd-4efc-8114-e391c22053b3";

/** A server in the folder of another user, and beside it a folder of root's that must stay as it is. */
export class OthersServer extends Bench {
  readonly outside = join(this.folder, "root's own");
  readonly secret = join(this.outside, "secret");

  async open(uid = OWNER.uid): Promise<this> {
    await this.make();
    chmodSync(this.folder, 0o755);
    mkdirSync(join(this.outside, "empty"), { recursive: true });
    writeFileSync(this.secret, "root's secret\n", { mode: 0o600 });
    writeFileSync(`${this.secret}.web-bridge-tmp`, "root's too\n");
    this.give(uid);
    return this;
  }

  /** Gives everything in the server's folder to a user. */
  give(uid = OWNER.uid): void {
    const gid = uid === 0 ? 0 : OWNER.gid;
    for (const path of [".", ...readdirSync(this.server, { recursive: true, encoding: "utf8" })])
      lchownSync(this.path(path), uid, gid);
  }

  /** Name, owner, mode and content of everything in root's folder. */
  rootsOwn(): string[] {
    return [".", ...readdirSync(this.outside, { recursive: true, encoding: "utf8" })].sort().map(name => {
      const path = join(this.outside, name);
      const { uid, gid, mode } = lstatSync(path);
      const content = lstatSync(path).isFile() ? stateOf(readFileSync(path)) : "";
      return [name, uid, gid, mode.toString(8), content].join(" ");
    });
  }

  /** Moves something of the server's into root's folder and leaves a link to it. */
  leadOut(name: string): void {
    const [from, to] = [this.path(name), join(this.outside, "moved")];
    cpSync(from, to, { recursive: true });
    for (const path of [".", ...(lstatSync(to).isDirectory() ? readdirSync(to, { recursive: true }) : [])])
      chownSync(join(to, String(path)), 0, 0);
    rmSync(from, { recursive: true });
    this.link(name, to);
  }

  link(name: string, to: string): void {
    symlinkSync(to, this.path(name));
    lchownSync(this.path(name), OWNER.uid, OWNER.gid);
  }

  /** Puts a link to root's folder in the place of a folder. */
  swap(name: string): void {
    renameSync(this.path(name), this.path(`${name}.aside`));
    symlinkSync(this.outside, this.path(name));
  }
}
