import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { eachInFolder, folder, give, IS_ROOT } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { findProgram, recipe } from "./front.ts";

const USER = { uid: 1000, gid: 1000 };
const SHELLS = ["dash", "bash"].filter(name => findProgram([name], "-c", "true") !== undefined);
const canDropRights = IS_ROOT && findProgram(["setpriv"], "--version") !== undefined;

needs("root, setpriv, and dash or bash", canDropRights && SHELLS.length > 0).all(() => {
  describe.each(SHELLS)("the first process of the image, in %s", shell => {
    eachInFolder("entrypoint-");

    /** Runs it as the user of the image. `node` only prints its arguments. */
    function run(): { status: number | null; out: string; said: string } {
      chmodSync(folder, 0o755);
      const print = '#!/bin/sh\necho "$$ [$MALLOC_ARENA_MAX] $*"\n';
      writeFileSync(join(folder, "node"), print, { mode: 0o755 });
      const file = join(folder, "entrypoint.sh");
      writeFileSync(file, recipe("docker/entrypoint.sh").replaceAll("/game", join(folder, "game")));
      const rights = [`--reuid=${USER.uid}`, `--regid=${USER.gid}`, "--clear-groups", "--inh-caps=-all"];
      const words = [...rights, shell, file, "--config", "/data/config.yml"];
      const { pid, status, stdout, stderr } = spawnSync("setpriv", words, {
        encoding: "utf8",
        env: { PATH: `${folder}:${process.env.PATH}` },
      });
      return { status, out: stdout.replace(`${pid} `, "same process: "), said: stderr };
    }

    /** The folder of a game server with a world, of that user. */
    function putGame(): void {
      mkdirSync(join(folder, "game/worlds/Bedrock level/db"), { recursive: true });
      writeFileSync(join(folder, "game/worlds/Bedrock level/level.dat"), "");
      give(join(folder, "game"), USER);
    }

    it("becomes the sidecar without a game server", () => {
      expect(run()).toEqual({
        status: 0,
        out: "same process: [1] /app/main.js --config /data/config.yml\n",
        said: "",
      });
    });

    it("becomes the program that starts both with one, and passes it the environment as it is", () => {
      putGame();
      expect(run()).toEqual({
        status: 0,
        out: `same process: [] /app/dist/tools/launch.js --server ${folder}/game --config /data/config.yml\n`,
        said: "",
      });
    });

    it.each([
      ["the folder", "", "game"],
      ["the worlds", "worlds", "game/worlds"],
      ["a file of a world", "worlds/Bedrock level/level.dat", "game/worlds/Bedrock level/level.dat"],
    ])("says which user has to own %s if it can't be written, and starts nothing", (_what, below, path) => {
      putGame();
      give(join(folder, "game", below), { uid: 0, gid: 0 }, !below.endsWith(".dat"));
      const { status, out, said } = run();
      expect([status, out]).toEqual([2, ""]);
      expect(said).toContain(`User 1000:1000 of this container can't write ${join(folder, path)}, `);
      expect(said).toContain("sudo chown -R 1000:1000 <folder>");
    });
  });
});
