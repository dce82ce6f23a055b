import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { runNode } from "../../scripts/run.mjs";
import { type Packages, whyInstall } from "../../scripts/tasks.mjs";
import { needs } from "../helpers/runner.ts";

const RUN = new URL("../../scripts/run.mjs", import.meta.url).href;

describe("the dependencies", () => {
  const locked: Packages = {
    "": { version: "0.1.0" },
    "node_modules/ws": { version: "8.0.0" },
    "node_modules/@native/win32": { version: "1.0.0", optional: true },
  };

  it.each([
    ["as the lock file wants them", { "node_modules/ws": { version: "8.0.0" } }, undefined],
    ["of another version", { "node_modules/ws": { version: "7.0.0" } }, "ws has changed"],
    ["without a package", {}, "ws has changed"],
    ["that npm never finished", undefined, "they are missing"],
  ])("%s are installed when they have to be", (_what, installed, why) => {
    expect(whyInstall(locked, installed)).toBe(why);
  });
});

describe("a task", () => {
  /** Runs it as npm's scripts do, in a process of its own. */
  const parent = (task: string) =>
    spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { runNode } from ${JSON.stringify(RUN)};
         process.exitCode = await runNode(["-e", ${JSON.stringify(task)}]);`,
      ],
      { stdio: ["ignore", "pipe", "ignore"] },
    );

  it("gives its exit code", async () => {
    expect(await runNode(["-e", "process.exit(3)"])).toBe(3);
  });

  needs("signals, not Windows", process.platform !== "win32").all(() => {
    it.each(["SIGTERM", "SIGHUP"] as const)("gets %s, and ends in its own time", async signal => {
      const running = parent(
        `process.on(${JSON.stringify(signal)}, () => setImmediate(() => process.exit(7)));
         setInterval(() => {}, 1000); console.log("ready");`,
      );
      await once(running.stdout, "data");
      running.kill(signal);
      expect(await once(running, "exit")).toEqual([7, null]);
    });

    it("leaves signals to their usual effect once it is over", async () => {
      const before = process.listenerCount("SIGTERM");
      await runNode(["-e", ""]);
      expect(process.listenerCount("SIGTERM")).toBe(before);
    });

    it("that a signal ends has the code that shells give it", async () => {
      expect(await once(parent('process.kill(process.pid, "SIGKILL")'), "exit")).toEqual([137, null]);
    });
  });
});
