import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { needs } from "../test/helpers/needs.ts";
import { isInstalled, type Packages } from "./tasks.mjs";

const locked: Packages = {
  "": { version: "0.1.0" },
  "node_modules/ws": { version: "8.0.0" },
  "node_modules/@native/win32": { version: "1.0.0", optional: true },
};

const THERE = () => true;

it.each([
  ["as the lock file wants them", { "node_modules/ws": { version: "8.0.0" } }, true],
  ["of another version", { "node_modules/ws": { version: "7.0.0" } }, false],
  ["without a package", {}, false],
  ["that npm never finished", undefined, false],
])("dependencies %s are installed unless they are up to date", (_what, installed, is) => {
  expect(isInstalled(locked, installed, THERE)).toBe(is);
});

it("dependencies are not installed when the folder of one was deleted", () => {
  expect(isInstalled(locked, { "node_modules/ws": { version: "8.0.0" } }, () => false)).toBe(false);
});

needs("signals, not Windows", process.platform !== "win32").it(
  "a program gets SIGTERM, and its exit code is passed on",
  async () => {
    const program = `process.on("SIGTERM", () => setImmediate(() => process.exit(7)));
      setInterval(() => {}, 1000); console.log("ready");`;
    const url = JSON.stringify(new URL("./run.mjs", import.meta.url).href);
    const parent = `import { runNode } from ${url}; process.exitCode = await runNode(["-e", ${JSON.stringify(program)}]);`;
    const running = spawn(process.execPath, ["--input-type=module", "-e", parent], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(running.stdout, "data");
    running.kill("SIGTERM");
    expect(await once(running, "exit")).toEqual([7, null]);
  },
);

it("every npm script installs what is missing first, or needs no dependency", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const others = Object.entries<string>(scripts).filter(
    ([, line]) =>
      !/^(node scripts\/(bootstrap|stamp-version)\.mjs\b|npm run (typecheck|imports|lint)\b)/.test(line),
  );
  expect(others).toEqual([]);
});
