import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { bundledNode, lockedNode, PLATFORMS } from "../../scripts/bundled-node.mjs";
import { makeServer } from "../../scripts/make-server.mjs";
import { ask } from "../helpers/client.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { IS_BUILT, ROOT, SIDECAR } from "./packages.ts";
import { UnpackedSidecar } from "./unpacked.ts";

const PLATFORM = `${process.platform}-${process.arch}`;
const IS_TESTED = process.platform === "linux" && PLATFORMS.includes(PLATFORM) && IS_BUILT;
const canDownload = IS_TESTED && (await bundledNode(PLATFORM).catch(() => undefined)) !== undefined;

needs("Linux, npm run build, the npm registry", canDownload).describe("the archive with Node", () => {
  const folder = newFolder("with node ");
  const home = join(folder, "my folder", "web-bridge");
  const archive = SIDECAR.replace("any", PLATFORM);
  const server = join(folder, "my server");
  /** Only what a bare system has: no Node. */
  const bin = join(folder, "bin");
  const env = { PATH: bin };

  const run = (name: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(home, name), args, {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    return { status, out: stdout + stderr };
  };

  it("is made alone on request, with the licence and the digest of Node", () => {
    const out = join(folder, "out");
    const args = [join(ROOT, "scripts/package.mjs"), "--only", PLATFORM, "--out", out];
    execFileSync(process.execPath, args, { stdio: "pipe" });
    expect(readdirSync(out).filter(name => name.includes("sidecar"))).toEqual([archive]);
    mkdirSync(join(folder, "my folder"));
    execFileSync("tar", ["-xzf", join(out, archive), "-C", join(folder, "my folder")]);
    const read = (name: string): Buffer => readFileSync(join(home, name));
    expect(`${read("node/LICENSE")}`).toMatch(/^Node\.js is licensed for use as follows:/);
    const digest = createHash("sha256").update(read("node/bin/node")).digest("hex");
    expect(`${read("THIRD-PARTY-NOTICES")}`).toContain(
      `node/bin/node is Node.js ${lockedNode(PLATFORM).version}, from the npm package node-${PLATFORM}.\nIts licences are in node/LICENSE. Its SHA-256 is ${digest}.`,
    );
    expect(`${read("README.txt")}`).toContain(`Node ${lockedNode(PLATFORM).version} is in the folder`);
  });

  it("sets up a game server, starts the sidecar and checks both where no other Node is", async () => {
    mkdirSync(bin);
    for (const name of ["dirname", "readlink", "sh", "uname"])
      symlinkSync(
        execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(),
        join(bin, name),
      );
    await makeServer(server, { levelName: "Bedrock level" });
    // The folder is the caller's, not that of the archive.
    const setUp = run("web-bridge", "setup", "--server", "my server", "--yes");
    expect([setUp.status, setUp.out]).toEqual([0, expect.stringContaining("\nDone.\n")]);
    const doctor = `"my folder/web-bridge/web-bridge" doctor --server "${server}"`;
    expect(setUp.out).toContain(doctor);
    const sidecar = new UnpackedSidecar(home, env);
    await sidecar.start();
    try {
      expect((await ask(sidecar.urls.public, "/healthz")).status).toBe(200);
      const ports = {
        WEB_BRIDGE_MODULES_API_PORT: new URL(sidecar.urls.public).port,
        WEB_BRIDGE_BRIDGE_PORT: new URL(sidecar.urls.bridge).port,
      };
      const options = { cwd: folder, env: { ...env, ...ports }, encoding: "utf8" } as const;
      const checked = spawnSync("sh", ["-c", doctor], options);
      expect(checked.stdout).toContain("ok  the running sidecar accepts the bridge token\n");
    } finally {
      expect(await sidecar.stop()).toBe(0);
    }
  });

  it("starts a game server too where its folder is named", () => {
    const { status, out } = run("start.sh", "--server", "my folder");
    expect([status, out]).toEqual([2, expect.stringMatching(/^\[launch\] .*bedrock_server/)]);
  });
});
