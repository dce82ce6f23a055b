import { describe, expect, it } from "@jest/globals";
import { createMemoryRates } from "../../sidecar/store/rates.ts";
import { ManualClock } from "../helpers/clock.ts";
import { LateRates } from "../helpers/late-rates.ts";
import { browsersOf, type House, held, houseWith, row } from "./house.ts";

let house: House;
const { session, ask, deal } = browsersOf(() => house);
const SENT = { answer: "verification_sent" };

describe.each([
  ["in this process", createMemoryRates],
  ["elsewhere", (clock: ManualClock) => new LateRates(clock)],
])("requests of all of the web together, counted %s,", (_where, ratesOf) => {
  const LATER = held("everybody", 0.1);
  async function begin(own = ""): Promise<void> {
    const clock = new ManualClock();
    const rates = ratesOf(clock);
    const yaml = `modules.api: { limits: { ${own} } }`;
    house = await houseWith(["Steve", "Alex"], { clock, yaml, with: () => ({ rates }) });
  }
  let addresses = 0;
  /** Somebody else asks each time. */
  const link = (username: string) => ask(session(), username, `somebody ${addresses++}`);
  async function linked(username: string): Promise<void> {
    const asked = link(username);
    await deal(1, "done");
    expect(await asked).toEqual(SENT);
  }
  /** So many ask for names of their own; the answers, counted. */
  async function flood(count: number, goOn: number): Promise<Record<string, number>> {
    const asked = Array.from({ length: count }, (_, i) => link(`Nobody ${i}`));
    await deal(goOn, "offline");
    const answers: Record<string, number> = {};
    for (const { answer } of await Promise.all(asked)) answers[answer] = (answers[answer] ?? 0) + 1;
    return answers;
  }

  it("reach the game 60 at once and 10 a second for names that nobody has, and keep nobody from a player", async () => {
    await begin();
    expect(await flood(90, 60)).toEqual({ player_offline: 60, held: 30 });
    expect(await link("Nobody")).toEqual(LATER);
    await linked("Steve");
    house.clock.advance(1_000);
    expect(await flood(20, 10)).toEqual({ player_offline: 10, held: 10 });
  });

  it("know a hidden player as one who is online", async () => {
    await begin("link-requests-burst: 2");
    const rows = [row("Steve", { hidden: true })];
    await house.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
    await flood(3, 2);
    await linked("Steve");
  });

  it("reach the game no more often for players online, as often as the settings say", async () => {
    await begin("link-requests-burst: 2, link-requests-per-second: 5");
    for (const name of ["Steve", "Alex"]) await linked(name);
    expect(await link("Alex")).toEqual(held("everybody", 0.2));
    house.clock.advance(199);
    expect(await link("Alex")).toMatchObject(held("everybody", 0.2));
    house.clock.advance(1);
    await linked("Alex");
  });

  it.each([
    ["blocked", held("blocked", 3_600)],
    ["busy", { answer: "busy" }],
  ] as const)("keep nobody from another player while one is %s, for ten seconds", async (outcome, answer) => {
    await begin("link-requests-burst: 2, link-requests-per-second: 1");
    for (let i = 0; i < 3; i++) {
      const asked = link("Steve");
      await deal(1, outcome);
      expect(await asked).toEqual(answer);
    }
    expect(await link("Steve")).toEqual(held("everybody", 1));
    await linked("Alex");
    // From then on Steve counts as one whom a form may reach again.
    house.clock.advance(9_999);
    await flood(4, 2);
    expect(await link("Steve")).toEqual(held("everybody", 1));
    house.clock.advance(1);
    await linked("Steve");
  });
});
