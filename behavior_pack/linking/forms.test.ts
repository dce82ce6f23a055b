import { describe, expect, it } from "@jest/globals";
import type { FormEnd } from "../ports.ts";
import { type FakePlayer, linkOpen, playground, ref, withSteve as world } from "../testing/harness.ts";
import { createFormQueue } from "./form-queue.ts";

const open = (request: string, username = "Steve", openForMs = 120_000) =>
  linkOpen(request, username, openForMs, `${request}0000`.slice(0, 8));

const end = (player: FakePlayer, how: FormEnd) => player.forms[player.forms.length - 1]?.ended(how);

describe("link forms", () => {
  it("[FORM-1] show the browser's characters and report the answer", async () => {
    const { game, steve } = await world();
    const id = game.sidecar.act(open("r1"));
    await game.tick(3);
    expect(game.sidecar.outcome(id)).toMatchObject({ status: "done", player: ref(steve) });
    expect(steve.forms[0]?.view.body).toBe("Browser r10000?");
    end(steve, "accepted");
    await game.tick(2);
    expect(game.sidecar.of("answered")).toEqual([{ is: "answered", request: "r1", accepted: true }]);
  });

  it("[FORM-16] name the other site, from an action and from a hello", async () => {
    const game = playground();
    const alex = game.add("Alex");
    const about = { request: "r1", browser: "b1", site: "Forum {browser} §cred" };
    game.sidecar.links = [{ ...about, player: ref(alex), openForMs: 60_000, open: true }];
    await game.start();
    game.pack.joined(alex);
    await game.tick(60);
    const steve = game.join("Steve");
    await game.tick(60);
    game.sidecar.act({ do: "link-open", ...about, request: "r2", username: "Steve", openForMs: 60_000 });
    await game.tick(3);
    for (const { view } of [...alex.forms, ...steve.forms])
      expect([view.title, view.body]).toEqual([
        "At Forum {browser} §cred?",
        "Forum {browser} §cred for browser b1?",
      ]);
    expect([alex.forms.length, steve.forms.length]).toEqual([1, 1]);
  });

  it("[FORM-14] open once for a player who was listed and requested before they could play", async () => {
    const { game } = await world();
    const alex = game.add("Alex");
    game.sidecar.act(open("r1", "Alex"));
    await game.tick(4);
    game.pack.joined(alex);
    await game.tick(60);
    expect(alex.forms).toHaveLength(1);
    expect(alex.closed).toBe(0);
  });

  it("[FORM-14] open after three seconds for a player without a report that they can play", async () => {
    const { game } = await world();
    const alex = game.add("Alex");
    game.sidecar.act(open("r1", "Alex"));
    await game.tick(59);
    expect(alex.forms).toHaveLength(0);
    await game.tick(4);
    expect(alex.forms).toHaveLength(1);
  });

  it.each<[FormEnd, number, number]>([
    ["busy", 10, 14],
    ["closed", 20, 24],
    ["failed", 20, 24],
  ])("open again after %s, not before %i and at most %i ticks later", async (how, least, most) => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1"));
    await game.tick(3);
    end(steve, how);
    await game.tick(least - 1);
    expect(steve.forms).toHaveLength(1);
    await game.tick(most - least + 1);
    expect(steve.forms).toHaveLength(2);
  });

  it("[FORM-13] are not closed while the client may still report that it is busy", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1"));
    await game.tick(3);
    game.sidecar.act({ do: "link-close", request: "r1" });
    await game.tick(10);
    end(steve, "busy");
    await game.tick(40);
    expect(steve.closed).toBe(0);
    expect(steve.forms).toHaveLength(1);
  });

  it("open one after another", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1"));
    game.sidecar.act(open("r2"));
    await game.tick(30);
    expect(steve.forms).toHaveLength(1);
    end(steve, "declined");
    await game.tick(3);
    expect(steve.forms.map(form => form.view.body)).toEqual(["Browser r10000?", "Browser r20000?"]);
  });

  it("[FORM-1] are rejected when too many wait for one player, or in total", async () => {
    const { game } = await world();
    const ids = Array.from({ length: 9 }, (_, i) => game.sidecar.act(open(`r${i}`)));
    await game.tick(3);
    expect(ids.map(id => game.sidecar.outcome(id)?.status)).toEqual([...Array(8).fill("done"), "busy"]);
    for (let i = 0; i < 70; i++) game.add(`Player ${i}`);
    const more = Array.from({ length: 560 }, (_, i) =>
      game.sidecar.act(open(`q${i}`, `Player ${Math.floor(i / 8)}`), 60_000),
    );
    await game.tick(80);
    expect(more.filter(id => game.sidecar.outcome(id)?.status === "done")).toHaveLength(492);
  });

  it("[FORM-5] are closed at the request's deadline, and a later answer is ignored", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1", "Steve", 2000));
    await game.tick(45);
    expect(steve.closed).toBe(1);
    end(steve, "accepted");
    await game.tick(3);
    expect(game.sidecar.of("answered")).toEqual([]);
  });

  it("[FORM-5] are not shown again once timed out here, even if the sidecar allows a little longer", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1", "Steve", 2000));
    await game.tick(45);
    expect(steve.closed).toBe(1);
    game.sidecar.links = [{ request: "r1", player: ref(steve), browser: "r1", openForMs: 1500, open: true }];
    await game.renewSession(25);
    expect(steve.forms).toHaveLength(1);
  });

  it("[FORM-7] are closed by link-close, and only if they are on screen", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1"));
    await game.tick(3);
    end(steve, "closed");
    game.sidecar.act({ do: "link-close", request: "r1" });
    await game.tick(40);
    expect(steve.closed).toBe(0);
    expect(steve.forms).toHaveLength(1);
    game.sidecar.act(open("r2"));
    await game.tick(25);
    game.sidecar.act({ do: "link-close", request: "r2" });
    await game.tick(3);
    expect(steve.closed).toBe(1);
  });

  it("open again when the player rejoins, even if the last form never ended", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1"));
    await game.tick(3);
    game.leave(steve);
    await game.tick(200);
    const again = game.join("Steve", { id: "another" });
    await game.tick(40);
    expect(again.forms).toHaveLength(1);
    end(steve, "accepted");
    await game.tick(2);
    expect(game.sidecar.of("answered")).toEqual([]);
    end(again, "accepted");
    await game.tick(2);
    expect(game.sidecar.of("answered")).toHaveLength(1);
  });

  it("[FORM-2] [FORM-3] agree with the sidecar's list after a hello", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("stays"));
    game.sidecar.act(open("goes"));
    await game.tick(3);
    const player = ref(steve);
    game.sidecar.links = [
      { request: "stays", browser: "stays000", openForMs: 60_000, open: false },
      { request: "comes", player, browser: "comes000", openForMs: 60_000, open: true },
      { request: "asked", browser: "asked000", openForMs: 60_000, open: false },
    ];
    await game.renewSession(5);
    end(steve, "accepted");
    await game.tick(5);
    end(steve, "accepted");
    await game.tick(5);
    expect(game.sidecar.of("answered").map(fact => fact.request)).toEqual(["stays", "comes"]);
    expect(steve.forms).toHaveLength(2);
  });

  it("[FORM-9] that a hello lists stay open, for the time that it says", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1", "Steve", 2_000));
    await game.tick(3);
    game.sidecar.links = [
      { request: "r1", player: ref(steve), browser: "r1000000", openForMs: 60_000, open: true },
    ];
    await game.renewSession(5);
    await game.tick(100);
    expect([steve.forms.length, steve.closed]).toEqual([1, 0]);
    end(steve, "accepted");
    await game.tick(5);
    expect(game.sidecar.of("answered").map(fact => fact.request)).toEqual(["r1"]);
  });

  it("[FORM-4] are not shown again when the sidecar does not have the answer yet, which is resent", async () => {
    const { game, steve } = await world();
    game.sidecar.act(open("r1"));
    await game.tick(3);
    game.sidecar.mode = "refuse";
    game.sidecar.http.cancelAll();
    end(steve, "accepted");
    await game.tick(20);
    game.sidecar.links = [
      { request: "r1", player: ref(steve), browser: "r1", openForMs: 60_000, open: true },
    ];
    game.sidecar.mode = "ok";
    await game.tick(200);
    expect(steve.forms).toHaveLength(1);
    // As queued, and again after the hello: the sidecar takes the first.
    expect(game.sidecar.of("answered").map(({ accepted }) => accepted)).toEqual([true, true]);
  });
});

describe("link forms", () => {
  it("[FORM-3] that came after the hello was sent stay, even if its answer does not list them", () => {
    const clock = { now: () => 0, tick: () => 0 };
    const forms = createFormQueue({
      clock,
      wait: () => 0,
      isBlocked: () => false,
      show() {},
      close() {},
      answered() {},
      declined() {},
    });
    const open = (request: string) =>
      forms.open({
        request,
        player: { id: "1", persistentId: "", name: "Steve" },
        browser: "b",
        deadline: 1000,
      });
    open("before");
    const newest = forms.newest();
    open("after");
    forms.reconcile([], 0, newest);
    expect(forms.size()).toBe(1);
    forms.close("after");
    expect(forms.size()).toBe(0);
  });
});
