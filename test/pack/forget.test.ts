import { describe, expect, it } from "@jest/globals";
import type { FormEnd } from "../../behavior_pack/ports.ts";
import { forget, forgot, KEY, rowOf, world } from "./forgetting.ts";
import { linkOpen as open, Unreadable } from "./harness.ts";

describe("/bridge:forget", () => {
  it("[KNOWN-3] asks, and with a yes has no figures and counts nothing of the rest of the visit", async () => {
    const { game, sidecar, steve } = await world();
    const alex = game.join("Alex");
    game.pack.died(steve.id, undefined);
    game.pack.died(alex.id, steve.id);
    await game.tick(100);
    expect(await rowOf(game)).toMatchObject({ deaths: 1, playerKills: 1, playtimeSeconds: 5 });
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
    expect(await rowOf(game)).toMatchObject(nothing);
    game.pack.died(steve.id, alex.id);
    game.pack.died(alex.id, steve.id);
    await game.tick(100);
    expect(await rowOf(game)).toMatchObject(nothing);
    expect(await rowOf(game, "Alex")).toMatchObject({ deaths: 2, playerKills: 1 });
    game.leave(steve);
    game.pack.died(alex.id, steve.id);
    await game.tick(2);
    expect(sidecar.of("left")[0]?.row).toMatchObject(nothing);
    const back = game.join("Steve");
    game.pack.died(back.id, undefined);
    await game.tick(30);
    expect(await rowOf(game)).toMatchObject({ deaths: 1, playerKills: 0, playtimeSeconds: 2 });
  });

  it.each<FormEnd>(["declined", "closed", "quit"])(
    "[KNOWN-3] changes nothing where the form is %s",
    async how => {
      const { game, sidecar, steve } = await world();
      game.pack.died(steve.id, undefined);
      await forget(game, steve, how);
      game.pack.died(steve.id, undefined);
      expect(await rowOf(game)).toMatchObject({ deaths: 2 });
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
    expect(await rowOf(game)).toMatchObject({ deaths: 0, playerKills: 0, hidden: true });
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
