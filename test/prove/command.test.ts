import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { canIsolate, INSIDE } from "../../owner/prove/network.ts";
import { takeTurn } from "../../owner/prove/turn.ts";
import { timesOf, treeOf } from "../helpers/server-setup.ts";
import { fakeServer } from "./fake-server.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/prove.js", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "work "));

function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, "--work", work, "--out", work, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const ended = once(child, "close").then(([code]: unknown[]) => ({ code, said }));
  return { child, ended, said: () => said };
}
const run = (...args: string[]) => start(args).ended;

/** Has the UDP port of the game's, unless somebody else has it. */
async function withPort<T>(act: () => Promise<T>): Promise<T> {
  const socket = createSocket("udp4");
  const isBound = new Promise(resolve => socket.once("listening", resolve).once("error", resolve));
  socket.bind(7551);
  await isBound;
  try {
    return await act();
  } finally {
    socket.close();
  }
}

describe("npm run prove", () => {
  it("says what it does, and which licence a game server has", async () => {
    expect(await run("--help")).toMatchObject({
      code: 0,
      said: expect.stringMatching(/EULA[\s\S]*--with-me/),
    });
  });

  it.each([
    ["without a server", [], "--server is missing"],
    ["with a folder that is none", ["--server", "/none/there", "--yes"], "there is no such folder"],
    ["with --json and nobody to ask", ["--server", "x", "--json"], "--json needs --yes"],
    ["with a word too many", ["--server", "x", "y"], "y: is not expected here"],
  ])("ends with 2 %s", async (_what, args, why) => {
    expect(await run(...args)).toMatchObject({ code: 2, said: expect.stringContaining(why) });
  });

  it("starts nothing before somebody has agreed", async () => {
    const server = await fakeServer();
    const said = expect.stringContaining("Nothing has been started. Add --yes");
    expect(await run("--server", server)).toMatchObject({ code: 2, said });
    expect(readdirSync(work)).toEqual([]);
  });

  it.each(["--work", "--out"])(
    "writes nothing into the folder of the game server, whatever %s says",
    async option => {
      const server = await fakeServer();
      const link = join(work, "..", `${basename(work)} link`);
      symlinkSync(server, link);
      const before = { tree: treeOf(server), times: timesOf(server) };
      for (const folder of [server, join(server, "worlds/new"), join(link, "reports")]) {
        const { code, said } = await run("--server", server, "--yes", option, folder);
        expect([code, said]).toEqual([
          2,
          `${folder}: is in what --server names, where nothing is written: name a folder elsewhere with ${option}\n`,
        ]);
      }
      rmSync(link);
      expect({ tree: treeOf(server), times: timesOf(server) }).toEqual(before);
    },
  );

  it("starts nothing where no report could be written in the end", async () => {
    const server = await fakeServer();
    const file = join(server, "..", "a file");
    writeFileSync(file, "");
    expect(await run("--server", server, "--yes", "--out", file)).toEqual({
      code: 2,
      said: `${file}: the report could not be written there: ${file} is no folder: name another folder with --out\n`,
    });
  });

  it("ends with 2 where a name of --only is none, or the game does not start, and leaves nothing", async () => {
    const server = await fakeServer({ endsAfterMs: 1, says: ["no such library"] });
    const [only, dead] = [
      await run("--server", server, "--yes", "--only", "doctor,nonsense"),
      await run("--server", server, "--yes"),
    ];
    expect(only).toMatchObject({ code: 2, said: expect.stringContaining("there is no probe nonsense") });
    expect(dead).toMatchObject({
      code: 2,
      said: expect.stringMatching(/the game server does not start: it ended by itself[\s\S]*no such library/),
    });
    expect(readdirSync(work)).toEqual([]);
  });

  describe("at length", () => {
    it("takes a zip file as one whose name begins as the program's does", async () => {
      const zip = join(await fakeServer(), "bedrock_server-1.26.60.6.zip");
      writeFileSync(zip, "no zip");
      expect(await run("--server", zip, "--yes")).toMatchObject({
        code: 2,
        said: expect.stringContaining("cannot be read as a zip file"),
      });
    });

    it("ends with 2 and names who has the port that each game needs", async () => {
      const server = await fakeServer();
      const said = expect.stringMatching(
        /UDP port 7551, which each game server takes for itself, is that of .*: stop it/,
      );
      await withPort(async () => {
        const inside = start(["--server", server, "--yes"], { [INSIDE]: "1" });
        expect(await inside.ended).toMatchObject({ code: 2, said });
      });
    });

    it("ends with 2 and names the trial that is under way, which has not come to that port yet", async () => {
      const server = await fakeServer();
      const { giveBack } = await takeTurn();
      const { code, said } = await start(["--server", server, "--yes"], { [INSIDE]: "1" }).ended;
      giveBack();
      expect(code).toBe(2);
      // Another test may have a trial of its own, with a game.
      expect(said).toMatch(/another trial is under way \(process \d+\): stop it|UDP port 7551, .*: stop it/);
      expect(readdirSync(work)).toEqual([]);
    });

    it.each(["SIGINT", "SIGTERM"] as const)(
      "ends everything and removes it after %s, in any network",
      async signal => {
        const server = await fakeServer();
        const before = { tree: treeOf(server), times: timesOf(server) };
        const stopped = async (): Promise<unknown> => {
          const trial = start(["--server", server, "--yes"]);
          const begun = new Promise<void>(resolve => {
            trial.child.stdout.on("data", () => trial.said().includes("4 of ") && resolve());
          });
          await Promise.race([begun, trial.ended]);
          trial.child.kill(signal);
          return trial.ended;
        };
        // Ctrl+C is typed for all at a terminal: whoever waits for the one in its network only passes on the other.
        const all = signal === "SIGTERM" && canIsolate() ? [stopped, () => withPort(stopped)] : [stopped];
        for (const each of all) {
          expect(await each()).toMatchObject({ code: 2, said: expect.stringContaining("clearing up") });
          expect(readdirSync(work)).toEqual([]);
        }
        expect({ tree: treeOf(server), times: timesOf(server) }).toEqual(before);
      },
    );
  });
});
