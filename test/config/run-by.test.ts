import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { noteRunBy, RUN_BY_FILE } from "../../sidecar/config/run-by.ts";
import { ended } from "../helpers/ended.ts";
import { eachInFolder, folder } from "../helpers/folder.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { IS_BUILT, ROOT } from "../package/packages.ts";

eachInFolder("run by ");

it("notes what runs the sidecar, and forgets it when somebody starts it by hand", () => {
  noteRunBy(folder, "compose");
  noteRunBy(folder, "systemd:web-bridge");
  expect(readFileSync(join(folder, RUN_BY_FILE), "utf8")).toBe("systemd:web-bridge\n");
  noteRunBy(folder, undefined);
  expect(readdirSync(folder)).toEqual([]);
});

it("starts without a note where none can be written", () => {
  expect(() => noteRunBy(join(folder, "missing"), "compose")).not.toThrow();
});

needs("npm run build", IS_BUILT).it("the sidecar does so at its start", async () => {
  const child = spawn(process.execPath, [join(ROOT, "dist/sidecar/main.js")], {
    cwd: folder,
    stdio: "ignore",
    env: {
      ...process.env,
      WEB_BRIDGE_RUN_BY: "systemd:web-bridge@2",
      WEB_BRIDGE_MODULES_API_PORT: "0",
      WEB_BRIDGE_BRIDGE_PORT: "0",
    },
  });
  try {
    await eventually(() =>
      expect(readFileSync(join(folder, "data", RUN_BY_FILE), "utf8")).toBe("systemd:web-bridge@2\n"),
    );
  } finally {
    await ended(child);
  }
});
