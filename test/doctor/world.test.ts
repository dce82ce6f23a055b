import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { setProperties } from "../../owner/bds/properties.ts";
import { examine } from "../../owner/doctor/examine.ts";
import { levelDat } from "../../scripts/make-server.mjs";
import { Fixture, LEVEL } from "./fixture.ts";
import { follow } from "./mends.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await new Fixture().stand();
});
afterEach(() => fixture.remove());

const name = (level: string): void =>
  fixture.edit(fixture.path("server.properties"), text => setProperties(text, { "level-name": level }));

it("has the server make a world whose name is new, and set-up afterwards", async () => {
  name("Winter");
  const [found] = await fixture.wrong();
  expect(found).toMatchObject({
    id: "world",
    what: `${fixture.path("worlds/Winter")}: there is no world Winter, but ${LEVEL}`,
    mend: `start the server once, which makes it, and stop it with "stop" on its console, then: npm run setup -- --server "${fixture.server}" --config "${fixture.config}"  (to play ${LEVEL} instead: set level-name=${LEVEL} in ${fixture.path("server.properties")})`,
  });
  // Beside the others it would still be one of them.
  const other = fixture.path("aside");
  renameSync(fixture.world, other);
  expect(await fixture.wrong()).toMatchObject([
    {
      id: "world",
      what: `${fixture.path("worlds/Winter")}: there is no world Winter`,
      mend: found?.mend.replace(/ {2}\(to play.*/, ""),
    },
  ]);
  renameSync(other, fixture.world);
  mkdirSync(fixture.path("worlds/Winter"));
  writeFileSync(fixture.path("worlds/Winter/level.dat"), await levelDat("off"));
  await follow(fixture, "", found?.mend ?? "");
  expect(await fixture.problems()).toEqual([]);
});

it.each(["bedrock level", "Bedrock_Level", "BedrockLevel"])("takes %s for a slip of a name", async slip => {
  name(slip);
  const [found] = await fixture.wrong();
  expect(found).toMatchObject({
    id: "world",
    mend: `set level-name=${LEVEL} in ${fixture.path("server.properties")}`,
  });
  await follow(fixture, "", found?.mend ?? "");
  expect(await fixture.problems()).toEqual([]);
});

it("is found by the server's program, too", async () => {
  const given = { server: join(fixture.server, "bedrock_server"), config: fixture.config };
  expect(await examine(given, fixture.around)).toEqual(await fixture.doctor());
});
