import { describe, expect, it } from "@jest/globals";
import { createIdentities } from "./identities.ts";

function begin() {
  const state = { tick: 0 };
  return { state, identities: createIdentities({ now: () => 0, tick: () => state.tick }) };
}

describe("the identity of a player", () => {
  it("is what the console says of the player with this name", () => {
    const { identities } = begin();
    identities.reported({ name: "Alex", persistentId: "p-alex" });
    expect(identities.of("1", "Steve")).toBeUndefined();
    identities.reported({ name: "Steve", persistentId: "p-steve" });
    expect(identities.of("1", "Steve")).toBe("p-steve");
    expect(identities.of("2", "Alex")).toBe("p-alex");
  });

  it("[CONSOLE-7] is none after five seconds without one, and one that comes later counts from the next visit", () => {
    const { state, identities } = begin();
    expect(identities.of("1", "Steve")).toBeUndefined();
    state.tick = 99;
    expect(identities.of("1", "Steve")).toBeUndefined();
    state.tick = 100;
    expect(identities.of("1", "Steve")).toBe("");
    identities.reported({ name: "Steve", persistentId: "late" });
    expect(identities.of("1", "Steve")).toBe("");
    identities.left("1");
    identities.reported({ name: "Steve", persistentId: "p-steve" });
    expect(identities.of("1", "Steve")).toBe("p-steve");
  });

  it("is none where the console contradicts itself, and stays as it is where it does so later", () => {
    const { identities } = begin();
    identities.reported({ name: "Steve" });
    expect(identities.of("1", "Steve")).toBe("");
    identities.reported({ name: "Alex", persistentId: "p-alex" });
    expect(identities.of("2", "Alex")).toBe("p-alex");
    identities.reported({ name: "Alex" });
    expect(identities.of("2", "Alex")).toBe("p-alex");
  });

  it("of an earlier visit is not that of the next player with this name", () => {
    const { identities } = begin();
    identities.reported({ name: "Steve", persistentId: "p-steve" });
    identities.of("1", "Steve");
    identities.left("1");
    expect(identities.of("2", "Steve")).toBeUndefined();
  });

  it("stays decided when the link begins again, and is read again for those without", () => {
    const { identities } = begin();
    identities.reported({ name: "Steve", persistentId: "p-steve" });
    identities.reported({ name: "Alex", persistentId: "p-old" });
    expect(identities.of("1", "Steve")).toBe("p-steve");
    identities.opened();
    expect(identities.of("1", "Steve")).toBe("p-steve");
    expect(identities.of("2", "Alex")).toBeUndefined();
  });
});
