import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { LateRates } from "../../../test/helpers/late-rates.ts";
import {
  browsersOf,
  createTestApp,
  limited,
  row,
  STEVE,
  sessionOf,
  type TestApp,
} from "../../../test/helpers/test-app.ts";
import { createMemoryRates } from "../../kernel/storage/memory-rates.ts";

let app: TestApp;
async function begin(limits = ""): Promise<void> {
  app = await createTestApp({ players: ["Steve", "Alex"], yaml: `modules.api: { limits: { ${limits} } }` });
}
beforeEach(() => begin());

const { session, ask, deal, opened, status } = browsersOf(() => app);
const SENT = { answer: "verification_sent" };
const later = (ms: number): Promise<void> => app.later(ms, "Steve", "Alex");

describe("two sessions with the same first eight characters", () => {
  const [one, two] = [1, 2].map(end => `0123abcd-0000-4000-8000-00000000000${end}`) as [string, string];
  const conflict = (seconds: number) => limited("same-browser", seconds);
  const link = (own: string) => app.links.link(own);

  it("end each other's request for one player: the form closes, and both sessions get the reason", async () => {
    const request = await opened(one);
    await later(20_000);
    expect(await ask(two)).toEqual(conflict(120));
    expect([await link(one), await link(two)]).toMatchObject([
      { status: "declined", alike: request },
      { status: "declined", alike: expect.any(String) },
    ]);
    expect(await app.pack.waiting()).toEqual([{ do: "link-close", request }]);
    await app.pack.report({ is: "answered", request, accepted: true });
    expect(await status(one)).toBe("declined");
  });

  it("can send requests to two players at the same time", async () => {
    await opened(one);
    await opened(two, "Alex");
    expect([await status(one), await status(two)]).toEqual(["pending", "pending"]);
  });

  it("count as declined even before the game has answered, as the player may have seen the form", async () => {
    for (const pair of [0, 1, 2]) {
      const [first, second] = [1, 2].map(end => `0123abc${pair}-0000-4000-8000-00000000000${end}`);
      const pending = ask(`${first}`);
      const [open] = await app.pack.take();
      expect(await ask(`${second}`)).toEqual(conflict(120));
      await app.pack.report({ is: "outcome", id: `${open?.id}`, status: "done", player: STEVE });
      expect(await pending).toEqual(conflict(120));
      expect((await app.pack.take()).map(({ body }) => body.do)).toContain("link-close");
    }
    expect(await ask(session())).toEqual(limited("cool-down", 30));
  });
});

describe("a request that its browser cancels", () => {
  const own = sessionOf(0x0123abcd);
  /** A request reaches the player, and is cancelled; the form is closed. */
  async function openedAndCancelled(browser: string): Promise<void> {
    await opened(browser);
    expect(await app.links.cancelRequest(browser)).toMatchObject({ name: "Steve" });
    expect((await app.pack.take()).map(({ body }) => body.do)).toEqual(["link-close"]);
  }

  it("ends: its form closes, and the player's answer to it changes nothing", async () => {
    const request = await opened(own);
    expect(await app.links.cancelRequest(own)).toMatchObject({ name: "Steve" });
    expect(await app.pack.waiting()).toEqual([{ do: "link-close", request }]);
    await app.pack.report({ is: "answered", request, accepted: true });
    expect([await status(own), await app.links.cancelRequest(own)]).toEqual(["not_linked", undefined]);
    // As after an unlink, the session is known for a while.
    expect(await app.links.known(own)).toMatchObject({ status: "not_linked" });
  });

  it("does not restore the link that it replaced", async () => {
    await app.pack.report({ is: "answered", request: await opened(own, "Alex"), accepted: true });
    await opened(own);
    expect(await app.links.cancelRequest(own)).toMatchObject({ name: "Steve" });
    expect(await status(own)).toBe("not_linked");
  });

  it("cannot be cancelled before the game has found the player", async () => {
    const pending = ask(own);
    const [action] = await app.pack.take();
    expect(await app.links.cancelRequest(own)).toBeUndefined();
    await app.pack.report({ is: "outcome", id: `${action?.id}`, status: "done", player: STEVE });
    expect([await pending, await status(own)]).toEqual([SENT, "pending"]);
  });

  it("counts as declined: the third within ten minutes starts the cool-down", async () => {
    for (let i = 0; i < 3; i++) await openedAndCancelled(own);
    expect(await ask(own)).toEqual(limited("cool-down", 30));
    expect(await ask(session())).toEqual(limited("cool-down", 30));
  });

  it("still counts for the requests that reach the player within a minute", async () => {
    await begin("link-requests-per-minute-per-player: 2");
    for (const other of [session(), session()]) await openedAndCancelled(other);
    expect(await ask(session(), "Steve", "192.0.2.2")).toEqual(limited("player-rate", 60));
  });
});

describe("one player", () => {
  it.each([1, 3])(
    "[FORM-8] gets %i of several simultaneous requests, even if they are not listed yet",
    async most => {
      await begin(`link-requests-per-minute-per-player: ${most}`);
      const herobrine = row("Herobrine").player;
      const all = Array.from({ length: most + 2 }, (_, i) => ask(sessionOf(i), "Herobrine", `192.0.2.${i}`));
      const requests: string[] = [];
      while (requests.length < all.length) for (const { id } of await app.pack.take()) requests.push(id);
      for (const id of requests)
        await app.pack.report({ is: "outcome", id, status: "done", player: herobrine });
      const over = limited("player-rate", 60);
      expect(await Promise.all(all)).toEqual([...Array(most).fill(SENT), over, over]);
      expect((await app.pack.take()).map(({ body }) => body)).toEqual(
        requests.slice(most).map(request => ({ do: "link-close", request })),
      );
      const states = await Promise.all(all.map((_, i) => status(sessionOf(i))));
      expect(states).toEqual([...Array(most).fill("pending"), "not_linked", "not_linked"]);
      await later(60_000);
      await opened(sessionOf(most), "Herobrine");
    },
  );
});

describe.each([
  ["in this process", createMemoryRates],
  ["elsewhere", (clock: ManualClock) => new LateRates(clock)],
])("requests of all browsers together, counted %s,", (_where, ratesOf) => {
  const LATER = limited("everybody", 0.1);
  async function begin(own = ""): Promise<void> {
    const clock = new ManualClock();
    const rates = ratesOf(clock);
    const yaml = `modules.api: { limits: { ${own} } }`;
    app = await createTestApp({ players: ["Steve", "Alex"], clock, yaml, with: () => ({ rates }) });
  }
  let addresses = 0;
  /** Somebody else asks each time. */
  const link = (username: string) => ask(session(), username, `somebody ${addresses++}`);
  async function linked(username: string): Promise<void> {
    const pending = link(username);
    await deal(1, "done");
    expect(await pending).toEqual(SENT);
  }
  /** Sends this many requests, each for another name; the answers, counted. */
  async function flood(count: number, goOn: number): Promise<Record<string, number>> {
    const pending = Array.from({ length: count }, (_, i) => link(`Nobody ${i}`));
    await deal(goOn, "offline");
    const answers: Record<string, number> = {};
    for (const { answer } of await Promise.all(pending)) answers[answer] = (answers[answer] ?? 0) + 1;
    return answers;
  }

  it("reach the game in bursts of 60 and 10 a second for unknown names, without holding up requests for players online", async () => {
    await begin();
    expect(await flood(90, 60)).toEqual({ player_offline: 60, limited: 30 });
    expect(await link("Nobody")).toEqual(LATER);
    await linked("Steve");
    app.clock.advance(1_000);
    expect(await flood(20, 10)).toEqual({ player_offline: 10, limited: 10 });
  });

  it("treat a hidden player as online", async () => {
    await begin("link-requests-burst: 2");
    const rows = [row("Steve", { hidden: true })];
    await app.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
    await flood(3, 2);
    await linked("Steve");
  });

  it("have the configured limits for players online, too", async () => {
    await begin("link-requests-burst: 2, link-requests-per-second: 5");
    for (const name of ["Steve", "Alex"]) await linked(name);
    expect(await link("Alex")).toEqual(limited("everybody", 0.2));
    app.clock.advance(199);
    expect(await link("Alex")).toMatchObject(limited("everybody", 0.2));
    app.clock.advance(1);
    await linked("Alex");
  });

  it.each([
    ["blocked", limited("blocked", 3_600)],
    ["busy", { answer: "busy" }],
  ] as const)("keep nobody from another player while one is %s, for ten seconds", async (outcome, answer) => {
    await begin("link-requests-burst: 2, link-requests-per-second: 1");
    for (let i = 0; i < 3; i++) {
      const pending = link("Steve");
      await deal(1, outcome);
      expect(await pending).toEqual(answer);
    }
    expect(await link("Steve")).toEqual(limited("everybody", 1));
    await linked("Alex");
    // From then on Steve counts as one whom a form may reach again.
    app.clock.advance(9_999);
    await flood(4, 2);
    expect(await link("Steve")).toEqual(limited("everybody", 1));
    app.clock.advance(1);
    await linked("Steve");
  });
});
