import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { type Options, startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { createAsking, held, refusal } from "./asking-steve.ts";

let side: TestSidecar;
let pack: FakePack;
async function begin(limits = "", options: Options = {}): Promise<void> {
  await side?.stop();
  const yaml = `modules.api: { trust-proxy: true, limits: { ${limits} } }`;
  side = await startTestSidecar({ yaml, ...options });
  pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot("Steve", "Alex");
}
beforeEach(() => begin());
afterEach(() => side.stop());

const { session, link, status, opened, answered, later, asked } = createAsking(() => ({ side, pack }));
const sessions = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => session()));

describe("an address or a session that a player refused three times", () => {
  it("is held back for the seconds that Retry-After says, whatever the session, and asks the game nothing", async () => {
    for (let i = 0; i < 3; i++) await answered(false, await session());
    const another = await session();
    expect(held(await link(another))).toEqual(refusal(30));
    await later(17_500);
    expect(held(await link(another))).toEqual(refusal(13));
    expect(await asked()).toEqual([]);
    await later(12_500);
    await answered(false, another);
    expect(held(await link(another))).toEqual(refusal(60));
  });

  it("waits no longer and no shorter when the clock of the machine is set back", async () => {
    for (let i = 0; i < 3; i++) await answered(false, await session());
    await later(10_000);
    side.clock.setBack(3_600_000);
    const another = await session();
    expect(held(await link(another))).toEqual(refusal(20));
    await later(20_000);
    await answered(false, another);
    expect(held(await link(another))).toEqual(refusal(60));
  });

  it("is held back by its session from any address", async () => {
    const cookie = await session();
    for (let i = 0; i < 3; i++) await answered(false, cookie, "Steve", `192.0.2.${i}`);
    expect(held(await link(cookie, "Steve", "198.51.100.1"))).toEqual(refusal(30));
    await opened(await session(), "Steve", "198.51.100.1");
  });

  it("counts an IPv6 address by its network", async () => {
    for (let i = 1; i < 4; i++) await answered(false, await session(), "Steve", `2001:db8::${i}`);
    expect(held(await link(await session(), "Steve", "2001:db8::ffff"))).toEqual(refusal(30));
    await opened(await session(), "Steve", "2001:db8:0:1::1");
  });

  it("is named in the log, with the rule that held it back", async () => {
    for (let i = 0; i < 3; i++) await answered(false, await session());
    for (let i = 0; i < 4; i++) expect((await link(await session())).status).toBe(429);
    await later(5_000);
    expect(side.log.lines).toContainEqual(
      expect.objectContaining({
        fields: { address: "192.0.2.1", refused: 4, limits: { "link-cool-down": 4 } },
      }),
    );
  });

  it("may ask other players, and others may ask the player", async () => {
    const cookie = await session();
    for (let i = 0; i < 3; i++) await answered(false, cookie);
    await opened(cookie, "Alex");
    await opened(await session(), "Steve", "198.51.100.7");
  });

  it("is held back after requests that nobody answered, though no sweep has been since", async () => {
    await answered(false, await session());
    for (const cookie of await sessions(2)) await opened(cookie);
    await later(120_000);
    expect(held(await link(await session()))).toEqual(refusal(30));
  });

  it("keeps its link and its state", async () => {
    const linked = await session();
    await answered(true, linked);
    const declined = await session();
    await answered(false, declined);
    for (let i = 0; i < 2; i++) await answered(false, await session());
    for (const [cookie, state] of [
      [linked, "accepted"],
      [declined, "declined"],
    ] as const) {
      expect((await link(cookie)).status).toBe(429);
      expect(await status(cookie)).toMatchObject({ status: state });
    }
  });

  it("is told first that its own request is open", async () => {
    const open = await session();
    await opened(open);
    for (let i = 0; i < 3; i++) await answered(false, await session());
    expect((await link(open)).json).toEqual({ status: "already_pending" });
    expect((await link(await session())).status).toBe(429);
  });

  it("begins anew once the player accepts", async () => {
    const [open, other] = (await sessions(2)) as [string, string];
    const request = await opened(open);
    for (let i = 0; i < 3; i++) await answered(false, await session());
    expect((await link(other)).status).toBe(429);
    await pack.report({ is: "answered", request, accepted: true });
    for (let i = 0; i < 2; i++) await answered(false, other);
    await opened(other);
  });

  it("is never held back where that is turned off", async () => {
    await begin("link-cool-down: 0s");
    for (let i = 0; i < 6; i++) await answered(false, await session());
  });
});

describe("one player", () => {
  it("has two requests of one address at most, which leaves places for others", async () => {
    const [first = "", second = "", third = ""] = await sessions(3);
    const request = await opened(first);
    await later(10_000);
    await opened(second);
    expect(held(await link(third))).toEqual(refusal(110));
    expect((await link(second)).status).toBe(409);
    expect(await status(third)).toEqual({ status: "not_linked" });
    expect(await asked()).toEqual([]);
    await opened(third, "Alex");
    await opened(await session(), "Steve", "198.51.100.7");
    await pack.report({ is: "answered", request, accepted: true });
    await opened(await session());
  });

  it("is asked ten times within a minute at most, from however many addresses", async () => {
    for (let i = 0; i < 10; i++) {
      await answered(true, await session(), "Steve", `192.0.2.${i}`);
      await later(1_000);
    }
    expect(held(await link(await session(), "Steve", "198.51.100.1"))).toEqual(refusal(50));
    await opened(await session(), "Alex");
    await later(50_000);
    await opened(await session());
    expect(held(await link(await session(), "Steve", "198.51.100.1"))).toEqual(refusal(1));
  });

  it("is asked no more often by requests of the same moment", async () => {
    await begin("link-requests-per-minute-per-player: 1");
    const both = (await sessions(2)).map(cookie => link(cookie));
    await pack.carryOut("done", { player: row("Steve").player });
    const answers = await Promise.all(both);
    expect(answers.map(each => each.status).sort()).toEqual([202, 429]);
    expect(await asked()).toEqual([]);
  });

  it.each([1, 3])(
    "[FORM-8] is asked %i times by requests of the same moment, though nobody knows yet who has joined",
    async most => {
      await begin(`link-requests-per-minute-per-player: ${most}`);
      const herobrine = row("Herobrine").player;
      const cookies = await sessions(most + 2);
      const all = cookies.map((cookie, i) => link(cookie, "Herobrine", `192.0.2.${i}`));
      const requests: string[] = [];
      while (requests.length < all.length)
        for (const { id, body } of await pack.take()) if (body.do === "link-open") requests.push(id);
      for (const id of requests) await pack.report({ is: "outcome", id, status: "done", player: herobrine });
      const answers = await Promise.all(all);
      const over = answers.filter(each => each.status !== 202);
      expect(over.map(held)).toEqual([refusal(60), refusal(60)]);
      expect((await pack.take()).map(({ body }) => body)).toEqual(
        requests.slice(most).map(request => ({ do: "link-close", request })),
      );
      const states = await Promise.all(cookies.map(status));
      expect(states).toEqual(
        answers.map(each => ({ status: each.status === 202 ? "pending" : "not_linked" })),
      );
      await later(60_000);
      await opened(cookies[answers.findIndex(each => each.status === 429)] ?? "", "Herobrine");
    },
  );

  it("has the requests counted that were answered 202, and no others", async () => {
    await begin("link-requests-per-minute-per-player: 1");
    for (const outcome of ["busy", "offline", "blocked"] as const) {
      const refused = link(await session());
      await pack.carryOut(outcome);
      expect((await refused).status).not.toBe(202);
    }
    const open = await session();
    await opened(open);
    expect((await link(open)).status).toBe(409);
    expect((await link(await session())).status).toBe(429);
  });

  it("who is not online is answered for with 422, many at once too", async () => {
    await begin("link-requests-per-minute-per-player: 1");
    const all = (await sessions(5)).map(cookie => link(cookie, "Nobody"));
    for (let left = 5; left > 0; ) {
      const actions = await pack.take();
      for (const { id } of actions) await pack.report({ is: "outcome", id, status: "offline" });
      left -= actions.length;
    }
    expect((await Promise.all(all)).map(each => each.status)).toEqual(Array(5).fill(422));
  });
});

describe("a player who blocked requests", () => {
  it("[FORM-10] is answered for with 429 and an hour, and everything stays as it is", async () => {
    const cookie = await session();
    await answered(true, cookie, "Alex");
    for (let i = 0; i < 5; i++) {
      const refused = link(cookie);
      await pack.carryOut("blocked");
      expect(held(await refused)).toEqual(refusal(3_600));
    }
    expect(await status(cookie)).toMatchObject({ status: "accepted", playerData: { name: "Alex" } });
    expect(await asked()).toEqual([]);
  });
});

describe("a hidden player", () => {
  const hidden = row("Steve", { hidden: true });
  const report = (...rows: ReturnType<typeof row>[]) =>
    pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
  const players = () => ask(side.base, "/players");
  const names = async () => ((await players()).json as { name: string }[]).map(({ name }) => name);

  it("[FACT-13] is in no list of players, and is counted", async () => {
    await report(hidden, row("Alex"));
    expect(await names()).toEqual(["Alex"]);
    expect((await ask(side.base, "/status")).json).toMatchObject({ onlinePlayerCount: 2 });
    expect((await players()).text).not.toContain("hidden");
    await pack.report({ is: "joined", row: row("Herobrine", { hidden: true }) });
    expect(await names()).toEqual(["Alex"]);
    await report(row("Steve"), row("Alex"));
    expect(await names()).toEqual(["Steve", "Alex"]);
  });

  it("leaves no trace in the entity tag of the list", async () => {
    await report(row("Alex"));
    const before = (await players()).headers.get("etag");
    await report(hidden, row("Alex"));
    expect((await players()).headers.get("etag")).toBe(before);
    await report({ ...hidden, health: 3 }, row("Alex"));
    expect((await players()).headers.get("etag")).toBe(before);
  });

  it("can be linked to, and is shown to her own browser", async () => {
    await report(hidden);
    const cookie = await session();
    await answered(true, cookie);
    expect(await status(cookie)).toMatchObject({ status: "accepted", playerData: { name: "Steve" } });
    expect(JSON.stringify(await status(cookie))).not.toContain("hidden");
  });
});
