import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import { isProblem } from "../../owner/doctor/finding.ts";
import { inWords } from "../../owner/setup/show.ts";
import { IS_ROOT, OthersServer, OWNER } from "../helpers/others-server.ts";
import { needs } from "../helpers/runner.ts";

let bench: OthersServer;
beforeEach(async () => {
  bench = new OthersServer();
  await bench.open();
});

const WORLD = "worlds/Ülis schöne Welt 世界";
const LEVEL = `${WORLD}/level.dat`;

/** What root is told by setup. */
const refused = (): Promise<string> =>
  bench.setUp().then(
    () => "",
    error => inWords(error),
  );

/** Gives files to root, as they are when the server was once started by root. */
function giveToRoot(mode: number | undefined, ...names: string[]): void {
  for (const name of names) {
    chownSync(bench.path(name), 0, 0);
    if (mode !== undefined) chmodSync(bench.path(name), mode);
  }
}

needs("root", IS_ROOT).describe("files of root's in the folder of another user", () => {
  const chown = (): string => `chown -R ${OWNER.uid} "${bench.server}"`;

  it("are named by setup as root, with the command that mends it", async () => {
    giveToRoot(undefined, "worlds", WORLD, LEVEL);
    expect(await refused()).toBe(`${bench.path(WORLD)}: belongs to root: ${chown()}`);
    spawnSync("chown", ["-R", `${OWNER.uid}`, bench.server]);
    expect((await bench.setUp()).end).toBe("done");
  });

  it("are named by setup and doctor as root where the owner may not read them", async () => {
    giveToRoot(0o600, "server.properties");
    const path = bench.path("server.properties");
    expect(await refused()).toBe(`${path}: belongs to root: ${chown()}`);
    const found = (await bench.doctor()).filter(isProblem);
    expect(found).toContainEqual({
      id: "readable",
      state: "problem",
      what: `${path}: belongs to root`,
      mend: chown(),
    });
    chownSync(path, 77, 77);
    expect(await refused()).toBe(`${path}: belongs to another user (77): ${chown()}`);
  });

  it("are named where they are the sidecar's", async () => {
    const home = dirname(bench.config);
    await bench.setUp();
    chownSync(home, OWNER.uid, OWNER.gid);
    expect(lstatSync(bench.config).mode & 0o777).toBe(0o600);
    expect(await refused()).toBe(`${bench.config}: belongs to root: chown -R ${OWNER.uid} "${home}"`);
    chownSync(bench.config, OWNER.uid, OWNER.gid);
    expect(await refused()).toBe(
      `${join(home, "data/bridge-token")}: belongs to root: chown -R ${OWNER.uid} "${home}"`,
    );
  });

  it.each([
    ["server.properties", 0, "0", "u+rw"],
    [WORLD, 0o555, "555", "u+rwx"],
  ])(
    "are not blamed where only the permissions of %s keep the owner out",
    async (name, mode, shown, bits) => {
      const path = bench.path(name);
      chmodSync(path, mode);
      const mend = `chmod ${bits} "${path}"`;
      expect(await refused()).toBe(`${path}: is closed to its own user (mode ${shown}): ${mend}`);
      spawnSync("sh", ["-c", mend]);
      expect((await bench.setUp()).end).toBe("done");
    },
  );
});
