import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import { blocks } from "../../test/docs/pages.ts";
import { needs } from "../../test/helpers/needs.ts";
import { Bench } from "../../test/helpers/server-setup.ts";
import { runTool } from "../../test/helpers/tools.ts";
import { answer, HAS_SCRIPT, run } from "./testing/command.ts";

// Blocks of docs/setup-on-a-copy.md: setup-on-a-copy sh, setup-on-a-copy text
// Blocks of docs/setup-on-a-copy.md: for-a-sidecar-on-another-machine sh

const PAGE = "docs/setup-on-a-copy.md";

let bench: Bench;
let copy: string;
beforeEach(async () => {
  bench = new Bench();
  bench.levelName = "Bedrock level";
  await bench.make();
  copy = join(bench.folder, "copy");
  for (const name of ["level.dat", "world_behavior_packs.json", "world_resource_packs.json"])
    cpSync(bench.world(name), join(copy, "worlds", bench.levelName, name));
  cpSync(bench.path("server.properties"), join(copy, "server.properties"));
});

/** Runs a command of the page beside the copy. */
function runBlock(heading: string): ReturnType<typeof run> {
  const [block] = blocks(PAGE, "sh").filter(each => each.heading === heading);
  const [program, tool, ...args] = block?.text.split(" ") ?? [];
  expect([program, tool]).toEqual(["./web-bridge", "setup"]);
  return runTool("setup", [...args, "--yes"], { cwd: bench.folder });
}

it("prints which files to upload and to delete, and runs no doctor", async () => {
  const { code, out, err } = await runBlock("setup-on-a-copy");
  expect([code, err]).toEqual([0, ""]);
  for (const block of blocks(PAGE, "text")) expect(out).toContain(block.text);
  expect(out).toContain(` --copy "${copy}" --undo\n`);
  expect(out).not.toContain("doctor");
  expect((await run("--copy", copy, "--yes")).out).toBe(
    "nothing to change\nnote: if you have not uploaded what an earlier run has changed, upload this whole folder\n",
  );
  const undone = await run("--copy", copy, "--yes", "--undo");
  expect(undone.out).toContain("  2. delete these on the host:\n       config/d09dd5f3-");
  expect(undone.out).toMatch(/\n {2}3\. start the game server on the host\n$/);
});

it("names no file of a sidecar on another machine to upload", async () => {
  const { out } = await runBlock("for-a-sidecar-on-another-machine");
  const config = join(bench.folder, "config.yml");
  expect(out).toContain("2. start (or restart) the sidecar on its own machine (docs/remote-sidecar.md)\n");
  expect(out).toContain("connected to the sidecar at https://addon.example.com");
  expect(out).toContain(`--copy "${copy}" --config "${config}" --undo`);
  expect(out.slice(out.indexOf("Next:"), out.indexOf("To undo"))).not.toMatch(/ web-bridge\/|bridge-token/);
  expect([existsSync(join(copy, "web-bridge")), existsSync(config)]).toEqual([false, true]);
});

it("prints the files as JSON", async () => {
  const { out } = await run("--copy", copy, "--yes", "--json");
  expect(JSON.parse(out).transfer).toEqual({
    upload: expect.arrayContaining(["server.properties", "web-bridge-setup/"]),
    delete: [],
  });
});

it.each([
  [["--server", "x"], "--server and --copy: expected one of them"],
  [["--backup"], "--backup: a copy does not have the whole world: back it up on the host"],
  [["--bridge-url", "https://b.example"], "--bridge-url: with --copy, --config is needed too"],
])("refuses %s beside --copy", async (more, why) => {
  const { code, err } = await run("--copy", copy, ...more);
  expect([code, err]).toEqual([2, expect.stringContaining(why)]);
});

needs("script, of Linux", HAS_SCRIPT).it("asks the questions of setup, but offers no backup", async () => {
  const { code, out } = await answer(
    ["--copy", copy],
    [/All features, or keep achievements\?/, "a\r"],
    [/Plain form or chest\?/, "p\r"],
    [/Show everyone the list\?/, "\r"],
    [/Make these changes\? \[y\/N\] /, "y\r"],
  );
  expect(code).toBe(0);
  expect(out).toContain("first: on the host");
});
