import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { systemFiles } from "../../../bds/system.ts";
import { newFolder } from "../../../test/helpers/folder.ts";
import { whyNoAnswer } from "./no-answer.ts";

const UUID = "11111111-2222-4333-8444-555555555555";

/** A folder of a game server with the pack that keeps achievements, with changes. */
function serverWith({
  properties = "content-log-console-output-enabled=true",
  list = [{ pack_id: UUID, version: [1, 0, 0] }],
  modules = ["@minecraft/server", "@minecraft/server-ui"],
}: {
  properties?: string;
  list?: unknown[];
  modules?: string[];
}): string {
  const folder = newFolder("server-");
  const [pack, world] = [join(folder, "behavior_packs/web_bridge"), join(folder, "worlds/Bedrock level")];
  for (const each of [pack, world]) mkdirSync(each, { recursive: true });
  writeFileSync(join(folder, "bedrock_server"), "");
  writeFileSync(join(folder, "server.properties"), properties);
  writeFileSync(join(world, "world_behavior_packs.json"), JSON.stringify(list));
  const dependencies = modules.map(module_name => ({ module_name, version: "2.1.0" }));
  const header = { uuid: UUID, version: [1, 0, 0] };
  writeFileSync(join(pack, "manifest.json"), JSON.stringify({ header, modules: [], dependencies }));
  return folder;
}

const why = (folder: string, state: { hasTerminal?: boolean; isRejected?: boolean } = {}) =>
  whyNoAnswer({ folder, files: systemFiles, hasTerminal: true, isRejected: false, ...state });

describe("a pack that keeps achievements and does not answer", () => {
  it.each([
    ["is not in the world", { list: [], properties: "" }, {}, "world_behavior_packs.json does not list"],
    [
      "is not read without the content log",
      { properties: "" },
      {},
      "set content-log-console-output-enabled=true",
    ],
    [
      "is not read at the level error",
      { properties: "content-log-console-output-enabled=true\ncontent-log-level=error" },
      {},
      "content-log-level=error",
    ],
    ["cannot be reached by a command that is closed", {}, { isRejected: true }, "config/commands.json"],
    ["may be held back without a terminal", {}, { hasTerminal: false }, "terminal"],
    ["may have errors otherwise", {}, {}, "errors of the add-on above"],
  ])("%s", (_, changes, state, words) => {
    expect(why(serverWith(changes), state)).toContain(words);
  });

  it("is not expected where the other pack is installed, or none", () => {
    expect(why(serverWith({ modules: ["@minecraft/server", "@minecraft/server-net"] }))).toBeUndefined();
    expect(why(newFolder("server-"))).toBeUndefined();
  });
});
