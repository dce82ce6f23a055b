import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { listenerIn, pidIn } from "../../owner/doctor/holder.ts";
import { ended } from "../helpers/ended.ts";
import { needs } from "../helpers/runner.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

const fixture = new Fixture();
const children: ChildProcess[] = [];
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp();
});
const end = (): Promise<void> => ended(...children.splice(0));
afterEach(end);
afterAll(() => fixture.remove());

/** A program of somebody else at a port. */
async function hold(port: number, script: string): Promise<number | undefined> {
  const child = spawn(
    process.execPath,
    ["-e", `${script}.listen(${port}, "127.0.0.1", () => console.log("there"))`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  children.push(child);
  await once(child.stdout, "data");
  return child.pid;
}

const SITE = 'require("node:http").createServer((_, to) => to.end("<html>"))';
const MUTE = 'require("node:net").createServer(to => to.destroy())';

describe("a port of the sidecar that another program has", () => {
  needs("/proc, or Windows", process.platform === "linux" || process.platform === "win32").all(() => {
    it.each([
      ["modules.api.port", "public-listener", SITE],
      ["modules.api.port", "public-listener", MUTE],
      ["bridge.port", "bridge-listener", SITE],
      ["bridge.port", "bridge-listener", MUTE],
    ])("is named with its key, %s, and the program (%s)", async (key, id, script) => {
      const { publicAddress, bridgeAddress } = fixture.running;
      const { port } = key === "bridge.port" ? bridgeAddress : publicAddress;
      await fixture.stopSidecar();
      const pid = await hold(port, script);
      const found = await fixture.wrong();
      expect(found).toEqual([
        {
          id,
          state: "problem",
          what: `${key} ${port} in ${fixture.config} is taken by another program, node (process ${pid})`,
          mend: expect.stringMatching(
            new RegExp(
              `^stop that program, or: npm run config -- set ${key} \\d+ --config .*, then: npm (run setup|start) `,
            ),
          ),
        },
      ]);
      const [first = "", then = ""] = found[0]?.state === "problem" ? found[0].mend.split(", then: ") : [];
      // What answers there is told from what is mute: both ways to mend it are gone once.
      if (script === SITE) await end();
      else await follow(fixture, "", first.replace(/^.*, or: /, ""));
      for (const step of then.split("; ")) await follow(fixture, "", step);
      expect(await fixture.problems()).toEqual([]);
    });
  });

  it("is no other program's when it is held for a container, or by nobody", async () => {
    const { port } = fixture.running.publicAddress;
    await fixture.stopSidecar();
    const holderOf = async (at: number) => (at === port ? { pid: 1, program: "docker-proxy" } : undefined);
    expect(await fixture.problems({ holderOf })).toEqual(["sidecar-running"]);
    await fixture.startSidecar();
  });

  it("is named without the program where that cannot be seen", async () => {
    await fixture.stopSidecar();
    const unseen = { pid: undefined, program: undefined };
    const holderOf = async (port: number) => (/^(19132|7551)$/.test(`${port}`) ? undefined : unseen);
    const found = await fixture.doctor({ holderOf });
    expect(found.filter(({ state }) => state === "problem").map(({ what }) => what)).toEqual([
      expect.stringMatching(/^modules\.api\.port \d+ in .*config\.yml is taken by another program$/),
      expect.stringMatching(/^bridge\.port \d+ in .*config\.yml is taken by another program$/),
    ]);
    await fixture.startSidecar();
  });
});

describe("who listens", () => {
  it("is read from the tables of Linux", () => {
    const line = (address: string, state: string): string =>
      `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 31337 1 0000 100 0`;
    expect(listenerIn(line("0100007F:1F90", "0A"))).toEqual({
      host: "127.0.0.1",
      port: 8080,
      inode: "31337",
    });
    expect(listenerIn(line(`${"0".repeat(32)}:1F91`, "0A"))).toMatchObject({ host: "::", port: 8081 });
    expect(listenerIn(line(`${"0".repeat(24)}01000000:1F91`, "0A"))).toMatchObject({ host: "::1" });
    expect(listenerIn(line("0100007F:1F90", "01"))).toBeUndefined();
    expect(listenerIn("  sl  local_address rem_address   st")).toBeUndefined();
    expect(listenerIn(line("00000000:1D7F", "07"), "udp")).toMatchObject({ host: "0.0.0.0", port: 7551 });
    expect([listenerIn(line("00000000:1D7F", "07")), listenerIn(line("00000000:1D7F", "0A"), "udp")]).toEqual(
      [undefined, undefined],
    );
  });

  it("is read from what Windows prints, in any language", () => {
    const list = [
      "Aktive Verbindungen",
      "",
      "  Proto  Lokale Adresse         Remoteadresse          Status           PID",
      "  TCP    0.0.0.0:135            0.0.0.0:0              ABHÖREN         1044",
      "  TCP    127.0.0.1:8080         127.0.0.1:50000        HERGESTELLT      1",
      "  TCP    127.0.0.1:8080         0.0.0.0:0              ABHÖREN         4711",
      "  TCP    192.168.1.5:8081       0.0.0.0:0              ABHÖREN         12",
      "  TCP    [::1]:8082             [::]:0                 LISTENING       13",
      "  UDP    0.0.0.0:8083           *:*                                    14",
      "",
    ].join("\r\n");
    const ports = [135, 8080, 8081, 8083].map(port => pidIn(list, port, "127.0.0.1"));
    expect(ports).toEqual([1044, 4711, undefined, undefined]);
    expect([pidIn(list, 8081, "0.0.0.0"), pidIn(list, 8082, "::1")]).toEqual([12, 13]);
    expect([pidIn(list, 8083, "::", "udp"), pidIn(list, 135, "::", "udp")]).toEqual([14, undefined]);
  });
});
