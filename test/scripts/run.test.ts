import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, jest } from "@jest/globals";
import { runHidden, runNode } from "../../scripts/setup/run.mjs";
import { needs } from "../helpers/runner.ts";

const MODULE = new URL("../../scripts/setup/run.mjs", import.meta.url).href;

/** Runs `task` as the bootstrap would, in a process of its own, and says what came out of it. */
const bootstrap = (task: string) =>
  spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { runNode } from ${JSON.stringify(MODULE)};
       process.exitCode = await runNode(["-e", ${JSON.stringify(task)}], process.env);`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );

describe("runNode", () => {
  it("passes the exit code on", async () => {
    expect(await runNode(["-e", "process.exit(3)"], process.env)).toBe(3);
  });

  needs("signals, not Windows", process.platform !== "win32").all(() =>
    it.each(["SIGTERM", "SIGHUP"] as const)("hands %s on and waits", async signal => {
      const parent = bootstrap(
        `process.on(${JSON.stringify(signal)}, () => setImmediate(() => process.exit(7)));
       setInterval(() => {}, 1000); console.log("ready");`,
      );
      await once(parent.stdout, "data");
      parent.kill(signal);
      expect(await once(parent, "exit")).toEqual([7, null]);
    }),
  );

  needs("signals, not Windows", process.platform !== "win32").it(
    "ends like the task when a signal ends it",
    async () => {
      const parent = bootstrap('process.kill(process.pid, "SIGKILL")');
      expect(await once(parent, "exit")).toEqual([137, null]);
    },
  );
});

describe("runHidden", () => {
  it("shows output only when the program fails", async () => {
    const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
    const run = (code: number) =>
      runHidden(
        "working",
        process.execPath,
        ["-e", `console.log("deep inside"); process.exit(${code})`],
        process.env,
      );
    const written = () => write.mock.calls.map(([chunk]) => String(chunk)).join("");
    try {
      expect(await run(0)).toBe(true);
      expect(written()).toBe("working ...\n");
      expect(await run(1)).toBe(false);
      expect(written()).toContain("deep inside");
    } finally {
      write.mockRestore();
    }
  });

  it("says which program could not be started", async () => {
    const error = jest.spyOn(console, "error").mockReturnValue();
    const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      expect(await runHidden("working", "/no/such/program", [], process.env)).toBe(false);
      expect(error.mock.calls.join()).toContain("/no/such/program");
    } finally {
      error.mockRestore();
      write.mockRestore();
    }
  });
});
