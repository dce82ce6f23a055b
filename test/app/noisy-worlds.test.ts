import { describe, expect, it } from "@jest/globals";
import type { Fact } from "../../shared/facts.ts";
import { MAX_FACTS } from "../../shared/limits.ts";
import { CAPACITY } from "../../sidecar/bridge/queue.ts";
import { ManualClock } from "../helpers/clock.ts";
import { type AppPack, type House, openHouse, row, said, sessionOf } from "./house.ts";

const yaml = 'servers: [{name: survival, token: "a-token-of-the-second-0123456789"}]';

async function two(more = ""): Promise<{ house: House; noisy: AppPack; quiet: AppPack }> {
  const house = await openHouse({ yaml: `${yaml}\n${more}`, clock: new ManualClock() });
  const [noisy, quiet] = house.packs;
  if (!noisy || !quiet) throw new Error("there are no two worlds");
  await noisy.connect("noisy");
  await noisy.snapshot("Mallory");
  await quiet.connect("quiet");
  await quiet.snapshot("Steve");
  return { house, noisy, quiet };
}

const worldOf = ({ worlds }: House, name: string) => {
  const world = worlds.of(name);
  if (!world) throw new Error(`there is no ${name}`);
  return world;
};
const names = (world: ReturnType<typeof worldOf>): string[] | undefined =>
  world.snapshots.fresh()?.everybody.map(({ name }) => name);
const AUTHOR = { key: "reader", address: "192.0.2.1" };

describe("a world that lies", () => {
  it("[LIMIT-5] may not go on with the session of another one", async () => {
    const { noisy, quiet, house } = await two();
    const own = noisy.session;
    noisy.session = quiet.session;
    await expect(noisy.report(said("not mine"))).rejects.toThrow("unknown_session");
    await expect(noisy.take()).rejects.toThrow("unknown_session");
    noisy.session = own;
    await noisy.report(said("mine"));
    expect(house.told.filter(({ event }) => event.event === "chat")).toMatchObject([
      { event: { server: "main", content: expect.stringContaining("mine") } },
    ]);
  });

  it("hides nothing of another one by saying the same in a run of the same name", async () => {
    const { house, noisy, quiet } = await two();
    const facts: Fact[] = [
      said("hello"),
      { is: "joined", row: row("Alex") },
      { is: "left", id: row("Alex").player.id },
    ];
    for (const pack of [noisy, quiet]) {
      await pack.connect("the same");
      pack.seq = 100;
      await pack.report(...facts);
    }
    const told = house.told.map(({ event }) => `${"server" in event ? event.server : ""} ${event.event}`);
    for (const what of ["chat", "join", "leave"])
      expect(told.filter(each => each.endsWith(` ${what}`)).slice(-2)).toEqual([
        `main ${what}`,
        `survival ${what}`,
      ]);
  });

  it("ends nothing that another one was asked, whatever outcome it tells of it", async () => {
    const { house, noisy, quiet } = await two();
    const asked = worldOf(house, "survival").whitelist.add("Noor", AUTHOR);
    const [action] = await quiet.take();
    const id = action?.id ?? "";
    await noisy.report(
      { is: "names", id, names: ["Mallory"] },
      { is: "outcome", id, do: "allowlist-add", status: "failed", reason: "no" },
    );
    await quiet.report({ is: "outcome", id, do: "allowlist-add", status: "done" });
    expect(await asked).toEqual({ outcome: "whitelisted" });
  });
});

describe("a request to be linked that one world was asked", () => {
  const SESSION = sessionOf(1);

  async function asked(house: House, quiet: AppPack): Promise<string> {
    const answer = house.links.linkPlayer(SESSION, "Steve", "192.0.2.1", [worldOf(house, "survival")]);
    const { id } = await quiet.carryOut("done", { player: row("Steve").player });
    expect((await answer).answer).toBe("verification_sent");
    return id;
  }
  const status = async ({ links }: House): Promise<string> => (await links.link(SESSION)).status;

  it("[LIMIT-5] is answered by no other one, also not with a player who is not there", async () => {
    const { house, noisy, quiet } = await two();
    const request = await asked(house, quiet);
    await noisy.report({ is: "answered", request, accepted: true });
    expect(await status(house)).toBe("pending");
    await noisy.report({ is: "outcome", id: request, do: "link-open", status: "blocked" });
    expect(await status(house)).toBe("pending");
    await quiet.report({ is: "answered", request, accepted: true });
    expect(await status(house)).toBe("accepted");
  });

  it("is opened for no player whom another one names", async () => {
    const { house, noisy, quiet } = await two();
    const answer = house.links.linkPlayer(SESSION, "Steve", "192.0.2.1", [worldOf(house, "survival")]);
    const [action] = await quiet.take();
    const id = action?.id ?? "";
    const mallory = row("Mallory").player;
    await noisy.report({ is: "outcome", id, do: "link-open", status: "done", player: mallory });
    expect(await status(house)).not.toBe("pending");
    await quiet.report({ is: "outcome", id, do: "link-open", status: "done", player: row("Steve").player });
    expect((await answer).answer).toBe("verification_sent");
    await noisy.report({ is: "answered", request: id, accepted: true });
    expect(await status(house)).toBe("pending");
    await quiet.report({ is: "answered", request: id, accepted: true });
    expect(await house.links.link(SESSION)).toMatchObject({ status: "accepted", player: { name: "Steve" } });
  });
});

describe("a world that floods", () => {
  const flood = (pack: AppPack, frames: number): Promise<unknown>[] => {
    const sent: Promise<unknown>[] = [];
    for (let i = 0; i < frames; i++) {
      sent.push(pack.report(...Array.from({ length: MAX_FACTS }, (_, at) => said(`${i} ${at}`))));
      // Each of them is told before the one before was answered.
      pack.seq += MAX_FACTS;
    }
    return sent;
  };

  it("[LIMIT-5] has the facts of another one wait for at most two requests of its own", async () => {
    const { house, noisy, quiet } = await two();
    let dealt = 0;
    const sent = flood(noisy, 40).map(each => each.then(() => dealt++));
    await quiet.report({ is: "joined", row: row("Alex") }, said("hello"));
    expect(dealt).toBeLessThanOrEqual(2);
    expect(names(worldOf(house, "survival"))).toEqual(["Steve", "Alex"]);
    await Promise.all(sent);
    expect(dealt).toBe(40);
  });

  it("has the players and the parts of a list of another one stay as they are", async () => {
    const { house, noisy, quiet } = await two();
    const part = (name: string, part: number, parts: number): Fact => ({
      ...{ is: "snapshot", tps: 20, part, parts },
      rows: [row(name)],
    });
    await quiet.report(part("Alex", 0, 2));
    await noisy.report(part("Mallory", 0, 1), ...Array.from({ length: 100 }, (_, i) => part(`${i}`, 0, 64)));
    await quiet.report(part("Steve", 1, 2));
    expect(names(worldOf(house, "survival"))).toEqual(["Alex", "Steve"]);
    expect(names(worldOf(house, "main"))).toEqual(["Mallory"]);
  });
});

describe("a world that hangs", () => {
  it("[LIMIT-5] has its own queue full, and that of another one is empty", async () => {
    const { house, quiet } = await two();
    const [main, survival] = [worldOf(house, "main"), worldOf(house, "survival")];
    const asked = Array.from({ length: CAPACITY + 1 }, (_, i) => main.whitelist.add(`p${i}`, AUTHOR));
    expect(await Promise.race(asked)).toEqual({
      outcome: "unexpected_result",
      why: "allowlist-add full",
    });
    const added = survival.whitelist.add("Noor", AUTHOR);
    await quiet.carryOut("done");
    expect(await added).toEqual({ outcome: "whitelisted" });
    expect([await main.figures.outbox_actions(), await survival.figures.outbox_actions()]).toEqual([
      CAPACITY,
      0,
    ]);
    house.clock.advance(10_000);
    await Promise.all(asked);
  });

  it("answers for nobody but itself when it takes what it is asked and never tells what came of it", async () => {
    const { house, noisy, quiet } = await two();
    const [main, survival] = [worldOf(house, "main"), worldOf(house, "survival")];
    const never = main.whitelist.add("Noor", AUTHOR);
    await noisy.take();
    for (const name of ["a", "b", "c"]) {
      const added = survival.whitelist.add(name, AUTHOR);
      await quiet.carryOut("done");
      expect(await added).toEqual({ outcome: "whitelisted" });
    }
    house.clock.advance(10_000);
    expect(await never).toMatchObject({ outcome: "unexpected_result" });
  });
});
