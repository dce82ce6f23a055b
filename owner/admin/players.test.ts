import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { NO_CONFIG } from "../../sidecar/config/load.ts";
import { uuidOf } from "../../sidecar/features/known-players/testing/known-records.ts";
import { text } from "../../test/docs/pages.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { toolPath } from "../../test/helpers/tools.ts";
import { at, FIRST, fill, LATER, PLAYERS, read, recordOf, run, stored } from "./testing/players-command.ts";

// Blocks of docs/settings.md: known-players sh

eachInFolder("players command ");

describe("npm run players", () => {
  beforeEach(async () => {
    writeFileSync(at("config.yml"), "servers: [{ name: lobby }, { name: creative }]\n");
    await stored(fill);
  });

  it("exports all players as JSON, with hidden ones marked, readable only by the owner", async () => {
    expect(await run("--export", "all.json")).toEqual({
      code: 0,
      out: `${at("all.json")}: 5 players\n`,
      err: "",
    });
    const { players } = JSON.parse(read("all.json"));
    expect(players[0]).toEqual({
      ...{ name: "Steve", uuid: uuidOf(0), online: false, firstSeen: FIRST, lastSeen: LATER, visits: 2 },
      ...{ playtimeSeconds: 38, deaths: 11, playerKills: 22, hidden: false, forgotten: false },
      servers: {
        main: { playtimeSeconds: 3, deaths: 1, playerKills: 2 },
        lobby: { playtimeSeconds: 35, deaths: 10, playerKills: 20 },
      },
      stays: [],
      persistentId: "5EED",
    });
    expect(players[1]).toMatchObject({ hidden: true, stays: [{ from: FIRST, to: LATER }] });
    expect(players[2]).toMatchObject({ online: true, stays: [{ from: 10, to: null }] });
    expect(players[4]).toMatchObject({ name: "", uuid: uuidOf(4), forgotten: true, hidden: false });
    if (process.platform !== "win32") expect(statSync(at("all.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(["all.json", "config.yml", "data"]);
  });

  it("accepts the commands of its page in the documentation", async () => {
    const page = text("docs/settings.md");
    const examples = [...page.matchAll(/^\.\/web-bridge players (.+)$/gm)].map(([, args = ""]) =>
      args.split(" "),
    );
    expect(examples.map(([which]) => which)).toEqual(["--export", "--forget"]);
    await run("--forget", "Steve", "--uuid", uuidOf(3), "--yes");
    for (const args of examples) {
      const isForget = args[0] === "--forget";
      expect(await run(...args, ...(isForget ? ["--yes"] : []))).toMatchObject({ code: 0, err: "" });
    }
    expect(read("players.csv")).toContain("Steve");
    expect((await recordOf(0))?.visits).toBe(0);
  });

  it("erases one player for all game servers, with the visits, and says what is kept", async () => {
    const refused = await run("--forget", '=hyperlink("X")');
    expect(refused.code).toBe(1);
    expect(refused.out).toContain(
      `${uuidOf(1)}  first seen 2026-01-02 03:04, last seen 2026-01-02 03:05, 2 visits`,
    );
    expect(refused.err).toMatch(/^Nothing has been erased\. Add --yes /);
    expect(await recordOf(1)).toEqual(PLAYERS[1]?.[0]);
    const done = await run("--forget", '=hyperlink("X")', "--yes");
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(done.out).toContain("Erased. ");
    const untold = { last: [0, 0, 0], untold: true };
    expect(await recordOf(1)).toEqual({
      ...{ name: "", first: 0, last: expect.any(Number), visits: 0 },
      servers: { "": untold, lobby: untold, creative: untold },
    });
    expect(await stored(store => store.visits(uuidOf(1), 9))).toEqual([]);
    expect(await run("--forget", '=hyperlink("X")', "--yes")).toMatchObject({
      code: 1,
      err: 'there is no past player named =hyperlink("X")\n',
    });
  });

  const HAS_SCRIPT =
    process.platform === "linux" && spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
  for (const [answer, status, output] of [
    ["y\r", 0, /Erased\./],
    ["\r", 1, /Nothing has been erased\./],
  ] as const)
    needs("script, of Linux", HAS_SCRIPT).it(
      `asks somebody at a terminal, to whom ${JSON.stringify(answer)} is an answer`,
      async () => {
        const command = `'${process.execPath}' '${toolPath("players")}' --forget 'ステーブ'`;
        const child = spawn("script", ["-qec", command, "/dev/null"], {
          ...{ cwd: folder, env: { ...process.env, WEB_BRIDGE_CONFIG: at("config.yml") } },
          stdio: ["pipe", "pipe", "inherit"],
        });
        let out = "";
        child.stdout.on("data", chunk => {
          const hasQuestion = out.includes("[y/N] ");
          out += String(chunk);
          if (!hasQuestion && out.includes("[y/N] ")) child.stdin.write(answer);
        });
        expect(await once(child, "close")).toEqual([status, null]);
        expect(out).toMatch(output);
        expect((await recordOf(2))?.visits).toBe(status === 0 ? 0 : 2);
      },
    );

  it("overwrites no existing file, and removes a partly written one", async () => {
    writeFileSync(at("all.json"), "mine");
    expect(await run("--export", "all.json")).toMatchObject({
      code: 1,
      err: `${at("all.json")}: already exists: choose a new file\n`,
    });
    expect(read("all.json")).toBe("mine");
    expect(await run("--export", "no/all.json")).toMatchObject({
      code: 1,
      err: `${at("no/all.json")}: cannot be created: there is no such file or folder (ENOENT)\n`,
    });
    writeFileSync(at("data/players.db"), "no database".repeat(1_000));
    const damaged = await run("--export", "other.json");
    expect(damaged).toMatchObject({ code: 1, err: expect.stringMatching(/players\.db: is damaged: /) });
    expect(readdirSync(folder).sort()).toEqual(["all.json", "config.yml", "data"]);
  });

  it("creates nothing if no players are stored, and says so", async () => {
    renameSync(at("data"), at("before"));
    for (const args of [
      ["--export", "all.json"],
      ["--forget", "Steve"],
    ])
      expect(await run(...args)).toEqual({
        code: 0,
        out: `no past players are stored in ${at("data")}\n`,
        err: "",
      });
    expect([existsSync(at("data")), existsSync(at("all.json"))]).toEqual([false, false]);
    expect(await run("--export", "all.json", "--config", "none.yml")).toMatchObject({
      code: 1,
      err: `${at("none.yml")}: cannot be read: ${NO_CONFIG}\n`,
    });
  });
});
