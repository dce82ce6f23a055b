import { describe, expect, it } from "@jest/globals";
import { type FakePlayer, linkOpen as open, playground, ref, withSteve as world } from "./testing/harness.ts";

const german = (player: FakePlayer): void => {
  player.locale = "de_DE";
};

describe("the texts", () => {
  it.each([
    ["de_DE", "Ja"],
    ["de_AT", "Ja"],
    ["de", "Yes"],
    ["fr_FR", "Yes"],
    ["", "Yes"],
    [undefined, "Yes"],
  ])("of a form are the ones of the player's language: %s", async (locale, accept) => {
    const { game, steve } = await world();
    if (locale !== undefined) steve.locale = locale;
    game.sidecar.act(open("r1"));
    await game.tick(3);
    expect(steve.forms[0]?.view).toMatchObject({ look: "buttons", accept, decline: "No" });
  });
});

describe("/bridge:link", () => {
  it("opens a closed form again at once", async () => {
    const { game, steve, commands } = await world();
    game.sidecar.act(open("r1"));
    await game.tick(3);
    steve.forms[0]?.ended("closed");
    expect(commands.link(steve)).toEqual({ done: true, text: "Opening" });
    await game.tick(2);
    expect(steve.forms).toHaveLength(2);
    expect(steve.closed).toBe(0);
  });
});

describe("/bridge:unlink", () => {
  it("tells the sidecar, once a second at most", async () => {
    const { game, steve, commands } = await world();
    for (let i = 0; i < 5; i++) expect(commands.unlink(steve)).toEqual({ done: true, text: "Ending" });
    await game.tick(3);
    expect(game.sidecar.of("unlinked-by-player")).toEqual([{ is: "unlinked-by-player", player: ref(steve) }]);
    await game.tick(20);
    commands.unlink(steve);
    await game.tick(2);
    expect(game.sidecar.of("unlinked-by-player")).toHaveLength(2);
  });

  it("does nothing while there is no connection, and has words for it before there ever was one", async () => {
    const game = playground();
    game.sidecar.mode = "refuse";
    await game.start();
    const steve = game.join("Steve");
    expect(game.pack.commands.unlink(steve)).toEqual({
      done: false,
      text: "The web bridge is not connected. Try again later.",
    });
  });
});

describe("/bridge:status", () => {
  it("tells the world, versions, the age of the last answer and what waits", async () => {
    const { game, commands } = await world();
    game.sidecar.act(open("r1"));
    await game.tick(63);
    expect(commands.status(undefined)).toEqual({
      done: true,
      text: "http://sidecar Old World 0.1.0 0.1.0 2\n3 s, 0 facts, 0 actions, 1 links",
    });
  });

  it("[FACT-12] tells of refused lines for a minute after the sidecar has", async () => {
    const game = playground();
    game.sidecar.refreshMs = 3_600_000;
    await game.start();
    game.sidecar.refused = { lines: 20, from: "203.0.113.7" };
    game.pack.said("Steve", "hi");
    await game.tick(3);
    const told = (): boolean =>
      game.pack.commands.status(undefined).text?.includes("20 refused, most from 203.0.113.7") === true;
    expect(told()).toBe(true);
    await game.tick(55 * 20);
    expect(told()).toBe(true);
    await game.tick(10 * 20);
    expect(told()).toBe(false);
  });

  it("tells why there is no connection", async () => {
    const game = playground();
    game.sidecar.mode = "refuse";
    await game.start();
    const { text } = game.pack.commands.status(undefined);
    expect(text).toMatch(/^Not connected \(InternalHttpRequestError\): pack 0\.1\.0, wire 2\.\n.* - s ago/);
  });

  it("tells of a setting that is missing", async () => {
    const game = playground();
    game.sidecar.http.open = () => ({ fault: "put it there" });
    await game.start();
    expect(game.pack.commands.status(undefined).text).toContain("Not connected (put it there)");
  });
});

describe("/bridge:webchat", () => {
  it.each(["everybody", "linked", "read-only", "off"] as const)("tells the sidecar: %s", async mode => {
    const { game, steve, commands } = await world();
    expect(commands.webchat(steve, mode)).toEqual({ done: true });
    await game.tick(2);
    expect(game.sidecar.of("webchat")).toEqual([{ is: "webchat", by: ref(steve), mode }]);
  });

  it("tells what it takes when it is given something else", async () => {
    const { game, steve, commands } = await world();
    expect(commands.webchat(steve, "loud")).toEqual({
      done: false,
      text: "Expected everybody, linked, read-only, off",
    });
    await game.tick(2);
    expect(game.sidecar.of("webchat")).toEqual([]);
  });
});

describe("/bridge:mute and /bridge:unmute", () => {
  it("name a browser as the chat does, or by its label, in either case, or all without a session", async () => {
    const { game, steve, commands } = await world();
    expect(commands.mute(steve, "0123ABCD")).toEqual({ done: true });
    expect(commands.mute(undefined, "KXWTMHZR")).toEqual({ done: true });
    expect(commands.unmute(undefined, "--------")).toEqual({ done: true });
    await game.tick(2);
    expect(game.sidecar.of("mute")).toEqual([
      { is: "mute", by: ref(steve), browser: "0123abcd", isMuted: true },
      { is: "mute", browser: "kxwtmhzr", isMuted: true },
      { is: "mute", browser: "--------", isMuted: false },
    ]);
  });

  it.each([
    undefined,
    "",
    "Steve",
    "0123abc",
    "0123abcde",
    "0123abcg",
    "kxwtmhza",
    "kxwtmhz",
    "-------",
    "0123ab--",
  ])("tell what they take when they are given something else: %s", async browser => {
    const { game, steve, commands } = await world();
    expect(commands.mute(steve, browser)).toEqual({
      done: false,
      text: "Expected 0123abcd, ghjkmnpq, --------",
    });
    expect(commands.unmute(steve, browser).done).toBe(false);
    await game.tick(2);
    expect(game.sidecar.of("mute")).toEqual([]);
  });
});

describe("a command that the sidecar answers", () => {
  it("[WEB-1] says so while there is no connection, and nothing is sent later", async () => {
    const game = playground();
    game.sidecar.mode = "refuse";
    await game.start();
    const steve = game.join("Steve");
    const away = { done: false, text: "The web bridge is not connected. Try again later." };
    expect(game.pack.commands.webchat(steve, "off")).toEqual(away);
    expect(game.pack.commands.mute(steve, "0123abcd")).toEqual(away);
    game.sidecar.mode = "ok";
    await game.tick(200);
    expect([game.sidecar.of("webchat"), game.sidecar.of("mute")]).toEqual([[], []]);
  });

  it("[WEB-1] is not told to another session than the one it was given in, and whoever gave it hears so", async () => {
    const { game, steve } = await world();
    german(steve);
    const { sidecar, pack } = game;
    const later = (line: string) => pack.said("Steve", line);
    sidecar.mode = "silent";
    later("one");
    pack.commands.webchat(steve, "off");
    later("two");
    await game.tick(2);
    later("three");
    pack.commands.mute(undefined, "0123abcd");
    pack.commands.unlink(steve);
    await game.tick(2);
    sidecar.session = "s2";
    sidecar.mode = "ok";
    sidecar.http.cancelAll();
    await game.tick(200);
    expect(sidecar.hellos).toHaveLength(2);
    expect(sidecar.of("said").map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(sidecar.of("unlinked-by-player")).toHaveLength(1);
    expect([sidecar.of("webchat"), sidecar.of("mute")]).toEqual([[], []]);
    expect([steve.heard, game.lines.filter(line => line === "Away")]).toEqual([["Away"], ["Away"]]);
    pack.commands.webchat(steve, "off");
    await game.tick(3);
    expect(sidecar.of("webchat")).toHaveLength(1);
  });

  it("[ACT-11] is answered to the player in their language, and to nobody else", async () => {
    const { game, steve } = await world();
    german(steve);
    const alex = game.join("Alex");
    const values = { mode: "linked" };
    game.sidecar.act({ do: "tell", player: ref(steve), message: "bridge.webchat-set", values });
    game.sidecar.act({ do: "tell", player: ref(alex), message: "bridge.webchat-set", values });
    await game.tick(3);
    expect([steve.heard, alex.heard]).toEqual([["Jetzt linked"], ["Now linked"]]);
  });
});
