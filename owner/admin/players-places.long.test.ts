import { randomUUID } from "node:crypto";
import { chmodSync, chownSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { uuidOf } from "../../sidecar/features/known-players/testing/known-records.ts";
import { ask } from "../../test/helpers/client.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { FakePack, row } from "../../test/helpers/fake-pack.ts";
import { eachInFolder, folder, IS_ROOT, OWNER } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { hasRedis, redisForTests } from "../../test/helpers/redis.ts";
import { ownProcess } from "../../test/helpers/sidecar-process.ts";
import { at, fill, PLAYERS, read, run, stored } from "./testing/players-command.ts";

eachInFolder("players command ");

needs("root", IS_ROOT).describe(
  "npm run players as root, where another user's sidecar keeps its data",
  () => {
    beforeEach(async () => {
      writeFileSync(at("config.yml"), "");
      await stored(fill);
      for (const path of [tmpdir(), folder]) chmodSync(path, 0o711);
      const names = readdirSync(at("data")).map(name => `data/${name}`);
      for (const name of ["config.yml", "data", ...names]) chownSync(at(name), OWNER.uid, OWNER.gid);
    });

    it("keeps all files there owned by that user, and the exported file by root", async () => {
      expect(await run("--export", "all.json")).toMatchObject({ code: 0, err: "" });
      expect(statSync(at("all.json")).uid).toBe(0);
      expect((await run("--forget", "ステーブ", "--yes")).code).toBe(0);
      for (const name of readdirSync(at("data"))) expect(statSync(at(`data/${name}`)).uid).toBe(OWNER.uid);
    });
  },
);

describe("npm run players beside a sidecar that runs", () => {
  const own = ownProcess();
  const config = (folder: string): void =>
    writeFileSync(
      join(folder, "config.yml"),
      "modules.api: { host: 127.0.0.1, port: 0, known-players.show: everybody }\nbridge.port: 0\n",
    );

  it("exports the players, and has the game server erase one", async () => {
    await own.start({}, config);
    const pack = new FakePack(own.urls.bridge);
    await pack.connect();
    const rows = ["Steve", "Alex"].map(name => ({ ...row(name), since: 5 }));
    const report = () => pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
    await report();
    const known = async (): Promise<string[]> => {
      const { json } = await ask(own.urls.public, "/known-players");
      const { players } = json as { players: { name: string }[] };
      return players.map(({ name }) => name).sort();
    };
    await eventually(async () => expect(await known()).toEqual(["Alex", "Steve"]));
    const named = ["--config", own.path("config.yml")];
    expect(await run(...named, "--export", "all.json")).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(read("all.json")).players.length).toBe(2);
    expect(await run(...named, "--forget", "Steve", "--yes")).toMatchObject({ code: 0, err: "" });
    expect(await known()).toEqual(["Alex"]);
    const poll = pack.take();
    // The next report that is stored brings it up.
    await eventually(async () => {
      await report();
      expect(await Promise.race([poll, undefined])).toMatchObject([
        { body: { do: "forget", player: { name: "Steve" }, counts: false } },
      ]);
    });
  });
});

needs("redis-server", hasRedis).describe("npm run players where sidecars share a Redis", () => {
  const redis = redisForTests();

  it("exports all players, and erases one", async () => {
    const prefix = randomUUID();
    const { known } = await redis.open({ prefix });
    await fill(known);
    writeFileSync(
      at("config.yml"),
      `storage: { kind: redis, url: "${redis.server().url}", prefix: "${prefix}" }\n`,
    );
    expect(await run("--export", "all.json")).toMatchObject({ code: 0, err: "" });
    const { players } = JSON.parse(read("all.json")) as { players: { name: string }[] };
    expect(players.map(({ name }) => name).sort()).toEqual(PLAYERS.map(([{ name }]) => name).sort());
    expect(await run("--forget", "ステーブ", "--yes")).toMatchObject({ code: 0, err: "" });
    expect((await known.read([uuidOf(2)])).get(uuidOf(2))?.visits).toBe(0);
  });
});
