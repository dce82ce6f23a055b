import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { standing } from "./fixture.ts";

const fixture = standing("--chest-form");

it("names another pack whose look of forms comes before the chest form", async () => {
  expect(await fixture.stateOf("resource-pack-order")).toBe("ok");
  mkdirSync(fixture.path("resource_packs/other/ui"));
  writeFileSync(fixture.path("resource_packs/other/ui/server_form.json"), "{}");
  const found = await fixture.wrong();
  const list = join(fixture.world, "world_resource_packs.json");
  expect(found).toEqual([
    {
      id: "resource-pack-order",
      state: "problem",
      what: `${list}: Other textures (7e0f3a52-2f3d-4a0c-8a8e-1d5f0f7b6c22) has a server_form.json too and comes before ours: players do not see the chest form`,
      mend: expect.stringMatching(
        /^move the entry [0-9a-f-]{36} to the first place there, or take Other textures out$/,
      ),
    },
  ]);
  fixture.editJson<object[]>(list, all => [...all].reverse());
  expect(await fixture.problems()).toEqual([]);
});
