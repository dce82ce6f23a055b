import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
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
import { fileURLToPath } from "node:url";
import { beforeEach, expect } from "@jest/globals";
import { examine } from "../../owner/doctor/examine.ts";
import { type Finding, isProblem } from "../../owner/doctor/finding.ts";
import { systemSurroundings } from "../../owner/doctor/system.ts";
import { stateOf } from "../../owner/setup/change.ts";
import { Bench } from "./server-setup.ts";

/** A user and a group that no machine has. */
export const OWNER = { uid: 4242, gid: 4243 };
export const IS_ROOT = process.getuid?.() === 0;
export const MODULE = "config/d09dd5f3-f8bd-4efc-8114-e391c22053b3";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** A secret of root's, as a sidecar has one. */
export const TOKEN = "a-token-of-another-sidecar-of-root";

/** A server in the folder of another user, and beside it a folder of root's that must stay as it is. */
export class OthersServer extends Bench {
  readonly outside = join(this.folder, "root's own");
  readonly secret = join(this.outside, "secret");
  /** what was sent as a token, whoever listens */
  readonly #sent: string[] = [];

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

  /** What the doctor finds, as this process's user. */
  doctor(config = this.config): Promise<Finding[]> {
    const { packs, server } = this;
    const fetch = this.#listener;
    return examine({ server, config }, { ...systemSurroundings(ROOT), packs, env: {}, fetch });
  }

  /** Stands for whoever listens at an address: it answers as the sidecar would. */
  readonly #listener: typeof globalThis.fetch = async (url, { headers } = {}) => {
    const token = new Headers(headers).get("Authorization");
    if (token !== null) this.#sent.push(token);
    if (!String(url).includes("/bridge/")) return Response.json({ status: "ok" });
    return Response.json(token === null ? { error: "unauthorized" } : { error: "not_found" }, {
      status: token === null ? 401 : 404,
    });
  };

  /** Neither doctor nor setup gets root's token out, or changes anything of root's. */
  async keepsRootsOwn(config: string, why: RegExp): Promise<void> {
    const before = this.rootsOwn();
    const found = await this.doctor(config);
    expect(found.filter(isProblem).map(({ what }) => what)).toContainEqual(expect.stringMatching(why));
    expect(JSON.stringify(found)).not.toContain(TOKEN);
    await expect(this.setUp({ config })).rejects.toThrow(why);
    expect(this.#sent.filter(token => token.includes(TOKEN))).toEqual([]);
    expect(this.rootsOwn()).toEqual(before);
    const secrets = this.path(`${MODULE}/secrets.json`);
    expect(existsSync(secrets) ? this.read(secrets) : "").not.toContain(TOKEN);
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

/** Another one for each test of a file that has asked for it. */
export let others: OthersServer;

export const freshOthers = (): void =>
  beforeEach(() => {
    others = new OthersServer();
  });
