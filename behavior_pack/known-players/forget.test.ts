import { describe, expect, it } from "@jest/globals";
import type { FormEnd } from "../ports.ts";
import { FakeSidecar } from "../testing/fake-sidecar.ts";
import {
  away,
  type FakePlayer,
  STEVE_KEY as KEY,
  linkOpen as open,
  playground,
  ref,
  Unreadable,
} from "../testing/harness.ts";
import { MAX_FORGET_REQUESTS } from "./forget.ts";

const WAITING = "web_bridge:forgotten";

/** A world that Steve has joined, with snapshots twice a second. */
async function world(stored?: Map<string, unknown>, sidecar = new FakeSidecar()) {
  sidecar.refreshMs = 500;
  const game = playground(sidecar, stored);
  await game.start();
  const steve = game.join("Steve");
  await game.tick(3);
  return { game, sidecar, steve };
}

/** Gives /bridge:forget and answers its form. */
async function forget(
  { pack, tick }: ReturnType<typeof playground>,
  player: FakePlayer,
  end: FormEnd = "accepted",
): Promise<void> {
  pack.commands.forget(player);
  await tick(2);
  player.forms.at(-1)?.ended(end);
  await tick(2);
}

const forgot = (sidecar: FakeSidecar) => sidecar.of("forgot").map(({ is: _, ...fact }) => fact);

describe("/bridge:forget", () => {
  it("[KNOWN-3] asks, and with a yes has no figures and counts nothing of the rest of the visit", async () => {
    const { game, sidecar, steve } = await world();
    const alex = game.join("Alex");
    game.pack.died(steve.id, undefined);
    game.pack.died(alex.id, steve.id);
    await game.tick(100);
    expect(await game.rowOf()).toMatchObject({ deaths: 1, playerKills: 1, playtimeSeconds: 5 });
    expect(game.pack.commands.forget(steve)).toEqual({ done: true, text: "Asking" });
    expect(steve.forms).toEqual([]);
    await game.tick();
    expect(steve.forms.map(({ view }) => view)).toEqual([
      {
        ...{ look: "buttons", title: "Forget?", body: "All of it?" },
        ...{ accept: "Forget", decline: "Keep", browser: "" },
      },
    ]);
    steve.forms[0]?.ended("accepted");
    expect(steve.heard).toEqual(["Forgotten"]);
    const nothing = { deaths: 0, playerKills: 0, playtimeSeconds: 0 };
    expect(await game.rowOf()).toMatchObject(nothing);
    game.pack.died(steve.id, alex.id);
    game.pack.died(alex.id, steve.id);
    await game.tick(100);
    expect(await game.rowOf()).toMatchObject(nothing);
    expect(await game.rowOf("Alex")).toMatchObject({ deaths: 2, playerKills: 1 });
    game.leave(steve);
    game.pack.died(alex.id, steve.id);
    await game.tick(2);
    expect(sidecar.of("left")[0]?.row).toMatchObject(nothing);
    const back = game.join("Steve");
    game.pack.died(back.id, undefined);
    await game.tick(30);
    expect(await game.rowOf()).toMatchObject({ deaths: 1, playerKills: 0, playtimeSeconds: 2 });
  });

  it.each<FormEnd>(["declined", "closed", "quit"])(
    "[KNOWN-3] changes nothing where the form is %s",
    async how => {
      const { game, sidecar, steve } = await world();
      game.pack.died(steve.id, undefined);
      await forget(game, steve, how);
      game.pack.died(steve.id, undefined);
      expect(await game.rowOf()).toMatchObject({ deaths: 2 });
      expect([forgot(sidecar), steve.heard, steve.forms.length]).toEqual([[], [], 1]);
      await forget(game, steve);
      expect([steve.heard, steve.forms.length]).toEqual([["Forgotten"], 2]);
    },
  );

  it("[KNOWN-3] counts nothing that was stored and could not be read when the player said yes", async () => {
    const stored = new Unreadable([[KEY, '{"deaths":7,"kills":7,"ticks":2000,"hidden":true}']]);
    stored.only = KEY;
    const { game, steve } = await world(stored);
    game.pack.died(steve.id, undefined);
    await forget(game, steve);
    game.leave(steve);
    game.join("Steve");
    stored.failing = false;
    await game.tick(30);
    expect(await game.rowOf()).toMatchObject({ deaths: 0, playerKills: 0, hidden: true });
  });
});

describe("the form of /bridge:forget", () => {
  it("[KNOWN-4] is shown once more each half second to who is busy, ten times at most", async () => {
    const { game, steve } = await world();
    game.pack.commands.forget(steve);
    const at: number[] = [];
    for (let i = 0; i < 200; i++) {
      const before = steve.forms.length;
      await game.tick();
      if (steve.forms.length > before) {
        at.push(i);
        steve.forms.at(-1)?.ended("busy");
      }
    }
    expect(at).toHaveLength(10);
    expect(at.slice(1).map((tick, i) => tick - (at[i] ?? 0))).toEqual(Array(9).fill(10));
    await forget(game, steve);
    expect(steve.heard).toEqual(["Forgotten"]);
  });

  it("[KNOWN-4] is one, however often the command is given, and keeps link forms away while it is there", async () => {
    const { game, sidecar, steve } = await world();
    for (let i = 0; i < 5; i++) game.pack.commands.forget(steve);
    await game.tick(2);
    game.pack.commands.forget(steve);
    sidecar.act(open("r1"));
    game.pack.commands.link(steve);
    await game.tick(100);
    expect(steve.forms).toHaveLength(1);
    steve.forms[0]?.ended("declined");
    await game.tick(12);
    expect(steve.forms.map(({ view }) => view.title)).toEqual(["Forget?", "Link"]);
    expect(steve.closed).toBe(0);
  });

  it("[KNOWN-4] of which nothing is heard keeps link forms away for a minute, and its yes counts later too", async () => {
    const { game, sidecar, steve } = await world();
    game.pack.commands.forget(steve);
    sidecar.act(open("r1"));
    await game.tick(1190);
    expect(steve.forms).toHaveLength(1);
    await game.tick(30);
    expect(steve.forms).toHaveLength(2);
    steve.forms[0]?.ended("accepted");
    await game.tick(2);
    expect(forgot(sidecar)).toHaveLength(1);
  });
});

describe("that a player wants to be forgotten", () => {
  it.each(Array.from({ length: 12 }, (_, i) => i))(
    "[KNOWN-5] is told ahead of every row of after, with when the visit began, %i ticks into a snapshot",
    async ticks => {
      const { game, sidecar, steve } = await world();
      for (let i = 0; i < 60; i++) game.add(`Player ${i}`);
      game.pack.died(steve.id, undefined);
      await game.tick(40);
      game.pack.commands.forget(steve);
      const before = sidecar.of("snapshot").length;
      while (sidecar.of("snapshot").length === before) await game.tick();
      await game.tick(ticks);
      steve.forms.at(-1)?.ended("accepted");
      const first = sidecar.facts.length;
      await game.tick(30);
      expect(forgot(sidecar)).toEqual([{ player: ref(steve), since: sidecar.of("joined")[0]?.row.since }]);
      const after = sidecar.facts.slice(first);
      const told = after.findIndex(({ is }) => is === "forgot");
      const rows = after.slice(told).flatMap(fact => (fact.is === "snapshot" ? fact.rows : []));
      const own = rows.filter(({ player }) => player.name === "Steve");
      expect(own.length).toBeGreaterThan(1);
      expect(own.filter(({ deaths, playtimeSeconds }) => deaths + playtimeSeconds > 0)).toEqual([]);
      expect(game.stored.get(WAITING)).toBe("[]");
    },
  );

  it("[KNOWN-5] waits for a session, also of one who has left, and comes ahead of its first rows", async () => {
    const { game, sidecar, steve } = await world();
    await away(game);
    await forget(game, steve);
    game.leave(steve);
    game.join("Steve");
    sidecar.mode = "ok";
    sidecar.session = "s2";
    const before = sidecar.facts.length;
    await game.tick(60);
    const after = sidecar.facts.slice(before).map(({ is }) => is);
    expect(after.filter(is => is === "forgot")).toHaveLength(1);
    expect(after.indexOf("forgot")).toBeLessThan(after.indexOf("snapshot"));
    const [first, second] = [forgot(sidecar)[0]?.since ?? 0, (await game.rowOf())?.since ?? 0];
    expect(second).toBeGreaterThan(first);
  });

  it("[KNOWN-5] waits for 64 players, and others hear that it does not work now", async () => {
    const sidecar = new FakeSidecar();
    sidecar.mode = "refuse";
    const { game, steve } = await world(undefined, sidecar);
    expect(MAX_FORGET_REQUESTS).toBe(64);
    for (let i = 0; i < MAX_FORGET_REQUESTS; i++) await forget(game, game.join(`Player ${i}`));
    await forget(game, steve);
    game.pack.died(steve.id, undefined);
    expect(steve.heard.at(-1)).toMatch(/^You cannot be forgotten now/);
    const [again] = game.players.slice(1) as [FakePlayer];
    await forget(game, again);
    expect(again.heard).toHaveLength(2);
    expect(again.heard[1]).toBe(again.heard[0]);
    sidecar.mode = "ok";
    await game.tick(100);
    expect(forgot(sidecar)).toHaveLength(MAX_FORGET_REQUESTS);
    expect(await game.rowOf()).toMatchObject({ deaths: 1 });
    await forget(game, steve);
    expect(forgot(sidecar).at(-1)).toMatchObject({ player: ref(steve) });
  });

  it("[KNOWN-5] is refused to the player where the world cannot keep it, and nothing changes", async () => {
    const { game, sidecar, steve } = await world();
    const { set } = game.stored;
    game.stored.set = function (key, value) {
      if (key === WAITING) throw new Error("full");
      return set.call(this, key, value);
    };
    game.pack.died(steve.id, undefined);
    await forget(game, steve);
    expect([steve.heard, forgot(sidecar)]).toEqual([["Not now"], []]);
    expect(await game.rowOf()).toMatchObject({ deaths: 1 });
  });

  it.each(["{", 7, '[{"player":{}}]'])("is nobody's where %j is stored, with one line", async damaged => {
    const { game, sidecar, steve } = await world(new Map<string, unknown>([[WAITING, damaged]]));
    await game.tick(40);
    expect(forgot(sidecar)).toEqual([]);
    expect(game.lines.filter(line => line.includes("want to be forgotten"))).toHaveLength(1);
    await forget(game, steve);
    expect(forgot(sidecar)).toHaveLength(1);
  });
});

describe("a player whom another game server has forgotten", () => {
  const ask = (player: FakePlayer, counts: boolean) =>
    ({ do: "forget", player: ref(player), counts }) as const;

  it("[KNOWN-6] has no figures here, and is counted from then on", async () => {
    const { game, sidecar, steve } = await world();
    game.pack.died(steve.id, undefined);
    await game.tick(60);
    const done = sidecar.act(ask(steve, true));
    await game.tick(2);
    expect(sidecar.outcome(done)).toMatchObject({ status: "done" });
    await game.tick(20);
    expect(await game.rowOf()).toMatchObject({ deaths: 0, playtimeSeconds: 1 });
    game.pack.died(steve.id, undefined);
    expect(await game.rowOf()).toMatchObject({ deaths: 1 });
    expect([forgot(sidecar), steve.heard, steve.forms.length]).toEqual([[], [], 0]);
  });

  it("[KNOWN-6] is not counted for the rest of this visit where that is said, whatever is said later", async () => {
    const { game, sidecar, steve } = await world();
    for (const counts of [false, true]) sidecar.act(ask(steve, counts));
    await game.tick(2);
    game.pack.died(steve.id, undefined);
    await game.tick(60);
    expect(await game.rowOf()).toMatchObject({ deaths: 0, playtimeSeconds: 0 });
    game.leave(steve);
    game.pack.died(game.join("Steve").id, undefined);
    expect(await game.rowOf()).toMatchObject({ deaths: 1 });
  });

  it("[KNOWN-6] is nobody who is not online", async () => {
    const { game, sidecar, steve } = await world();
    game.pack.died(steve.id, undefined);
    const other = sidecar.act(ask({ ...steve, persistentId: "p-Other" }, false));
    await game.tick(2);
    game.leave(steve);
    const gone = sidecar.act(ask(steve, false));
    await game.tick(5);
    expect([other, gone].map(id => sidecar.outcome(id)?.status)).toEqual(["offline", "offline"]);
    expect(game.stored.get(KEY)).toContain('"deaths":1');
  });
});
