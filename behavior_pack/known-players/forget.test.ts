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

/** A world with Steve online and snapshots twice a second. */
async function startWorld(stored?: Map<string, unknown>, sidecar = new FakeSidecar()) {
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
  it("[KNOWN-3] asks first; after a yes the figures are 0 and the rest of the visit is not counted", async () => {
    const { game, sidecar, steve } = await startWorld();
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
    expect(steve.messages).toEqual(["Forgotten"]);
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
    "[KNOWN-3] changes nothing if the form is %s",
    async how => {
      const { game, sidecar, steve } = await startWorld();
      game.pack.died(steve.id, undefined);
      await forget(game, steve, how);
      game.pack.died(steve.id, undefined);
      expect(await game.rowOf()).toMatchObject({ deaths: 2 });
      expect([forgot(sidecar), steve.messages, steve.forms.length]).toEqual([[], [], 1]);
      await forget(game, steve);
      expect([steve.messages, steve.forms.length]).toEqual([["Forgotten"], 2]);
    },
  );

  it("[KNOWN-3] ignores stored figures that could not be read when the player said yes", async () => {
    const stored = new Unreadable([[KEY, '{"deaths":7,"kills":7,"ticks":2000,"hidden":true}']]);
    stored.only = KEY;
    const { game, steve } = await startWorld(stored);
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
  it("[KNOWN-4] is retried every half second for a busy player, at most ten times", async () => {
    const { game, steve } = await startWorld();
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
    expect(steve.messages).toEqual(["Forgotten"]);
  });

  it("[KNOWN-4] is shown once, however often the command is used, and blocks link forms while open", async () => {
    const { game, sidecar, steve } = await startWorld();
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

  it("[KNOWN-4] that never ends blocks link forms for a minute, and a late yes still counts", async () => {
    const { game, sidecar, steve } = await startWorld();
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

describe("a forget request", () => {
  it.each(Array.from({ length: 12 }, (_, i) => i))(
    "[KNOWN-5] is reported ahead of all later rows, with the start of the visit, %i ticks into a snapshot",
    async ticks => {
      const { game, sidecar, steve } = await startWorld();
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
      const reported = after.findIndex(({ is }) => is === "forgot");
      const rows = after.slice(reported).flatMap(fact => (fact.is === "snapshot" ? fact.rows : []));
      const ownRows = rows.filter(({ player }) => player.name === "Steve");
      expect(ownRows.length).toBeGreaterThan(1);
      expect(ownRows.filter(({ deaths, playtimeSeconds }) => deaths + playtimeSeconds > 0)).toEqual([]);
      expect(game.stored.get(WAITING)).toBe("[]");
    },
  );

  it("[KNOWN-5] waits for a session, even if the player has left, and precedes its first rows", async () => {
    const { game, sidecar, steve } = await startWorld();
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

  it("[KNOWN-5] waits for at most 64 players, and others are asked to try later", async () => {
    const sidecar = new FakeSidecar();
    sidecar.mode = "refuse";
    const { game, steve } = await startWorld(undefined, sidecar);
    expect(MAX_FORGET_REQUESTS).toBe(64);
    for (let i = 0; i < MAX_FORGET_REQUESTS; i++) await forget(game, game.join(`Player ${i}`));
    await forget(game, steve);
    game.pack.died(steve.id, undefined);
    expect(steve.messages.at(-1)).toMatch(/^Your data cannot be erased right now/);
    const [again] = game.players.slice(1) as [FakePlayer];
    await forget(game, again);
    expect(again.messages).toHaveLength(2);
    expect(again.messages[1]).toBe(again.messages[0]);
    sidecar.mode = "ok";
    await game.tick(100);
    expect(forgot(sidecar)).toHaveLength(MAX_FORGET_REQUESTS);
    expect(await game.rowOf()).toMatchObject({ deaths: 1 });
    await forget(game, steve);
    expect(forgot(sidecar).at(-1)).toMatchObject({ player: ref(steve) });
  });

  it("[KNOWN-5] fails if the world cannot store it, and nothing changes", async () => {
    const { game, sidecar, steve } = await startWorld();
    const { set } = game.stored;
    game.stored.set = function (key, value) {
      if (key === WAITING) throw new Error("full");
      return set.call(this, key, value);
    };
    game.pack.died(steve.id, undefined);
    await forget(game, steve);
    expect([steve.messages, forgot(sidecar)]).toEqual([["Not now"], []]);
    expect(await game.rowOf()).toMatchObject({ deaths: 1 });
  });

  it.each(["{", 7, '[{"player":{}}]'])(
    "is ignored where %j is stored, with one line on the console",
    async damaged => {
      const { game, sidecar, steve } = await startWorld(new Map<string, unknown>([[WAITING, damaged]]));
      await game.tick(40);
      expect(forgot(sidecar)).toEqual([]);
      expect(game.lines.filter(line => line.includes("/bridge:forget requests are damaged"))).toHaveLength(1);
      await forget(game, steve);
      expect(forgot(sidecar)).toHaveLength(1);
    },
  );
});

describe("a player erased on another game server", () => {
  const ask = (player: FakePlayer, counts: boolean) =>
    ({ do: "forget", player: ref(player), counts }) as const;

  it("[KNOWN-6] has figures of 0 here, and is counted from then on", async () => {
    const { game, sidecar, steve } = await startWorld();
    game.pack.died(steve.id, undefined);
    await game.tick(60);
    const done = sidecar.act(ask(steve, true));
    await game.tick(2);
    expect(sidecar.outcome(done)).toMatchObject({ status: "done" });
    await game.tick(20);
    expect(await game.rowOf()).toMatchObject({ deaths: 0, playtimeSeconds: 1 });
    game.pack.died(steve.id, undefined);
    expect(await game.rowOf()).toMatchObject({ deaths: 1 });
    expect([forgot(sidecar), steve.messages, steve.forms.length]).toEqual([[], [], 0]);
  });

  it("[KNOWN-6] is not counted for the rest of this visit if told so, even by an earlier action", async () => {
    const { game, sidecar, steve } = await startWorld();
    for (const counts of [false, true]) sidecar.act(ask(steve, counts));
    await game.tick(2);
    game.pack.died(steve.id, undefined);
    await game.tick(60);
    expect(await game.rowOf()).toMatchObject({ deaths: 0, playtimeSeconds: 0 });
    game.leave(steve);
    game.pack.died(game.join("Steve").id, undefined);
    expect(await game.rowOf()).toMatchObject({ deaths: 1 });
  });

  it("[KNOWN-6] has to be online", async () => {
    const { game, sidecar, steve } = await startWorld();
    game.pack.died(steve.id, undefined);
    const other = sidecar.act(ask({ ...steve, persistentId: "p-Other" }, false));
    await game.tick(2);
    game.leave(steve);
    const offlineAction = sidecar.act(ask(steve, false));
    await game.tick(5);
    expect([other, offlineAction].map(id => sidecar.outcome(id)?.status)).toEqual(["offline", "offline"]);
    expect(game.stored.get(KEY)).toContain('"deaths":1');
  });
});
