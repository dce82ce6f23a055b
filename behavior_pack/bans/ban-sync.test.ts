import { describe, expect, it } from "@jest/globals";
import { BANS_PER_FRAME } from "../../shared/limits.ts";
import { createNotices } from "../notices.ts";
import { SidecarBans } from "../testing/sidecar-bans.ts";
import { createBanList } from "./ban-list.ts";

const NAMES = ["Steve", "Alex"];
const notices = createNotices(() => undefined);

/** A world with its copy of the list, and a sidecar. */
class WorldAndSidecar {
  now = 1000;
  stored = new Map<string, string>();
  sidecar = new SidecarBans();
  list = this.load();

  load() {
    const store = {
      read: (key: string) => this.stored.get(key),
      write: (key: string, value: string) => this.stored.set(key, value),
    };
    const list = createBanList({ now: () => this.now, tick: () => 0 }, store, notices);
    list.load();
    return list;
  }

  sync(): void {
    const answer = this.sidecar.answer(this.list.nextFrame());
    this.list.applyAnswer(JSON.parse(JSON.stringify(answer)));
  }

  settle(): void {
    for (let i = 0; i < 20; i++) this.sync();
    this.list.saveAll();
  }
}

describe("ban lists of pack and sidecar after changes on both sides", () => {
  it("keep a player's new name that was seen during a sync", () => {
    const pair = new WorldAndSidecar();
    pair.sidecar.decide({ name: "Steve", at: 1, everywhere: true });
    pair.settle();
    for (const ban of pair.list.find("Steve", "p1")) pair.list.bind(ban, "p1");
    const answer = pair.sidecar.answer(pair.list.nextFrame());
    for (const ban of pair.list.find("Alexis", "p1")) pair.list.rename(ban, "Alexis");
    pair.list.applyAnswer(answer);
    pair.settle();
    for (const list of [pair.list, pair.load()])
      expect([...list.byName().newest.values()].flat()).toMatchObject([{ name: "Alexis", names: ["Steve"] }]);
    expect(pair.sidecar.bans()).toMatchObject([{ name: "Alexis", names: ["Steve"] }]);
  });

  it("[BAN-9] unban nobody after the sidecar has lost its list", () => {
    const pair = new WorldAndSidecar();
    for (let i = 0; i < 3 * BANS_PER_FRAME; i++) pair.list.add({ name: `n${i}`, at: i });
    for (let i = 0; i < 5; i++) pair.sync();
    expect(pair.sidecar.bans()).toHaveLength(3 * BANS_PER_FRAME);
    pair.sidecar = new SidecarBans();
    pair.sidecar.list = "another";
    pair.sync();
    expect(pair.list.count()).toBe(3 * BANS_PER_FRAME);
    expect(pair.list.pending()).toBe(3 * BANS_PER_FRAME);
    for (let i = 0; i < 4 * BANS_PER_FRAME; i++) pair.sync();
    expect(pair.sidecar.bans()).toHaveLength(3 * BANS_PER_FRAME);
    // Nobody made these changes again.
    expect(pair.sidecar.audit).toEqual([]);
  });

  it("[BAN-9] exchange all bans after the sidecar was restored from a backup", () => {
    const pair = new WorldAndSidecar();
    pair.sidecar.decide({ name: "Steve", at: 1 });
    pair.sidecar.decide({ name: "Alex", at: 2 });
    pair.settle();
    pair.sidecar = new SidecarBans();
    pair.sidecar.decide({ name: "Steve", at: 1 });
    pair.settle();
    expect(
      pair.sidecar
        .bans()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["Alex", "Steve"]);
  });
});

describe("the ban list in the world properties", () => {
  const list = (stored: Map<string, unknown>, now = 1000) => {
    const notices: string[] = [];
    const bans = createBanList(
      { now: () => now, tick: () => 0 },
      { read: key => stored.get(key), write: (key, value) => stored.set(key, value) },
      createNotices(line => notices.push(line)),
    );
    bans.load();
    return { ...bans, notices };
  };

  it("survives the script, with every field of a ban", () => {
    const stored = new Map<string, unknown>();
    const before = list(stored);
    const ban = {
      name: "Steve",
      persistentId: "P1",
      at: 5,
      until: 2000,
      reason: "why",
      by: "game:Op",
      everywhere: true,
    };
    before.add(ban);
    before.add({ name: "Alex", at: 6 });
    before.saveAll();
    const after = list(stored);
    expect(after.find("another", "p1")).toEqual([ban]);
    expect(after.find("alex", "")).toEqual([{ name: "Alex", at: 6 }]);
    expect(after.pending()).toBe(2);
    expect(list(stored, 2000).find("another", "p1")).toEqual([]);
  });

  it("is written one property at a time, and only when something has changed", () => {
    const stored = new Map<string, unknown>();
    const bans = list(stored);
    bans.step();
    expect(stored.size).toBe(0);
    for (const name of ["a", "b"]) bans.add({ name, at: 1 });
    bans.step();
    expect(stored.size).toBe(1);
    bans.step();
    bans.step();
    expect(stored.size).toBe(2);
  });

  it("skips damaged properties, logs that, and requests the list again", () => {
    const stored = new Map<string, unknown>();
    const pair = new WorldAndSidecar();
    for (const name of NAMES) pair.sidecar.decide({ name, at: 1 });
    pair.settle();
    for (const [key, value] of pair.stored) stored.set(key, /:\d/.test(key) ? `${value}x` : value);
    const bans = list(stored);
    expect(bans.count()).toBe(0);
    expect(bans.notices).toEqual(["some saved bans are damaged; getting them from the sidecar"]);
    expect(bans.nextFrame()).toEqual({ list: "list", after: 0, changes: [] });
  });
});
