import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { run } from "../../scripts/make-server.mjs";
import { newFolder } from "../helpers/folder.ts";

const folder = newFolder("made ");
const place = (name: string): string => join(folder, name);

it("make-server prints its usage when it is asked for it, and refuses what it does not know", async () => {
  const line = expect.stringMatching(/^usage: .*make-server -- <folder>/);
  expect(await run(["--help"])).toEqual({ code: 0, line });
  const a = place("a");
  for (const wrong of [[], ["--halp"], [a, "b"], [a, "--game", "1.20.0"], [a, "--game"]])
    expect(await run(wrong)).toEqual({ code: 2, line });
  expect(existsSync(a)).toBe(false);
});

it("make-server makes the folder of the game that it is told", async () => {
  expect(await run([place("new"), "--game", "1.26.60"])).toMatchObject({ code: 0 });
  const properties = readFileSync(place("new/server.properties"), "utf8");
  expect(properties).toMatch(/^transport=nethernet$/m);
  expect(properties).toMatch(/^server-udp-ports=\d+$/m);
});

it("make-server leaves a folder alone that has something in it, and names one that cannot be made", async () => {
  mkdirSync(place("real"));
  writeFileSync(place("real/server.properties"), "server-name=Mine\n");
  expect(await run([place("real")])).toEqual({
    code: 1,
    line: `${place("real")}: has something in it: expected a new folder`,
  });
  expect(readdirSync(place("real"))).toEqual(["server.properties"]);
  const below = place("real/server.properties/below");
  expect(await run([below])).toEqual({
    code: 1,
    line: expect.stringContaining(`${below}: cannot be made: `),
  });
});
