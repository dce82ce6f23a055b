import { describe, expect, it } from "@jest/globals";
import { BANS_PER_FRAME } from "../../shared/limits.ts";
import { createNotices } from "../notices.ts";
import { SidecarBans } from "../testing/sidecar-bans.ts";
import { createBanList } from "./ban-list.ts";

const NAMES = ["Steve", "Alex"];
const notices = createNotices(() => undefined);

/** A world with its copy of the list, and a sidecar. */
class Ends {
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

describe("two lists of bans that were apart", () => {
  it("have the new name of a player who came back with it while the sidecar was told who is banned", () => {
    const ends = new Ends();
    ends.sidecar.decide({ name: "Steve", at: 1, everywhere: true });
    ends.settle();
    for (const ban of ends.list.find("Steve", "p1")) ends.list.bind(ban, "p1");
    const answer = ends.sidecar.answer(ends.list.nextFrame());
    for (const ban of ends.list.find("Alexis", "p1")) ends.list.rename(ban, "Alexis");
    ends.list.applyAnswer(answer);
    ends.settle();
    for (const list of [ends.list, ends.load()])
      expect([...list.byName().newest.values()].flat()).toMatchObject([{ name: "Alexis", names: ["Steve"] }]);
    expect(ends.sidecar.bans()).toMatchObject([{ name: "Alexis", names: ["Steve"] }]);
  });

  it("[BAN-9] unban nobody where the sidecar has lost its own", () => {
    const ends = new Ends();
    for (let i = 0; i < 3 * BANS_PER_FRAME; i++) ends.list.add({ name: `n${i}`, at: i });
    for (let i = 0; i < 5; i++) ends.sync();
    expect(ends.sidecar.bans()).toHaveLength(3 * BANS_PER_FRAME);
    ends.sidecar = new SidecarBans();
    ends.sidecar.list = "another";
    ends.sync();
    expect(ends.list.count()).toBe(3 * BANS_PER_FRAME);
    expect(ends.list.pending()).toBe(3 * BANS_PER_FRAME);
    for (let i = 0; i < 4 * BANS_PER_FRAME; i++) ends.sync();
    expect(ends.sidecar.bans()).toHaveLength(3 * BANS_PER_FRAME);
    // Nobody has decided it anew.
    expect(ends.sidecar.audit).toEqual([]);
  });

  it("[BAN-9] are told all of each other where the sidecar has gone back to what it was", () => {
    const ends = new Ends();
    ends.sidecar.decide({ name: "Steve", at: 1 });
    ends.sidecar.decide({ name: "Alex", at: 2 });
    ends.settle();
    ends.sidecar = new SidecarBans();
    ends.sidecar.decide({ name: "Steve", at: 1 });
    ends.settle();
    expect(
      ends.sidecar
        .bans()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["Alex", "Steve"]);
  });
});

describe("the list in the properties of the world", () => {
  const list = (stored: Map<string, unknown>, now = 1000) => {
    const said: string[] = [];
    const own = createBanList(
      { now: () => now, tick: () => 0 },
      { read: key => stored.get(key), write: (key, value) => stored.set(key, value) },
      createNotices(line => said.push(line)),
    );
    own.load();
    return { ...own, said };
  };

  it("outlives the script, with all that was said of a ban", () => {
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

  it("is written one value at a time, and not at all where nothing has changed", () => {
    const stored = new Map<string, unknown>();
    const own = list(stored);
    own.step();
    expect(stored.size).toBe(0);
    for (const name of ["a", "b"]) own.add({ name, at: 1 });
    own.step();
    expect(stored.size).toBe(1);
    own.step();
    own.step();
    expect(stored.size).toBe(2);
  });

  it("goes without what is damaged, says so, and asks for it", () => {
    const stored = new Map<string, unknown>();
    const ends = new Ends();
    for (const name of NAMES) ends.sidecar.decide({ name, at: 1 });
    ends.settle();
    for (const [key, value] of ends.stored) stored.set(key, /:\d/.test(key) ? `${value}x` : value);
    const own = list(stored);
    expect(own.count()).toBe(0);
    expect(own.said).toEqual(["some of the stored bans cannot be read; the sidecar is asked for them"]);
    expect(own.nextFrame()).toEqual({ list: "list", after: 0, changes: [] });
  });
});
