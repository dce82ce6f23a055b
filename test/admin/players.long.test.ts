import { readdirSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { eachInFolder, folder } from "../helpers/folder.ts";
import { at, fill, read, run, stored } from "./players-command.ts";

eachInFolder("players command ");

describe("npm run players", () => {
  beforeEach(async () => {
    writeFileSync(at("config.yml"), "servers: [{ name: lobby }, { name: creative }]\n");
    await stored(fill);
  });

  it("leaves a file alone that is there, and one of which a part could not be written", async () => {
    writeFileSync(at("all.json"), "mine");
    expect(await run("--export", "all.json")).toMatchObject({
      status: 1,
      err: `${at("all.json")}: is there already: name a file that is not\n`,
    });
    expect(read("all.json")).toBe("mine");
    expect(await run("--export", "no/all.json")).toMatchObject({
      status: 1,
      err: `${at("no/all.json")}: cannot be made: there is no such file or folder (ENOENT)\n`,
    });
    writeFileSync(at("data/players.db"), "no database".repeat(1_000));
    const damaged = await run("--export", "other.json");
    expect(damaged).toMatchObject({ status: 1, err: expect.stringMatching(/players\.db: is damaged: /) });
    expect(readdirSync(folder).sort()).toEqual(["all.json", "config.yml", "data"]);
  });
});
