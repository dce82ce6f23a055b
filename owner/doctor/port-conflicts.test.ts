import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "@jest/globals";
import { quoted } from "../../cli/commands.ts";
import { ended } from "../../test/helpers/ended.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { needs } from "../../test/helpers/needs.ts";
import { listenerIn } from "./port-owner.ts";
import { fixtureWithSetup } from "./testing/fixture.ts";
import { run } from "./testing/run-fix.ts";

const MAIN = fileURLToPath(new URL("../../dist/sidecar/main.js", import.meta.url));
const fixture = fixtureWithSetup();
const children: ChildProcess[] = [];
afterEach(async () => {
  await ended(...children.splice(0));
  if (fixture.sidecar === undefined) await fixture.startSidecar();
});

/** Starts another program or sidecar; returns its process id once it prints this. */
async function start(args: string[], word: string): Promise<number | undefined> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let output = "";
  child.stdout.on("data", text => {
    output += String(text);
  });
  await eventually(() => expect(output).toContain(word));
  return child.pid;
}

const SITE = 'require("node:http").createServer((_, to) => to.end("<html>"))';
const MUTE = 'require("node:net").createServer(to => to.destroy())';

describe("a port of the sidecar that another program uses", () => {
  needs("/proc", process.platform === "linux").all(() => {
    it.each([
      ["modules.api.port", SITE],
      ["bridge.port", MUTE],
    ])("is reported with its key, %s, and the program (%s)", async (key, script) => {
      const { publicAddress, bridgeAddress } = fixture.running;
      const { port } = key === "bridge.port" ? bridgeAddress : publicAddress;
      await fixture.stopSidecar();
      const pid = await start(
        ["-e", `${script}.listen(${port}, "127.0.0.1", () => console.log("there"))`],
        "there",
      );
      const [found, ...more] = await fixture.wrong();
      expect(more).toEqual([]);
      expect(found).toMatchObject({
        id: "sidecar-running",
        what: `${key} ${port} in ${fixture.config} is already used by another program, node (process ${pid})`,
        fix: { text: expect.stringMatching(/^stop that program, or use another port; /) },
      });
      await run(fixture, found?.fix.command ?? "");
      if (key === "bridge.port")
        expect(found?.fix.text).toContain("then run setup again, so that the add-on uses it");
      await fixture.setUp();
      await fixture.startSidecar();
      expect(await fixture.problems()).toEqual([]);
    });

    it("is reported with the configuration of another sidecar, and the fix sets another port", async () => {
      const { publicAddress, bridgeAddress } = fixture.running;
      await fixture.stopSidecar();
      const other = join(fixture.folder, "other sidecar", "config.yml");
      mkdirSync(dirname(other));
      writeFileSync(other, readFileSync(fixture.config));
      const pid = await start([MAIN, "--config", other], "bridge listener at");
      const found = await fixture.wrong();
      const by = `in ${fixture.config} is already used by another sidecar, that of ${other} (process ${pid})`;
      expect(found.map(({ what }) => what)).toEqual([
        `modules.api.port ${publicAddress.port} ${by}`,
        `bridge.port ${bridgeAddress.port} ${by}`,
      ]);
      for (const { fix } of found) await run(fixture, fix.command ?? "");
      await fixture.setUp();
      await fixture.startSidecar();
      expect(await fixture.problems()).toEqual([]);
    });
  });

  it("is not another program's if a container publishes it", async () => {
    const { port } = fixture.running.publicAddress;
    await fixture.stopSidecar();
    const portOwner = async (at: number) => (at === port ? { pid: 1, program: "docker-proxy" } : undefined);
    expect((await fixture.wrong({ portOwner })).map(({ what }) => what)).toEqual([
      expect.stringContaining("the sidecar is not running"),
    ]);
  });

  it("is reported without the program if that is not visible", async () => {
    await fixture.stopSidecar();
    const unknown = { pid: undefined, program: undefined };
    const portOwner = async (port: number) => (/^(19132|7551)$/.test(`${port}`) ? undefined : unknown);
    expect((await fixture.wrong({ portOwner })).map(({ what }) => what)).toEqual([
      expect.stringMatching(/^modules\.api\.port \d+ in .*config\.yml is already used by another program$/),
      expect.stringMatching(/^bridge\.port \d+ in .*config\.yml is already used by another program$/),
    ]);
  });
});

it("a manual start that fails does not change the service's run information", async () => {
  const noteFile = join(dirname(fixture.tokenFile), "run-by");
  writeFileSync(noteFile, "systemd:web-bridge\n");
  const child = spawn(process.execPath, [MAIN, "--config", fixture.config], { stdio: "ignore" });
  expect(await once(child, "exit")).toEqual([1, null]);
  expect(readFileSync(noteFile, "utf8")).toBe("systemd:web-bridge\n");
  await fixture.stopSidecar();
  const start = async (env = {}) => (await fixture.wrong({ env }))[0]?.fix.command;
  expect(await start()).toBe("systemctl start web-bridge");
  expect(await start({ WEB_BRIDGE_RUN_BY: "compose" })).toMatch(/ up -d web-bridge$/);
  expect(await start({ WEB_BRIDGE_RUN_BY: "launch" })).toContain(
    `launch -- --server ${quoted(fixture.server)}`,
  );
});

it("listeners are read from the tables of Linux", () => {
  const line = (address: string, state: string): string =>
    `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 31337 1 0000 100 0`;
  const listener = { host: "127.0.0.1", port: 8080, inode: "31337" };
  expect(listenerIn(line("0100007F:1F90", "0A"))).toEqual(listener);
  expect(listenerIn(line(`${"0".repeat(32)}:1F91`, "0A"))).toMatchObject({ host: "::", port: 8081 });
  expect(listenerIn(line(`${"0".repeat(24)}01000000:1F91`, "0A"))).toMatchObject({ host: "::1" });
  expect(listenerIn(line("0100007F:1F90", "01"))).toBeUndefined();
  expect(listenerIn("  sl  local_address rem_address   st")).toBeUndefined();
  expect(listenerIn(line("00000000:1D7F", "07"), "udp")).toMatchObject({ host: "0.0.0.0", port: 7551 });
  expect(listenerIn(line("00000000:1D7F", "07"))).toBeUndefined();
});
