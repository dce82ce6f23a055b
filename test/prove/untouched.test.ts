import { expect, it } from "@jest/globals";
import { untouched } from "../../owner/prove/prove.ts";
import { fakeServer } from "./fake-server.ts";

const signs = (...paths: string[]): Map<string, string> => new Map(paths.map(path => [path, "as it was"]));

async function seen(before: Map<string, string>, after: Map<string, string>) {
  const told: string[] = [];
  return { answer: untouched(await fakeServer(), before, after, line => told.push(line)), told };
}

it("a folder that is as it was is told of by its number of files", async () => {
  const same = signs(".", "bedrock_server");
  expect(await seen(same, same)).toEqual({
    answer: { state: "held", seen: "2 files and folders are as they were" },
    told: [],
  });
});

it("what has changed is named on the screen, and its owner's names stand in no report", async () => {
  const after = signs(".", "worlds/Uli and Eva/level.dat", "behavior_packs/uli-secret");
  expect(await seen(signs("."), after)).toEqual({
    answer: {
      state: "broken",
      seen: "changed: 2 files and folders, 1 of them not of worlds, players and the like; the trial has named them on the screen",
    },
    told: ["changed: behavior_packs/uli-secret", "changed: worlds/Uli and Eva/level.dat"],
  });
});
