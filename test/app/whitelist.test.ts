import { describe, expect, it } from "@jest/globals";
import type { Outcome } from "../../shared/facts.ts";
import { type Reach, StorageAway } from "../../sidecar/kernel/storage/ports.ts";
import { type House, type HouseOptions, houseWith } from "./house.ts";

const AUTHOR = { key: "reader", address: "192.0.2.1" };
const GAMERTAG: HouseOptions = { yaml: "modules.api.whitelist-names: gamertag" };
const READ = { do: "allowlist-read" };

const begin = (options?: HouseOptions): Promise<House> => houseWith([], options);
const add = ({ world }: House, name = "Steve") => world.whitelist.add(name, AUTHOR);
const remove = ({ world }: House, name = "Steve") => world.whitelist.remove(name, AUTHOR);

describe("the names that can be added", () => {
  const ofJava = ["Steve", "a", "A_b_0", "x".repeat(16)];
  const gamertags = [
    "Ari Vale",
    "Zoë",
    "이름",
    "Ari Vale#1234",
    "𝒜".repeat(16),
    "a b c d e f g h",
    "١٢٣",
    "é",
  ];
  const ofBoth = ["Steve", "a", "x".repeat(16)];
  const ofNone = [
    ...["", " ", " a", "a ", "a  b", "a-b", "a#", "a#12345", "a #1", "#1", "a#1#2", "a#١", "a\n", "a\u00a0b"],
    ...["x".repeat(17), "𝒜".repeat(17), "a\u200bb", "😀", "a\tb", "\ud800"],
  ];

  it.each([
    ["of the Java Edition, where nothing else is said", {}, ofJava, [...gamertags, ...ofNone]],
    ["Gamertags, where the settings say so", GAMERTAG, [...ofBoth, ...gamertags], [...ofNone, "a_b"]],
  ])("are %s", async (_what, options, taken, refused) => {
    const { takes } = (await begin(options)).world.whitelist;
    expect(taken.filter(name => !takes(name))).toEqual([]);
    expect(refused.filter(takes)).toEqual([]);
  });

  it("are not all that may be on the list", async () => {
    const { mayList } = (await begin()).world.whitelist;
    expect(["Ari Vale", "名前", "a-b", " ", "x".repeat(64)].filter(name => !mayList(name))).toEqual([]);
    expect(["", "x".repeat(65)].filter(mayList)).toEqual([]);
  });
});

describe("a change of the list", () => {
  const unexpected = (why: string) => ({ outcome: "unexpected_result", why });
  const ADD = "whitelist.add";
  const REMOVE = "whitelist.remove";
  it.each<[string, string, Outcome["status"], { outcome: string }]>([
    [ADD, "Steve", "done", { outcome: "whitelisted" }],
    [ADD, "Steve", "failed", unexpected("allowlist-add failed: no allowlist")],
    [REMOVE, "Steve", "done", { outcome: "removed" }],
    [REMOVE, "名前", "done", { outcome: "removed" }],
    [REMOVE, "Steve", "absent", { outcome: "not_whitelisted" }],
    [REMOVE, "Ari Vale", "absent", { outcome: "invalid_name" }],
    [REMOVE, "Steve", "failed", unexpected("allowlist-remove failed: no allowlist")],
  ])("is asked of the game and in the audit: %s of %s is %s", async (action, name, status, changed) => {
    const house = await begin();
    const asked = action === ADD ? add(house, name) : remove(house, name);
    house.clock.advance(3);
    const { body } = await house.pack.carryOut(status, status === "failed" ? { reason: "no allowlist" } : {});
    expect(body).toEqual({ do: action === ADD ? "allowlist-add" : "allowlist-remove", name });
    expect(await asked).toEqual(changed);
    const { outcome } = changed;
    expect(house.audit).toEqual([{ at: house.clock.now(), ...AUTHOR, action, name, outcome }]);
  });

  it("of a name that could be a Gamertag was not there, where those can be added", async () => {
    const house = await begin(GAMERTAG);
    const asked = remove(house, "Ari Vale");
    await house.pack.carryOut("absent");
    expect(await asked).toEqual({ outcome: "not_whitelisted" });
  });

  it("is in the audit before it is answered", async () => {
    let write = (): void => undefined;
    const written = new Promise<void>(resolve => {
      write = resolve;
    });
    const house = await begin({ written: () => written });
    let isAnswered = false;
    const asked = add(house).finally(() => {
      isAnswered = true;
    });
    await house.pack.carryOut("done");
    await house.quiet();
    expect([isAnswered, house.audit]).toEqual([false, []]);
    write();
    expect([await asked, house.audit.length]).toEqual([{ outcome: "whitelisted" }, 1]);
  });

  it("is worth another try where the storage went away meanwhile", async () => {
    const listeners: ((isAway: boolean) => void)[] = [];
    const reach: Reach = { isAway: () => true, onChange: listener => void listeners.push(listener) };
    const house = await begin({ with: () => ({ reach }) });
    const [added, read] = [add(house), house.world.whitelist.read()];
    await house.quiet();
    for (const listener of listeners) listener(true);
    house.clock.advance(500);
    expect(await added).toEqual({ outcome: "server_unavailable" });
    await expect(read).rejects.toThrow(StorageAway);
    expect(house.audit).toMatchObject([{ outcome: "server_unavailable" }]);
  });
});

describe("the list", () => {
  /** The game tells these names of the read that it has taken. */
  async function list({ pack }: House, ...parts: string[][]): Promise<void> {
    const [action] = await pack.take();
    const id = action?.id ?? "";
    expect(action?.body).toEqual(READ);
    await pack.report(...parts.map(names => ({ is: "names" as const, id, names })), {
      is: "outcome",
      id,
      do: "allowlist-read",
      status: "done",
    });
  }

  it("is what the game tells, in parts too: each name once, by code unit, without empty ones", async () => {
    const house = await begin();
    const asked = house.world.whitelist.read();
    await list(house, ["steve", "Steve", "", "_x"], ["Alex 2", "é", "Steve"]);
    expect(await asked).toEqual({ value: ["Alex 2", "Steve", "_x", "steve", "é"] });
    const again = house.world.whitelist.read();
    await list(house);
    expect(await again).toEqual({ value: [] });
  });

  it("is asked for again a second behind a read that does not end, and is a fault after ten", async () => {
    const house = await begin();
    const both = [house.world.whitelist.read(), house.world.whitelist.read()];
    await house.pack.take();
    house.clock.advance(999);
    await house.quiet();
    expect(await house.pack.waiting()).toEqual([]);
    house.clock.advance(1);
    await house.quiet();
    expect(await house.pack.take()).toMatchObject([{ body: READ }]);
    house.clock.advance(9_000);
    expect(await Promise.all(both)).toEqual(Array(2).fill({ fault: "allowlist-read timeout" }));
    const third = house.world.whitelist.read();
    await house.quiet();
    house.clock.advance(1_000);
    await list(house, ["a"]);
    expect(await third).toEqual({ value: ["a"] });
  });

  it("is told also when the game has crashed in the middle of it many times", async () => {
    const house = await begin();
    const parts = Array.from({ length: 60 }, () => Array<string>(200).fill("a"));
    for (let crash = 0; crash < 9; crash++) {
      const asked = house.world.whitelist.read();
      const [action] = await house.pack.take();
      const id = action?.id ?? "";
      await house.pack.report(...parts.map(names => ({ is: "names" as const, id, names })));
      house.clock.advance(10_000);
      expect(await asked).toHaveProperty("fault");
      house.pack.seq = 1;
      await house.pack.connect(`run after crash ${crash}`);
    }
    house.clock.advance(1);
    const asked = house.world.whitelist.read();
    await list(house, ...parts);
    expect(await asked).toEqual({ value: ["a"] });
  });

  it("is a fault where it has more names than can be held", async () => {
    const house = await begin();
    const asked = house.world.whitelist.read();
    await list(house, ...Array.from({ length: 501 }, (_, i) => Array(200).fill(`${i}`)));
    expect(await asked).toEqual({ fault: "allowlist-read failed: more names than can be held" });
  });
});
