import { describe, expect, it } from "@jest/globals";
import { FakeSidecar } from "../testing/fake-sidecar.ts";
import {
  away,
  linkOpen as open,
  playground,
  STEVE_KEY,
  Unreadable,
  withSteve as world,
} from "../testing/harness.ts";

const pendingLink = (request: string, player: object) =>
  ({ request, player, browser: "0123abcd", openForMs: 120_000, open: true }) as FakeSidecar["links"][number];

/** Answers reported for link requests. */
const answers = (sidecar: FakeSidecar) =>
  sidecar.of("answered").map(({ request, accepted }) => [request, accepted]);

const STEVE = { id: "-Steve", persistentId: "p-Steve", name: "Steve" };
/** Ticks until a choice is reported. */
const SECOND = 22;

/** A world whose sidecar serves several game servers, or only this one. */
async function worldOf(stored?: Map<string, unknown>, areSeveral = true) {
  const sidecar = new FakeSidecar();
  sidecar.server = areSeveral ? "Big Lobby (lobby)" : undefined;
  const made = await world(sidecar, stored);
  await made.game.tick(SECOND);
  return made;
}

/** The reported choices. */
const chosen = (sidecar: FakeSidecar) => sidecar.of("chose").map(({ is: _, ...choice }) => choice);
const rowOf = (sidecar: FakeSidecar, name = "Steve") =>
  sidecar.rows().find(({ player }) => player.name === name);
const choose = (blocked: boolean, hidden: boolean) =>
  ({ do: "choose", player: STEVE, blocked, hidden }) as const;

describe("/bridge:block", () => {
  it("[FORM-10] keeps all requests from the player until /bridge:unblock", async () => {
    const { game, sidecar, steve, commands } = await world();
    expect(commands.block(steve)).toEqual({ done: true, text: "Blocked" });
    const refused = sidecar.act(open("r1"));
    const offline = sidecar.act(open("r2", "Nobody"));
    await game.tick(5);
    expect(sidecar.outcome(refused)).toEqual({
      is: "outcome",
      id: refused,
      do: "link-open",
      status: "blocked",
    });
    expect(sidecar.outcome(offline)).toMatchObject({ status: "offline" });
    expect(steve.forms).toEqual([]);
    expect(commands.unblock(steve)).toEqual({ done: true, text: "Unblocked" });
    const afterUnblock = sidecar.act(open("r3"));
    await game.tick(5);
    expect(sidecar.outcome(afterUnblock)).toMatchObject({ status: "done" });
    expect(steve.forms).toHaveLength(1);
  });

  it("[FORM-11] declines the open and the waiting requests, only of this player", async () => {
    const { game, sidecar, steve, commands } = await world();
    const alex = game.join("Alex");
    for (const request of ["r1", "r2"]) sidecar.act(open(request));
    sidecar.act(open("r3", "Alex"));
    await game.tick(25);
    commands.block(steve);
    expect(steve.closed).toBe(0);
    await game.tick(3);
    expect(steve.closed).toBe(1);
    expect(answers(sidecar)).toEqual([
      ["r1", false],
      ["r2", false],
    ]);
    steve.forms[0]?.ended("accepted");
    await game.tick(50);
    expect(answers(sidecar)).toHaveLength(2);
    expect([steve.forms.length, alex.forms.length]).toEqual([1, 1]);
    expect(steve.messages).toEqual([]);
  });

  it("[FORM-11] declines requests from a hello, even for a player who joins later", async () => {
    const { game, steve, commands } = await world();
    commands.block(steve);
    await game.tick(2);
    const again = playground(new FakeSidecar(), game.stored);
    again.sidecar.links = [
      pendingLink("r1", STEVE),
      pendingLink("r2", { id: "-Alex", persistentId: "p-Alex", name: "Alex" }),
    ];
    await again.start();
    expect(answers(again.sidecar)).toEqual([]);
    const [back, alex] = [again.join("Steve"), again.join("Alex")];
    await again.tick(60);
    expect(answers(again.sidecar)).toEqual([["r1", false]]);
    expect([back.forms.length, alex.forms.length]).toEqual([0, 1]);
  });

  it("is only for online players", async () => {
    const { commands } = await world();
    for (const name of ["block", "unblock", "hide", "show"] as const)
      expect(commands[name](undefined)).toEqual({ done: false, text: "Players only" });
  });
});

describe("a player whose choices cannot be read yet", () => {
  const begin = async (chosen: object) => {
    const figures = JSON.stringify({ deaths: 1, kills: 1, ticks: 400, ...chosen });
    const stored = new Unreadable([[STEVE_KEY, figures]]);
    const sidecar = new FakeSidecar();
    sidecar.links = [pendingLink("r0", STEVE)];
    return { stored, ...(await world(sidecar, stored)) };
  };
  const hidden = (sidecar: FakeSidecar) => sidecar.rows().map(row => row.hidden);

  it("[FORM-10] [FACT-13] gets no form and is hidden until they can be read", async () => {
    const { stored, game, sidecar, steve } = await begin({});
    const early = sidecar.act(open("r1"));
    await game.tick(100);
    expect(sidecar.outcome(early)).toMatchObject({ status: "busy" });
    expect([steve.forms.length, hidden(sidecar)]).toEqual([0, [true]]);
    stored.failing = false;
    await game.tick(22);
    const late = sidecar.act(open("r2"));
    await game.tick(200);
    expect(sidecar.outcome(late)).toMatchObject({ status: "done" });
    expect([steve.forms.length, hidden(sidecar)]).toEqual([1, [undefined]]);
    expect(answers(sidecar)).toEqual([]);
  });
});

describe("a player who declines", () => {
  /** Declines the given number of forms. */
  async function decline(game: ReturnType<typeof playground>, times: number): Promise<void> {
    const [steve] = game.players;
    for (let i = 0; i < times; i++) {
      game.sidecar.act(open(`r${game.sidecar.seq}`));
      await game.tick(15);
      steve?.forms.at(-1)?.ended("declined");
      await game.tick(2);
    }
  }

  it("gets a hint about /bridge:block once, after the second time within ten minutes", async () => {
    const { game, steve } = await world();
    await decline(game, 1);
    expect(steve.messages).toEqual([]);
    await decline(game, 4);
    expect(steve.messages).toEqual(["Hint"]);
  });

  it("gets no hint if ten minutes lie in between, or if forms were only closed", async () => {
    const { game, steve } = await world();
    await decline(game, 1);
    game.state.now += 10 * 60_000;
    await game.tick(100);
    await decline(game, 1);
    game.sidecar.act(open("closed"));
    await game.tick(15);
    steve.forms.at(-1)?.ended("closed");
    await game.tick(30);
    expect(steve.messages).toEqual([]);
    await decline(game, 1);
    expect(steve.messages).toEqual(["Hint"]);
  });
});

describe("/bridge:hide", () => {
  it("[FACT-13] marks the player's row within a second, until /bridge:show", async () => {
    const { game, sidecar, steve, commands } = await world();
    game.join("Alex");
    await game.tick(30);
    expect(JSON.stringify(sidecar.rows())).not.toContain("hidden");
    expect(commands.hide(steve)).toEqual({ done: true, text: "Hidden" });
    await game.tick(22);
    expect(sidecar.rows().map(({ player, hidden }) => [player.name, hidden])).toEqual([
      ["Steve", true],
      ["Alex", undefined],
    ]);
    expect(commands.show(steve)).toEqual({ done: true, text: "Shown" });
    await game.tick(22);
    expect(JSON.stringify(sidecar.rows())).not.toContain("hidden");
  });
});

describe("a choice on one of several game servers", () => {
  it("[CHOICE-3] is reported within a second, ahead of the row that reflects it", async () => {
    const { game, sidecar, steve, commands } = await worldOf();
    expect(rowOf(sidecar)).toMatchObject({ blocked: false });
    commands.hide(steve);
    commands.block(steve);
    await game.tick(SECOND);
    expect(chosen(sidecar)).toEqual([{ player: STEVE, hidden: true, blocked: true }]);
    const last = sidecar.facts.slice(-2).map(({ is }) => is);
    expect(last).toEqual(["chose", "snapshot"]);
    await game.tick(120);
    expect(rowOf(sidecar)).toMatchObject({ hidden: true, blocked: true });
    commands.show(steve);
    await game.tick(SECOND);
    expect(chosen(sidecar).at(-1)).toEqual({ player: STEVE, hidden: false });
    expect(chosen(sidecar)).toHaveLength(2);
    commands.unblock(steve);
    await game.tick(SECOND);
    expect(chosen(sidecar).slice(2)).toEqual([{ player: STEVE, blocked: false }]);
  });

  it("[CHOICE-3] is reported once at the next visit if the script ended before", async () => {
    const { game, steve, commands } = await worldOf();
    await away(game);
    commands.hide(steve);
    await game.tick(3);
    game.pack.stop();
    expect(game.stored.get(STEVE_KEY)).toContain('"untold":["hidden"]');
    const next = await worldOf(game.stored);
    await next.game.tick(120);
    expect(chosen(next.sidecar)).toEqual([{ player: STEVE, hidden: true }]);
    expect(game.stored.get(STEVE_KEY)).not.toContain("untold");
    expect(game.stored.get(STEVE_KEY)).toContain('"hidden":true');
    const third = await worldOf(game.stored);
    await third.game.tick(120);
    expect(chosen(third.sidecar)).toEqual([]);
    expect(rowOf(third.sidecar)).toMatchObject({ hidden: true, blocked: false });
  });

  it("[CHOICE-1] is not reported with a single game server, and nothing else is stored for it", async () => {
    const { game, sidecar, steve, commands } = await worldOf(new Map(), false);
    commands.hide(steve);
    commands.block(steve);
    await game.tick(200);
    expect(chosen(sidecar)).toEqual([]);
    expect(rowOf(sidecar)).not.toHaveProperty("blocked");
    game.pack.stop();
    expect(game.stored.get(STEVE_KEY)).not.toContain("untold");
  });
});

describe("a choice from another game server", () => {
  it("[CHOICE-7] applies as if made here, and is not reported back", async () => {
    const { game, sidecar, steve, commands } = await worldOf();
    sidecar.act(open("r1"));
    await game.tick(30);
    expect(steve.forms).toHaveLength(1);
    const done = sidecar.act(choose(true, true));
    await game.tick(SECOND);
    expect(sidecar.outcome(done)).toEqual({ is: "outcome", id: done, do: "choose", status: "done" });
    expect(sidecar.of("answered")).toEqual([{ is: "answered", request: "r1", accepted: false }]);
    expect(rowOf(sidecar)).toMatchObject({ hidden: true, blocked: true });
    expect(steve.messages).toEqual([]);
    game.leave(steve);
    await game.tick(3);
    expect(JSON.parse(String(game.stored.get(STEVE_KEY)))).toMatchObject({ hidden: true, blocked: true });
    game.pack.joined(game.add("Steve"));
    await game.tick(SECOND);
    sidecar.act(choose(false, false));
    await game.tick(SECOND);
    expect(rowOf(sidecar)).not.toHaveProperty("hidden");
    expect(rowOf(sidecar)).toMatchObject({ blocked: false });
    expect(chosen(sidecar)).toEqual([]);
    expect(commands.hide(game.players[0])).toMatchObject({ done: true });
  });

  it("[CHOICE-7] does not override an unreported choice made here", async () => {
    const { game, sidecar, steve, commands } = await worldOf();
    commands.hide(steve);
    await game.tick(3);
    commands.show(steve);
    sidecar.act(choose(true, true));
    await game.tick(3);
    expect(chosen(sidecar)).toEqual([{ player: STEVE, hidden: true }]);
    await game.tick(120);
    expect(chosen(sidecar).slice(1)).toEqual([{ player: STEVE, hidden: false }]);
    expect(rowOf(sidecar)).not.toHaveProperty("hidden");
    expect(rowOf(sidecar)).toMatchObject({ blocked: true });
  });
});

describe("/bridge:status", () => {
  it("[CHOICE-1] names the game server if there are several, while connected", async () => {
    const { game, sidecar, commands } = await worldOf();
    expect(commands.status(undefined).text?.split("\n").at(-1)).toBe("Server Big Lobby (lobby)");
    await away(game);
    expect(commands.status(undefined).text).not.toContain("Server");
    sidecar.server = undefined;
    sidecar.mode = "ok";
    await game.tick(100);
    expect(commands.status(undefined).text).not.toContain("Server");
  });
});
