import { describe, expect, it } from "@jest/globals";
import type { Fact } from "../../../shared/facts.ts";
import { MAX_FACTS } from "../../../shared/limits.ts";
import { createMemoryBans } from "../../../test/helpers/memory-store.ts";
import {
  type AppPack,
  createTestApp,
  row,
  said,
  sessionOf,
  type TestApp,
  type TestAppOptions,
} from "../../../test/helpers/test-app.ts";
import { CAPACITY } from "../../kernel/bridge/outbox.ts";

async function two(options: TestAppOptions = {}): Promise<{ app: TestApp; noisy: AppPack; quiet: AppPack }> {
  const app = await createTestApp({ servers: ["survival"], ...options });
  const { pack: noisy, lobby: quiet } = app;
  await noisy.snapshot("Mallory");
  await quiet.snapshot("Steve");
  return { app, noisy, quiet };
}

const serverOf = ({ gameServers: servers }: TestApp, name: string) => {
  const server = servers.of(name);
  if (!server) throw new Error(`there is no ${name}`);
  return server;
};
const names = (server: ReturnType<typeof serverOf>): string[] | undefined =>
  server.snapshots.fresh()?.allPlayers.map(({ name }) => name);
const AUTHOR = { key: "reader", address: "192.0.2.1" };

describe("a game server that reports false data", () => {
  it("[LIMIT-5] cannot continue the session of another one", async () => {
    const { noisy, quiet, app } = await two();
    const own = noisy.session;
    noisy.session = quiet.session;
    await expect(noisy.report(said("not mine"))).rejects.toThrow("unknown_session");
    await expect(noisy.take()).rejects.toThrow("unknown_session");
    noisy.session = own;
    await noisy.report(said("mine"));
    expect(app.events.filter(({ event }) => event.event === "chat")).toMatchObject([
      { event: { server: "main", content: expect.stringContaining("mine") } },
    ]);
  });
});

it("a game server that reports joins one by one lists at most as many players as a report may hold", async () => {
  const { app, noisy } = await two();
  for (let part = 0; part < 64; part++) {
    const rows = Array.from({ length: 25 }, (_, i) => row(`n${25 * part + i}`));
    await noisy.report({ is: "snapshot", tps: 20, part, parts: 64, rows });
  }
  for (let i = 0; i < 10; i++) await noisy.report({ is: "joined", row: row(`later ${i}`) });
  await noisy.report({ is: "joined", row: row("n0") });
  expect(names(serverOf(app, "main"))).toHaveLength(1_600);
});

describe("a game server that reports a player who is online on another one", () => {
  const steve = row("Steve");
  const uuids = (server: ReturnType<typeof serverOf>): string[] | undefined =>
    server.snapshots.fresh()?.allPlayers.map(({ uuid }) => uuid);
  const said = (name: string): Fact => ({ is: "said", name, text: "hi", player: steve.player });

  it("is ignored, and named in the log, until the player has left the other one", async () => {
    const { app, noisy, quiet } = await two();
    const [main, survival] = [serverOf(app, "main"), serverOf(app, "survival")];
    await noisy.report({ is: "joined", row: steve }, said("Steve"));
    await noisy.snapshot("Mallory", "Steve");
    await noisy.snapshot("Mallory", "Steve");
    expect([names(main), names(survival)]).toEqual([["Mallory"], ["Steve"]]);
    expect(
      app.events.filter(({ event }) => "player" in event && event.player?.name === "Steve"),
    ).toMatchObject([{ event: { event: "join", server: "survival" } }]);
    expect(app.log.of("warn").map(({ fields }) => fields)).toEqual([{ server: "main", player: "Steve" }]);
    // Of a player who moves, the join may come before the leave.
    await quiet.report({ is: "left", id: steve.player.id, row: steve });
    await noisy.snapshot("Mallory", "Steve");
    expect([names(main), names(survival)]).toEqual([["Mallory", "Steve"], []]);
    await quiet.snapshot("Steve");
    expect([uuids(main)?.length, names(survival)]).toEqual([2, []]);
  });

  it("is accepted once the other one has been silent for a while", async () => {
    const { app, noisy } = await two();
    app.clock.advance(60_000);
    await noisy.snapshot("Mallory", "Steve");
    expect(names(serverOf(app, "main"))).toEqual(["Mallory", "Steve"]);
  });

  it.each<[string, (player: Fact & { is: "joined" }) => Fact]>([
    ["unlink", ({ row }) => ({ is: "unlinked-by-player", player: row.player })],
    ["forget", ({ row }) => ({ is: "forgot", player: row.player })],
    ["hide", ({ row }) => ({ is: "chose", player: row.player, hidden: true })],
  ])("has nothing changed of the player: %s", async (_what, factOf) => {
    const { app, noisy, quiet } = await two();
    const pending = app.links.linkPlayer(sessionOf(1), "Steve", "192.0.2.1", [serverOf(app, "survival")]);
    const { id: request } = await quiet.carryOut("done", { player: steve.player });
    await pending;
    await quiet.report({ is: "answered", request, accepted: true });
    await noisy.report(factOf({ is: "joined", row: steve }));
    await quiet.snapshot("Steve");
    expect((await app.links.link(sessionOf(1))).status).toBe("accepted");
    expect(names(serverOf(app, "survival"))).toEqual(["Steve"]);
    expect(serverOf(app, "survival").snapshots.fresh()?.players).toHaveLength(1);
    const [uuid = ""] = uuids(serverOf(app, "survival")) ?? [];
    expect((await app.stores.known.read([uuid])).get(uuid)?.visits).toBe(1);
  });

  it("links no browser to the player, whether they join before the form or before the answer", async () => {
    const { app, noisy, quiet } = await two();
    const session = sessionOf(1);
    const ask = () => app.links.linkPlayer(session, "Steve", "192.0.2.1", [serverOf(app, "main")]);
    const first = ask();
    await noisy.carryOut("done", { player: steve.player });
    expect(await first).toEqual({ answer: "player_offline" });
    await quiet.report({ is: "left", id: steve.player.id, row: steve });
    const second = ask();
    await noisy.take();
    const { id: request } = await noisy.carryOut("done", { player: steve.player });
    expect(await second).toEqual({ answer: "verification_sent" });
    await quiet.snapshot("Steve");
    await noisy.report({ is: "answered", request, accepted: true });
    expect((await app.links.link(session)).status).toBe("pending");
  });
});

describe("the audit log of several game servers", () => {
  const mallory = row("Mallory").player;
  const written = ({ audit }: TestApp): string[] =>
    audit.map(
      entry =>
        `${"key" in entry && `${entry.key} ${entry.server}`} ${entry.action} ${entry.name} ${entry.outcome}`,
    );

  it("records each change with the game server and the player", async () => {
    const { app, noisy } = await two();
    const pending = app.links.linkPlayer(sessionOf(1), "Mallory", "192.0.2.1", [serverOf(app, "main")]);
    const { id: request } = await noisy.carryOut("done", { player: mallory });
    await pending;
    await noisy.report(
      { is: "answered", request, accepted: true },
      { is: "webchat", by: mallory, mode: "linked" },
      { is: "webchat", by: mallory },
      { is: "mute", browser: "0123abcd", isMuted: true },
      { is: "mute", browser: "0123abcd", isMuted: false },
      { is: "chose", player: mallory, hidden: true, blocked: true },
      { is: "forgot", player: mallory },
      { is: "unlinked-by-player", player: mallory },
    );
    await noisy.bans(
      { name: "Alex", at: 1, by: "game:Mallory" },
      { name: "Kai", at: 1, by: "moderator", everywhere: true },
      { name: "Noor", at: 1, by: "moderator", everywhere: true, again: true },
      { name: "Noor", at: 1, by: "moderator", everywhere: true, again: true },
    );
    expect(written(app)).toEqual([
      "game:Mallory main link.accept Mallory linked",
      "game:Mallory main webchat.set linked set",
      "game:Server main browser.mute 0123abcd muted",
      "game:Server main browser.unmute 0123abcd unmuted",
      "game:Mallory main player.hide Mallory hidden",
      "game:Mallory main player.block Mallory blocked",
      "game:Mallory main player.forget Mallory forgotten",
      "game:Mallory main link.end Mallory unlinked",
      "game:Mallory main ban.add Alex banned",
      "game:Server main ban.add Kai banned",
      "game:Server main ban.add Noor banned",
    ]);
  });

  it("keeps every ban and every link of one of them despite many other changes", async () => {
    const { app, noisy } = await two();
    const pending = app.links.linkPlayer(sessionOf(1), "Mallory", "192.0.2.1", [serverOf(app, "main")]);
    const { id: request } = await noisy.carryOut("done", { player: mallory });
    await pending;
    const cheap: Fact[] = [
      { is: "chose", player: mallory, hidden: true },
      { is: "unlinked-by-player", player: row("Nobody").player },
    ];
    for (let i = 0; i < 6; i++)
      for (const fact of cheap) await noisy.report(...Array.from({ length: 100 }, () => fact));
    await noisy.report({ is: "answered", request, accepted: true });
    const many = Array.from({ length: 600 }, (_, i) => ({ name: `n${i}`, at: 1 }));
    await noisy.bans(...many);
    await noisy.bans(...many.map(ban => ({ ...ban, at: 2, lifted: true })));
    const count = (action: string): number => app.audit.filter(entry => entry.action === action).length;
    expect(["player.hide", "link.end", "link.accept", "ban.add", "ban.remove"].map(count)).toEqual([
      ...[500, 500, 1],
      ...[600, 600],
    ]);
  });

  it("[LIMIT-5] keeps a separate quota of bans for each game server", async () => {
    const bans = createMemoryBans();
    const many = Array.from({ length: 5_001 }, (_, i) => ({ name: `n${i}`, at: 1 }));
    // Only the last of them are sent: each takes the longer the more there are.
    const earlier = many.slice(0, 4_900).map(ban => ({ ...ban, on: "", from: "" }));
    await bans.put(undefined, earlier, []);
    const { app, noisy, quiet } = await two({ stores: () => ({ bans }) });
    await noisy.bans(...many.slice(earlier.length));
    await quiet.bans({ name: "Kai", at: 1 });
    expect(await app.bans.add({ who: { name: "Alex" } }, AUTHOR)).toMatchObject({ outcome: "banned" });
    expect(await app.bans.list()).toHaveLength(5_002);
  });
});

describe("a game server that floods", () => {
  const flood = (pack: AppPack, frames: number): Promise<unknown>[] => {
    const sent: Promise<unknown>[] = [];
    for (let i = 0; i < frames; i++) {
      sent.push(pack.report(...Array.from({ length: MAX_FACTS }, (_, at) => said(`${i} ${at}`))));
      // Each of them is reported before the previous one was answered.
      pack.seq += MAX_FACTS;
    }
    return sent;
  };

  it("[LIMIT-5] delays the facts of another one by at most two of its requests", async () => {
    const { app, noisy, quiet } = await two();
    let dealt = 0;
    const sent = flood(noisy, 40).map(each => each.then(() => dealt++));
    await quiet.report({ is: "joined", row: row("Alex") }, said("hello"));
    expect(dealt).toBeLessThanOrEqual(2);
    expect(names(serverOf(app, "survival"))).toEqual(["Steve", "Alex"]);
    await Promise.all(sent);
    expect(dealt).toBe(40);
  });
});

describe("a game server that hangs", () => {
  it("[LIMIT-5] fills only its own queue", async () => {
    const { app, quiet } = await two();
    const [main, survival] = [serverOf(app, "main"), serverOf(app, "survival")];
    const pending = Array.from({ length: CAPACITY + 1 }, (_, i) =>
      app.whitelistOf(main).add(`p${i}`, AUTHOR),
    );
    expect(await Promise.race(pending)).toEqual({
      outcome: "unexpected_result",
      why: "allowlist-add full",
    });
    const added = app.whitelistOf(survival).add("Noor", AUTHOR);
    await quiet.carryOut("done");
    expect(await added).toEqual({ outcome: "whitelisted" });
    expect([await main.outbox.size(), await survival.outbox.size()]).toEqual([CAPACITY, 0]);
    app.clock.advance(10_000);
    await Promise.all(pending);
  });
});
