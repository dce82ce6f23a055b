import { join, sep } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { Files } from "../../bds/files.ts";
import type { ProcessTable } from "../../bds/running-servers.ts";
import { quoted } from "../../cli/commands.ts";
import { findGame } from "./find-game.ts";

/** A path in the folder of the game server. */
const at = (...names: string[]): string => join(sep, "game", ...names);
const GAME = at();

/** The folder with these files, by name. */
function folderWith(content: Record<string, string>): Files {
  const paths = new Map(Object.entries(content).map(([name, text]) => [at(name), Buffer.from(text)]));
  return {
    kindOf: path => (path === GAME ? "folder" : paths.has(path) ? "file" : undefined),
    read: path => paths.get(path),
    list: () => Object.keys(content),
  };
}

const NOTHING_RUNS: ProcessTable = {
  platform: "linux",
  locks: () => [],
  pids: () => [],
  linkOf: () => undefined,
  realPath: path => path,
  identityOf: () => undefined,
  opens: () => true,
};

const find = (
  content: Record<string, string>,
  { platform = "linux", processes = NOTHING_RUNS, isExecutable = true, folder = GAME } = {},
) =>
  findGame(folder, {
    platform,
    files: folderWith(content),
    processes: { ...processes, platform },
    isExecutable: () => isExecutable,
  });

const LINUX = { bedrock_server: "" };
const WINDOWS = { "bedrock_server.exe": "" };
const RUNS = 'stop it first, with "stop" on its console if it has one';

describe("the game server that launch starts", () => {
  it("is the program in the folder, for this system", () => {
    expect(find(LINUX)).toEqual({ program: "bedrock_server" });
    expect(find({ "bedrock_server-1.26.60.6": "" })).toEqual({ program: "bedrock_server-1.26.60.6" });
    expect(find(WINDOWS, { platform: "win32" })).toEqual({ program: "bedrock_server.exe" });
  });

  it("is missed if there is no folder, or a file", () => {
    expect(find({}, { folder: at("nowhere") })).toEqual({
      fault: `${at("nowhere")}: this folder does not exist`,
    });
    expect(find(LINUX, { folder: at("bedrock_server") })).toEqual({
      fault: `${at("bedrock_server")}: is a file: expected the folder of the game server`,
    });
  });

  it.each([
    ["linux", "bedrock_server"],
    ["win32", "bedrock_server.exe"],
  ])("is missed on %s in a folder without %s", (platform, program) => {
    expect(find({ "bedrock_server_how_to.html": "" }, { platform })).toEqual({
      fault: `${GAME}: ${program} is missing: give the folder that contains it`,
    });
  });

  it.each([
    ["linux", WINDOWS, "bedrock_server"],
    ["win32", LINUX, "bedrock_server.exe"],
  ])("is refused on %s if it is for the other system", (platform, content, program) => {
    expect(find(content, { platform })).toEqual({
      fault: `${GAME}: contains the game server for another system: download the one with ${program}`,
    });
  });

  it("is refused if it may not be executed", () => {
    expect(find(LINUX, { isExecutable: false })).toEqual({
      fault: `${at("bedrock_server")}: may not be executed: run chmod +x ${quoted(at("bedrock_server"))}; if that does not help, its disk is mounted with noexec`,
    });
  });

  it("is refused if it runs in that folder, with its process", () => {
    const links = { cwd: GAME, exe: at("bedrock_server"), "ns/net": "" };
    const processes = {
      ...NOTHING_RUNS,
      pids: () => [4711],
      linkOf: (_: number, what: keyof typeof links) => links[what],
    };
    expect(find(LINUX, { processes })).toEqual({
      fault: `${GAME}: its game server is already running (process 4711): ${RUNS}`,
    });
  });

  it.each([
    ["the world of server.properties", "\uFEFFlevel-name=My World\r\n", "My World"],
    ["the usual world without that file", undefined, "Bedrock level"],
  ])("is refused if %s is open", (_, properties, world) => {
    const content = {
      ...WINDOWS,
      ...(properties !== undefined && { "server.properties": properties }),
    };
    const processes = {
      ...NOTHING_RUNS,
      opens: (path: string) => path !== at("worlds", world, "db", "LOCK"),
    };
    expect(find(content, { platform: "win32", processes })).toEqual({
      fault: `${GAME}: its game server is already running: ${RUNS}`,
    });
  });

  it("is started if its settings cannot be read", () => {
    const files = folderWith(LINUX);
    const system = { platform: "linux", files, processes: NOTHING_RUNS, isExecutable: () => true };
    const read = (): never => {
      throw new Error("EACCES");
    };
    expect(findGame(GAME, { ...system, files: { ...files, read } })).toEqual({
      program: "bedrock_server",
    });
  });
});
