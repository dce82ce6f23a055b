import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { until } from "../../test/helpers/eventually.ts";
import { needs } from "../../test/helpers/needs.ts";
import { IS_BUILT, ROOT } from "../../test/package/packages.ts";

const O_NONBLOCK = 0o4000;

/** Starts `launch` with both outputs on one pipe, as `2>&1 |` does, and writes its process id first. */
const PIPELINE = `sh -c 'echo pid $$; exec "$@" 2>&1' sh "$@" | cat`;

needs("npm run build, Linux", IS_BUILT && process.platform === "linux").it(
  "launch never waits for a reader of its output, also after its sidecar has ended",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "launch-output-"));
    writeFileSync(join(folder, "bedrock_server"), "#!/bin/sh\nread line\n");
    chmodSync(join(folder, "bedrock_server"), 0o755);
    writeFileSync(join(folder, "config.yml"), "no-such-key: 1\n");
    const options = ["--server", folder, "--config", join(folder, "config.yml")];
    const program = [process.execPath, join(ROOT, "dist/tools/launch.js"), ...options];
    const shell = spawn("sh", ["-c", PIPELINE, "sh", ...program], { stdio: ["pipe", "pipe", "inherit"] });
    let out = "";
    shell.stdout.on("data", part => (out += part));
    await until(() => out.includes("The sidecar rejected its configuration"));
    const pid = Number(/^pid (\d+)/.exec(out)?.[1]);
    const flags = /flags:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/fdinfo/1`, "utf8"))?.[1] ?? "";
    process.kill(pid, constants.signals.SIGTERM);
    await new Promise(resolve => shell.once("close", resolve));
    expect(Number.parseInt(flags, 8) & O_NONBLOCK).toBe(O_NONBLOCK);
    rmSync(folder, { recursive: true, force: true });
  },
);
