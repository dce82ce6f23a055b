import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { FOREIGN_PACKS, makeServer } from "../scripts/make-server.mjs";
import { eachInFolder, folder } from "../test/helpers/folder.ts";
import { folderOf, installedPacks, openServer, type ServerFolder } from "./folder.ts";
import { isProgram } from "./program.ts";
import { systemFiles } from "./system.ts";

eachInFolder("web bridge ü ");

function opened(): ServerFolder {
  const server = openServer(folder, systemFiles);
  if ("faults" in server) throw new Error(server.faults.join("\n"));
  return server;
}

const faults = (root = folder): string => {
  const server = openServer(root, systemFiles);
  return "faults" in server ? server.faults.join("\n") : "";
};

describe("a server's folder", () => {
  it("is recognised, with its world", async () => {
    await makeServer(folder);
    const server = opened();
    expect(server).toMatchObject({ root: folder, levelName: "Ülis schöne Welt 世界" });
    expect(server.world.levelDat).toBe(join(folder, "worlds", "Ülis schöne Welt 世界", "level.dat"));
    expect(server.properties.get("gamemode")).toBe("survival");
  });

  it("has a default world name, and reports no line for a world name in an old encoding", async () => {
    await makeServer(folder);
    writeFileSync(join(folder, "server.properties"), "level-name=\n");
    expect(opened().levelName).toBe("Bedrock level");
    writeFileSync(join(folder, "server.properties"), Buffer.from("level-name=Ulis \xfcle\n", "latin1"));
    expect(opened()).toMatchObject({ levelName: "Ulis üle", nonUtf8Lines: [] });
  });

  it("reports a line in an old encoding, and reads the others as UTF-8", async () => {
    await makeServer(folder);
    const path = join(folder, "server.properties");
    const old = Buffer.from("\r\n# f\xfcr alle\r\nserver-name=M\xfcller\r\n", "latin1");
    writeFileSync(path, Buffer.concat([readFileSync(path), old]));
    const { levelName, properties, nonUtf8Lines } = opened();
    expect([levelName, properties.get("server-name")]).toEqual(["Ülis schöne Welt 世界", "Müller"]);
    const line = readFileSync(path, "latin1").split("\n").length - 1;
    expect(nonUtf8Lines).toEqual([{ line, key: "server-name" }]);
  });

  it("may have a program with a version in its name", () => {
    expect(
      ["/a/bedrock_server", "bedrock_server.exe", "bedrock_server-1.26.60", "bedrock_server (deleted)"].every(
        isProgram,
      ),
    ).toBe(true);
    expect(
      ["bedrock_server.debug", "bedrock_server_how_to.html", "node", "my_bedrock_server"].some(isProgram),
    ).toBe(false);
  });

  it.each(["bedrock_server", "bedrock_server.exe", "bedrock_server-1.26.60.6"])(
    "is meant where its program %s is named",
    async name => {
      writeFileSync(join(folder, name), "");
      expect(folderOf(join(folder, name), systemFiles)).toBe(folder);
      // A folder may be called like the program.
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
      expect(folderOf(join(folder, name), systemFiles)).toBe(join(folder, name));
    },
  );

  it("is distinguished from other folders, naming the missing file", async () => {
    expect(faults(join(folder, "no"))).toMatch(/does not exist/);
    expect(faults()).toMatch(
      /is not the folder of a Bedrock Dedicated Server: bedrock_server .* is missing, server.properties/,
    );
    await makeServer(folder);
    rmSync(join(folder, "server.properties"));
    expect(faults()).toMatch(/: server.properties is missing$/);
    expect(faults(join(folder, "bedrock_server"))).toMatch(/is a file/);
  });

  it("is rejected with a world name that is a path, or with properties in UTF-16", async () => {
    await makeServer(folder);
    for (const name of ["../x", "a/b", "a\\b", "..", "."]) {
      writeFileSync(join(folder, "server.properties"), `level-name=${name}\n`);
      expect([name, faults()]).toEqual([name, expect.stringMatching(/level-name/)]);
    }
    writeFileSync(join(folder, "server.properties"), Buffer.from("\uFEFFa=b", "utf16le"));
    expect(faults()).toMatch(/UTF-16/);
  });

  it("has packs in three places, and ignores folders that are not packs", async () => {
    await makeServer(folder, { oldPack: "development_behavior_packs/old one" });
    const world = join(opened().world.folder, "behavior_packs");
    mkdirSync(world);
    symlinkSync(join(folder, "behavior_packs", "other pack"), join(world, "linked"));
    symlinkSync(join(folder, "nowhere"), join(world, "dangling"));
    const found = installedPacks(opened(), "behavior", systemFiles);
    expect(found.map(pack => [pack.folder.slice(folder.length + 1), pack.manifest.uuid])).toEqual(
      expect.arrayContaining([
        [join("behavior_packs", "other pack"), FOREIGN_PACKS.behavior],
        [join("development_behavior_packs", "old one"), "0612fdb1-6896-42b9-b127-8e35632f6398"],
        [join("worlds", "Ülis schöne Welt 世界", "behavior_packs", "linked"), FOREIGN_PACKS.behavior],
      ]),
    );
    expect(found).toHaveLength(4);
  });
});
