import { describe, expect, it } from "@jest/globals";
import { FakeSidecar } from "./fake-sidecar.ts";
import { linkOpen as open, playground, Unreadable, withSteve as world } from "./harness.ts";

const wanted = (request: string, player: object) =>
  ({ request, player, browser: "0123abcd", openForMs: 120_000, open: true }) as FakeSidecar["links"][number];

/** What has been told of requests. */
const answers = (sidecar: FakeSidecar) =>
  sidecar.of("answered").map(({ request, accepted }) => [request, accepted]);

describe("/bridge:block", () => {
  it("[FORM-10] keeps every request from the player, until /bridge:unblock", async () => {
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
    const taken = sidecar.act(open("r3"));
    await game.tick(5);
    expect(sidecar.outcome(taken)).toMatchObject({ status: "done" });
    expect(steve.forms).toHaveLength(1);
  });

  it("[FORM-11] declines the request on the screen and those that wait, of this player alone", async () => {
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
    expect(steve.heard).toEqual([]);
  });

  it("[FORM-11] tells requests that a hello brings as declined, also of one who joins later", async () => {
    const { game, steve, commands } = await world();
    commands.block(steve);
    await game.tick(2);
    const again = playground(new FakeSidecar(), game.stored);
    again.sidecar.links = [
      wanted("r1", { id: "-Steve", persistentId: "p-Steve", name: "Steve" }),
      wanted("r2", { id: "-Alex", persistentId: "p-Alex", name: "Alex" }),
    ];
    await again.start();
    expect(answers(again.sidecar)).toEqual([]);
    const [back, alex] = [again.join("Steve"), again.join("Alex")];
    await again.tick(60);
    expect(answers(again.sidecar)).toEqual([["r1", false]]);
    expect([back.forms.length, alex.forms.length]).toEqual([0, 1]);
  });

  it("is for players who are there", async () => {
    const { commands } = await world();
    for (const name of ["block", "unblock", "hide", "show"] as const)
      expect(commands[name](undefined)).toEqual({ done: false, text: "Players only" });
  });
});

describe("a player whose choices cannot be read yet", () => {
  const begin = async (chosen: object) => {
    const figures = JSON.stringify({ deaths: 1, kills: 1, ticks: 400, ...chosen });
    const stored = new Unreadable([["web_bridge:player:p-Steve", figures]]);
    const sidecar = new FakeSidecar();
    sidecar.links = [wanted("r0", { id: "-Steve", persistentId: "p-Steve", name: "Steve" })];
    return { stored, ...(await world(sidecar, stored)) };
  };
  const hidden = (sidecar: FakeSidecar) => sidecar.rows().map(row => row.hidden);

  it("[FORM-10] [FACT-13] is asked nothing and is in no list, until they can", async () => {
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
  /** Has the player decline so many forms. */
  async function decline(game: ReturnType<typeof playground>, times: number): Promise<void> {
    const [steve] = game.players;
    for (let i = 0; i < times; i++) {
      game.sidecar.act(open(`r${game.sidecar.seq}`));
      await game.tick(15);
      steve?.forms.at(-1)?.ended("declined");
      await game.tick(2);
    }
  }

  it("hears of /bridge:block after the second time within ten minutes, and once", async () => {
    const { game, steve } = await world();
    await decline(game, 1);
    expect(steve.heard).toEqual([]);
    await decline(game, 4);
    expect(steve.heard).toEqual(["Hint"]);
  });

  it("hears nothing where ten minutes lie in between, nor for forms that were only closed", async () => {
    const { game, steve } = await world();
    await decline(game, 1);
    game.state.now += 10 * 60_000;
    await game.tick(100);
    await decline(game, 1);
    game.sidecar.act(open("closed"));
    await game.tick(15);
    steve.forms.at(-1)?.ended("closed");
    await game.tick(30);
    expect(steve.heard).toEqual([]);
    await decline(game, 1);
    expect(steve.heard).toEqual(["Hint"]);
  });
});

describe("/bridge:hide", () => {
  it("[FACT-13] says so in the player's row within a second, until /bridge:show", async () => {
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
