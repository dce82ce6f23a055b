import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { ended } from "../helpers/ended.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

const MAIN = fileURLToPath(new URL("../../dist/sidecar/main.js", import.meta.url));
let fixture: Fixture;
const children: ChildProcess[] = [];
beforeEach(async () => {
  fixture = await new Fixture().stand();
});
afterEach(async () => {
  await ended(...children.splice(0));
  await fixture.remove();
});

/** Starts a sidecar in a process of its own; its number once it listens. */
async function start(config: string): Promise<number | undefined> {
  const child = spawn(process.execPath, [MAIN, "--config", config], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let said = "";
  child.stdout.on("data", text => {
    said += String(text);
  });
  await eventually(() => expect(said).toContain("bridge listener at"));
  return child.pid;
}
const problems = async () => await fixture.wrong();

needs("/proc", process.platform === "linux").all(() => {
  it("another sidecar at the ports is named with its configuration, and the advice gives this one others", async () => {
    const { publicAddress, bridgeAddress } = fixture.running;
    await fixture.stopSidecar();
    const other = join(fixture.folder, "other sidecar", "config.yml");
    mkdirSync(dirname(other));
    writeFileSync(other, readFileSync(fixture.config));
    const pid = await start(other);
    const found = await problems();
    const by = `in ${fixture.config} is taken by another sidecar, that of ${other} (process ${pid})`;
    expect(found.map(({ id, what }) => [id, what])).toEqual([
      ["public-listener", `modules.api.port ${publicAddress.port} ${by}`],
      ["bridge-listener", `bridge.port ${bridgeAddress.port} ${by}`],
    ]);
    for (const { mend } of found) await follow(fixture, "", mend);
    const [, , last = ""] = found[1]?.mend.split(/, then: |; /) ?? [];
    await follow(fixture, "", found[1]?.mend.split(", then: ")[1] ?? "");
    await follow(fixture, "", last);
    expect(await problems()).toEqual([]);
  });

  it("one that was started by hand is named where a service is to run it", async () => {
    await fixture.stopSidecar();
    const pid = await start(fixture.config);
    expect(await problems()).toEqual([]);
    writeFileSync(join(dirname(fixture.tokenFile), "run-by"), "systemd:web-bridge\n");
    expect(await problems()).toEqual([
      {
        id: "started-by-hand",
        state: "problem",
        what: `the sidecar that runs was started by hand (process ${pid}): the service cannot start beside it`,
        mend: `kill ${pid} && systemctl start web-bridge`,
      },
    ]);
  });

  it("one that is started by hand in vain leaves the note of the service as it is", async () => {
    const note = join(dirname(fixture.tokenFile), "run-by");
    writeFileSync(note, "systemd:web-bridge\n");
    const child = spawn(process.execPath, [MAIN, "--config", fixture.config], { stdio: "ignore" });
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(readFileSync(note, "utf8")).toBe("systemd:web-bridge\n");
  });
});
