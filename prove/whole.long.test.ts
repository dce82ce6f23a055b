import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { startGame } from "../bds/game-process.ts";
import { DEVIATIONS, type DeviationName } from "../lab/stand-in/deviations.ts";
import { makeStandIn } from "../lab/stand-in/put.ts";
import { newFolder } from "../test/helpers/folder.ts";
import { timesOf, treeOf } from "../test/helpers/server-setup.ts";
import type { Report } from "./report.ts";

const tool = (name: string): string => fileURLToPath(new URL(`../dist/tools/${name}.js`, import.meta.url));
const LONG_MS = 10 * 60_000;

async function standIn(deviation?: DeviationName): Promise<string> {
  const folder = join(newFolder("stand-in "), "server");
  await makeStandIn(folder, deviation);
  return folder;
}

function run(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      child.emit("said", said);
    });
  const ended = once(child, "close").then(([code]) => ({ code: Number(code), said }));
  return { child, ended };
}

/** Tests a game, and returns the result. */
async function prove(server: string, ...more: string[]) {
  const [work, out] = [newFolder("work "), newFolder("out ")];
  const { code, said } = await run(
    tool("prove"),
    ...["--server", server, "--yes", "--work", work, "--out", out, ...more],
  ).ended;
  const file = readdirSync(out).find(name => name.endsWith(".json"));
  if (file === undefined) throw new Error(said);
  const report: Report = JSON.parse(readFileSync(join(out, file), "utf8"));
  const states = Object.fromEntries(report.answers.map(({ id, state }) => [id, state]));
  const failed = report.answers
    .filter(({ state }) => state === "failed")
    .map(({ id, seen }) => `${id}: ${seen}`);
  return { code, report, states, failed, left: readdirSync(work) };
}

describe("prove", () => {
  it(
    "passes on a server that is set up, changes nothing in it, and leaves nothing behind",
    async () => {
      const server = await standIn();
      const game = startGame({ folder: server, program: "bedrock_server" });
      await game.console.line(/^Server started\.$/, 60_000, 0);
      await game.stop();
      const config = join(newFolder("sidecar "), "config.yml");
      const setup = await run(tool("setup"), "--server", server, "--config", config, "--yes").ended;
      expect(setup).toMatchObject({ code: 0 });
      const before = [treeOf(server), timesOf(server)];
      const { code, report, failed, left } = await prove(server);
      expect({ code, failed, left }).toEqual({ code: 0, failed: [], left: [] });
      expect(report.game).toEqual({ version: "1.26.60.6", platform: "linux", simulated: true });
      const skipped = report.answers.filter(({ state }) => state === "skipped").map(({ id }) => id);
      expect(skipped).toEqual(["module-versions", "chat-tell"]);
      expect([treeOf(server), timesOf(server)]).toEqual(before);
    },
    LONG_MS,
  );

  it.each(Object.entries(DEVIATIONS))(
    "finds that %s",
    async (name, { found }) => {
      const { code, states, left } = await prove(
        await standIn(name as DeviationName),
        "--only",
        // One that crashes after a while has to run that long.
        [found, ...(name === "crashes" ? ["net-long-poll"] : []), "stays-up"].join(),
      );
      // Without simulated players nothing is wrong with the game: what needs them is left out.
      const isLeftOut = name === "no-gametest";
      expect({ code, left, state: states[found] }).toEqual({
        ...{ code: isLeftOut ? 0 : 1, left: [], state: isLeftOut ? "skipped" : "failed" },
      });
      expect(states["stays-up"]).toBe(name === "crashes" ? "failed" : "ok");
    },
    LONG_MS,
  );

  it(
    "continues with other module versions if the game accepts only those",
    async () => {
      const { states } = await prove(await standIn("no-beta-selector"), "--only", "command-status");
      expect(states).toMatchObject({
        "pack-connects": "failed",
        "module-versions": "ok",
        "command-status": "ok",
      });
    },
    LONG_MS,
  );

  it(
    "stops the game, removes the copy and reports nothing when it is interrupted",
    async () => {
      const [work, out] = [newFolder("work "), newFolder("out ")];
      const places = ["--work", work, "--out", out];
      const { child, ended } = run(tool("prove"), "--server", await standIn(), "--yes", ...places);
      await new Promise<void>(resolve =>
        child.on("said", (said: string) => {
          if (said.includes("pack-connects")) resolve();
        }),
      );
      child.kill("SIGINT");
      expect(await ended).toMatchObject({ code: 2, said: expect.stringContaining("removing the copy") });
      expect([readdirSync(work), readdirSync(out)]).toEqual([[], []]);
    },
    LONG_MS,
  );
});
