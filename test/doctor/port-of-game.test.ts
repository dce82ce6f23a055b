import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

const GAME = 19132;
const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
  // Only the files count: who listens at the usual ports of this machine is not looked at.
  fixture.writeConfig(8080, 8081);
  await fixture.setUp();
});
afterAll(() => fixture.remove());

const nobody = { holderOf: async () => undefined };

describe("a sidecar that was given the port of the game", () => {
  it.each([
    ["bridge.port", 8080, GAME, 8081],
    ["modules.api.port", GAME, 8081, 8080],
  ])("gets its %s back, and the address of the pack stays where it is", async (key, api, bridge, usual) => {
    fixture.writeConfig(api, bridge);
    const found = await fixture.wrong(nobody);
    const config = `--config "${fixture.config}"`;
    const set = `npm run config -- set ${key} ${usual} ${config}`;
    expect(found).toEqual([
      {
        id: "ports",
        state: "problem",
        what: expect.stringContaining(`the server and ${key} both have ${GAME}, and both need TCP`),
        mend: `${set}, then stop the sidecar and start it again: npm start -- ${config}`,
      },
    ]);
    await follow(fixture, "", set);
    const after = await fixture.doctor(nobody);
    const states = ["ports", "bridge-url", "allowed-uris"].map(
      id => after.find(each => each.id === id)?.state,
    );
    expect(states).toEqual(["ok", "ok", "ok"]);
  });

  it("gets another one where its other listener has the usual one", async () => {
    fixture.writeConfig(8081, GAME);
    const found = await fixture.wrong(nobody);
    expect(found).toMatchObject([{ id: "ports", mend: expect.stringContaining("set bridge.port 8083 ") }]);
  });
});
