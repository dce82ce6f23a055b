import { describe, expect, it } from "@jest/globals";
import { worldId } from "../../behavior_pack/bridge/world-id.ts";
import { playground } from "./harness.ts";

const helloOf = async (stored: Map<string, unknown>, name?: string) => {
  const game = playground(undefined, stored);
  game.sidecar.endpoint.world = name;
  await game.start();
  return game.sidecar.hellos[0];
};

describe("the world", () => {
  it("[SESSION-11] is told by an id that it keeps from the first time on, and by its name", async () => {
    const stored = new Map<string, unknown>();
    const first = await helloOf(stored, "Old World");
    expect(first?.world).toEqual({ id: first?.run, name: "Old World" });
    const second = await helloOf(stored, "New name");
    expect(second?.world).toEqual({ id: first?.run, name: "New name" });
  });

  it("[SESSION-11] has no name where the settings have none", async () => {
    expect((await helloOf(new Map()))?.world).toEqual({ id: expect.any(String) });
  });

  it("[SESSION-11] is not told where it cannot keep an id: it would be another one each time", () => {
    expect(worldId({ read: () => undefined, write: () => undefined }, "a")).toBeUndefined();
    const fails = () => {
      throw new Error("not now");
    };
    expect(worldId({ read: fails, write: fails }, "a")).toBeUndefined();
    expect(worldId({ read: () => undefined, write: fails }, "a")).toBeUndefined();
    expect(worldId({ read: () => 7, write: () => undefined }, "a")).toBeUndefined();
  });
});
