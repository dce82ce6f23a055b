import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import {
  commandOf,
  environmentOf,
  findScript,
  gameConsole,
  startGame,
} from "../../owner/prove/game-process.ts";
import { isolated } from "../../owner/prove/network.ts";
import { linuxProcesses } from "../../owner/prove/processes.ts";
import { untilReady } from "../../owner/prove/ready.ts";
import { propertiesFor } from "../../owner/prove/world.ts";
import { type FakeOptions, fakeServer } from "./fake-server.ts";

const PORTS = { game: 20_000, gameV6: 20_001, web: 20_002, bridge: 20_003, players: 20_004 };
const PROGRAM = { executable: "bedrock_server", platform: "linux" } as const;
const now = (): number => performance.now();

const consoles: ReturnType<typeof gameConsole>[] = [];
afterAll(() => {
  for (const console of consoles) console.close();
});

function newConsole() {
  const console = gameConsole();
  consoles.push(console);
  return console;
}

async function started(options: FakeOptions = {}, script = false) {
  const folder = await fakeServer(options);
  const console = newConsole();
  const game = startGame({ folder, program: PROGRAM, console, processes: linuxProcesses, now, script });
  return { folder, console, game, ready: untilReady(console, game, 0, now) };
}

describe("a game server", () => {
  it.each([false, true])(
    "says when it is ready, and ends when it is told to (terminal: %s)",
    async wanted => {
      const { console, game, ready } = await started({}, wanted && findScript());
      expect(await ready).toMatchObject({ listens: expect.stringContaining("Accepting"), isSaid: true });
      const since = console.lines.length;
      console.type("nonsense");
      expect(await console.line(/^Unknown command/, 30_000, since)).toContain("nonsense");
      expect([await game.stop(), game.end]).toMatchObject([true, { code: 0, isAsked: true }]);
      // What was typed is none of its lines.
      expect(console.lines.filter(line => line === "nonsense")).toEqual([]);
    },
  );

  it("that ends by itself is told of with its last lines", async () => {
    const { game, ready } = await started({ says: ["Version: 1.26.60.6"], endsAfterMs: 1 });
    await expect(ready).rejects.toMatchObject({
      message: expect.stringMatching(/^it ended by itself after \d+ s \(exit code 7\)$/),
      last: ["  | Version: 1.26.60.6"],
    });
    expect(game.end).toMatchObject({ isAsked: false, code: 7 });
  });

  it("that needs Mojang's services and does not reach them is told of as that", async () => {
    const says = [
      "Could not connect to Minecraft services. This is required to accept connections in online mode.",
    ];
    const { ready } = await started({ says, endsAfterMs: 1 });
    await expect(ready).rejects.toThrow("as it could not reach Minecraft's services");
  });

  it("is killed with all that it has started", async () => {
    const { folder, game, ready } = await started({ isDeaf: true }, findScript());
    await ready;
    expect((await linuxProcesses.within(folder)).length).toBeGreaterThan(0);
    await game.kill();
    expect([await linuxProcesses.within(folder), game.end?.isAsked]).toEqual([[], true]);
  });

  it("that cannot be started is told of", async () => {
    const folder = mkdtempSync(join(tmpdir(), "none "));
    const console = newConsole();
    const program = { executable: "bedrock_server.exe", platform: "windows" } as const;
    const game = startGame({ folder, program, console, processes: linuxProcesses, now, script: false });
    await expect(untilReady(console, game, 0, now)).rejects.toMatchObject({
      last: [expect.stringContaining("ENOENT")],
    });
  });
});

describe("how a game server is run", () => {
  it("gets a terminal on Linux where there is one to be had, and is its program elsewhere", () => {
    expect(commandOf("bedrock_server-1.26.60", "/x", "linux", true).args).toEqual([
      "-qefc",
      "stty -echo; exec './bedrock_server-1.26.60'",
      "/dev/null",
    ]);
    expect(commandOf("it's", "/x", "linux", true).args[1]).toBe("stty -echo; exec './it'\\''s'");
    expect(commandOf("bedrock_server", "/x", "linux", false)).toEqual({ file: "./bedrock_server", args: [] });
    expect(commandOf("bedrock_server.exe", "x", "windows", true)).toEqual({
      file: join("x", "bedrock_server.exe"),
      args: [],
    });
  });

  it("gets nothing of its owner's environment but where programs lie, and its own folder as home", () => {
    const env = {
      PATH: "/bin",
      SystemRoot: "C:\\Windows",
      WEB_BRIDGE_BRIDGE_TOKEN: "secret",
      HOME: "/home/me",
    };
    expect(environmentOf("/x", "linux", env)).toEqual({
      ...{
        PATH: "/bin",
        HOME: "/x",
        TMPDIR: "/x/temp",
        LD_LIBRARY_PATH: ".",
        SHELL: "/bin/sh",
        TERM: "dumb",
      },
    });
    expect(Object.keys(environmentOf("x", "windows", env)).sort()).toEqual(
      ["APPDATA", "LOCALAPPDATA", "PATH", "SystemRoot", "TEMP", "TMP", "USERPROFILE"].sort(),
    );
  });

  it("is asked for on the loopback, offline and unseen, but where a player is to join it", () => {
    expect(propertiesFor(PORTS, { online: false, isOpen: false, isSeen: false })).toMatchObject({
      ...{ "server-ip": "127.0.0.1", "enable-lan-visibility": "false", "online-mode": "false" },
      ...{ "allow-list": "false", "server-port": "20000", "server-udp-ports": "20004-20013" },
    });
    expect(propertiesFor(PORTS, { online: false, isOpen: true, isSeen: true })["server-ip"]).toBe("");
  });

  it("gets users of its own beside a network where it is not root that starts it", () => {
    expect(isolated(false).slice(0, 4)).toEqual(["unshare", "--user", "--map-root-user", "--net"]);
    expect(isolated(true)).not.toContain("--user");
  });
});
