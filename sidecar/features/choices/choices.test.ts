import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Action } from "../../../shared/actions.ts";
import type { Fact, FactOf, PlayerRow } from "../../../shared/facts.ts";
import {
  type AppPack,
  browsersOf,
  createTestApp,
  limited,
  row,
  STEVE,
  type TestApp,
} from "../../../test/helpers/test-app.ts";

let app: TestApp;
let main: AppPack;
let lobby: AppPack;
/** A player as a current pack reports them, and as an older one does. */
const steve = (more: Partial<PlayerRow> = {}): PlayerRow => row("Steve", { blocked: false, ...more });
const old = (more: Partial<PlayerRow> = {}): PlayerRow => row("Steve", more);

beforeEach(async () => {
  app = await createTestApp({ servers: [{ name: "lobby", title: "Big Lobby" }] });
  ({ pack: main, lobby } = app);
  await main.snapshot();
  await lobby.snapshot();
});

const listed = (pack: AppPack, ...rows: PlayerRow[]) =>
  pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
const chose = (more: Partial<FactOf<"chose">>, player = STEVE): Fact => ({
  is: "chose",
  player,
  ...more,
});

/** The visible players of a game server, by its index. */
function seen(at: number): string[] {
  const players = app.gameServers.all[at]?.snapshots.fresh()?.players ?? [];
  return players.map(({ name }) => name);
}

/** The choices that a game server has to apply. */
async function sentTo(pack: AppPack): Promise<unknown[]> {
  const actions = (await pack.waiting()).filter(body => body.do === "choose");
  return actions.map(({ blocked, hidden }) => ({ blocked, hidden }));
}

/** Carries out its actions, as the pack does. */
async function obey(pack: AppPack): Promise<Action["body"][]> {
  const actions = await pack.take();
  for (const { id, body } of actions) await pack.report({ is: "outcome", id, do: body.do, status: "done" });
  return actions.map(({ body }) => body);
}

describe("the answer to hello", () => {
  it("[CHOICE-1] names the game server where there are several, and none where there is one", async () => {
    expect((await main.connect("one")).server).toBe("main");
    expect((await lobby.connect("two")).server).toBe("Big Lobby (lobby)");
    expect(await (await createTestApp()).pack.connect()).not.toHaveProperty("server");
  });
});

describe("a player who hides on one game server", () => {
  beforeEach(async () => {
    await main.report({ is: "joined", row: steve() });
    await listed(main, steve({ hidden: true }));
    await main.report(chose({ hidden: true }), { is: "left", id: STEVE.id });
  });

  it.each([
    ["", steve()],
    [" with an older pack", old()],
  ])("[CHOICE-5] is hidden on another from the first report on, and counted%s", async (_what, own) => {
    await lobby.report({ is: "joined", row: own });
    expect([seen(1), app.gameServers.all[1]?.snapshots.fresh()?.allPlayers.length]).toEqual([[], 1]);
    await listed(lobby, own);
    expect(seen(1)).toEqual([]);
    expect(app.events.filter(({ event }) => event.event === "join" && event.server === "lobby")).toEqual([]);
  });

  it("[CHOICE-5] is not named in a death there, even if the pack does not know yet", async () => {
    const alex = row("Alex");
    await listed(lobby, old(), alex);
    await lobby.report(
      { is: "died", player: STEVE, killer: alex.player },
      { is: "died", player: alex.player, killer: STEVE },
    );
    const deaths = app.events.map(({ event }) => event).filter(({ event }) => event === "death");
    expect(deaths).toEqual([expect.objectContaining({ player: expect.objectContaining({ name: "Alex" }) })]);
    expect(deaths[0]).not.toHaveProperty("killer");
  });

  it("[CHOICE-6] is sent to the pack there with each snapshot until the pack reports it", async () => {
    await lobby.report({ is: "joined", row: steve() });
    expect(await sentTo(lobby)).toEqual([{ blocked: false, hidden: true }]);
    // It gets a single action until it has answered.
    await listed(lobby, steve());
    expect(await sentTo(lobby)).toHaveLength(1);
    await obey(lobby);
    await listed(lobby, steve());
    expect(await sentTo(lobby)).toHaveLength(1);
    await obey(lobby);
    await listed(lobby, steve({ hidden: true }));
    expect(await sentTo(lobby)).toEqual([]);
  });

  it("[CHOICE-2] is not sent to an older pack", async () => {
    await listed(lobby, old());
    expect(await lobby.waiting()).toEqual([]);
  });

  it("[CHOICE-4] is visible on all of them again after choosing that on one", async () => {
    await listed(lobby, steve());
    await obey(lobby);
    await listed(lobby, steve({ hidden: true }));
    await lobby.report(chose({ hidden: false }));
    await listed(lobby, steve());
    expect([seen(1), await sentTo(lobby)]).toEqual([["Steve"], []]);
    // The first one still has its earlier state.
    await listed(lobby);
    await listed(main, steve({ hidden: true }));
    expect(await sentTo(main)).toEqual([{ blocked: false, hidden: false }]);
    await obey(main);
    await listed(main, steve());
    expect(seen(0)).toEqual(["Steve"]);
  });

  it("[CHOICE-4] is not made visible by a game server that they are not on, and the log says so", async () => {
    await listed(lobby, row("Alex", { blocked: false }));
    await lobby.report(chose({ hidden: false, blocked: false }));
    await listed(main, steve());
    expect(seen(0)).toEqual([]);
    const server = expect.objectContaining({ fields: expect.objectContaining({ server: "lobby" }) });
    expect(app.log.of("warn")).toEqual([server]);
  });

  it("[CHOICE-3] stays hidden where their choice is reported after they have left", async () => {
    const alex = row("Alex").player;
    await lobby.report(chose({ hidden: true }, alex));
    await listed(main, row("Alex", { blocked: false }));
    expect(seen(0)).toEqual([]);
  });
});

describe("a player who blocks link requests on one game server", () => {
  const { ask, session } = browsersOf(() => app);

  it("[CHOICE-8] gets no request from a pack without that choice: the form closes without a link", async () => {
    await listed(lobby, steve());
    await lobby.report(chose({ blocked: true }), { is: "left", id: STEVE.id });
    await listed(main, old());
    const browser = session();
    const pending = ask(browser);
    const { id } = await main.carryOut("done", { player: STEVE });
    expect(await pending).toEqual(limited("blocked", 3_600));
    expect(await main.waiting()).toEqual([{ do: "link-close", request: id }]);
    await main.report({ is: "answered", request: id, accepted: true });
    expect((await app.links.link(browser)).status).toBe("not_linked");
  });
});

describe("choices from the time with one game server", () => {
  it("[CHOICE-2] are not sent to a world whose pack does not support them", async () => {
    await listed(main, old({ hidden: true }));
    await listed(main);
    await listed(lobby, steve());
    expect(seen(1)).toEqual(["Steve"]);
  });
});

it("[CHOICE-9] are not copied for players without a persistent id", async () => {
  const nameless = { ...STEVE, persistentId: "" };
  const own = { ...steve({ hidden: true }), player: nameless };
  await listed(main, own);
  await main.report(chose({ hidden: true, blocked: true }, nameless));
  await listed(lobby, { ...steve(), player: nameless });
  expect([seen(0), seen(1), await sentTo(lobby)]).toEqual([[], ["Steve"], []]);
});

it("sends and stores no settings if there is one game server", async () => {
  const alone = await createTestApp();
  await alone.begin();
  await listed(alone.pack, steve({ hidden: true, blocked: true }));
  await alone.pack.report(chose({ blocked: true }));
  expect([await alone.pack.waiting(), await alone.stores.choices.chosen([])]).toEqual([[], new Map()]);
  await listed(alone.pack, steve({ blocked: false }));
  expect(alone.server.snapshots.fresh()?.players.map(({ name }) => name)).toEqual(["Steve"]);
});
