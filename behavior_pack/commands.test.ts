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
  ])("of a form are in the player's language: %s", async (locale, accept) => {
    const { game, steve } = await world();
    if (locale !== undefined) steve.locale = locale;
    game.sidecar.act(open("r1"));
    await game.tick(3);
    expect(steve.forms[0]?.view).toMatchObject({ look: "buttons", accept, decline: "No" });
  });
});

describe("/bridge:link", () => {
  it("reopens a closed form immediately", async () => {
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
  it("reports to the sidecar at most once a second", async () => {
    const { game, steve, commands } = await world();
    for (let i = 0; i < 5; i++) expect(commands.unlink(steve)).toEqual({ done: true, text: "Ending" });
    await game.tick(3);
    expect(game.sidecar.of("unlinked-by-player")).toEqual([{ is: "unlinked-by-player", player: ref(steve) }]);
    await game.tick(20);
    commands.unlink(steve);
    await game.tick(2);
    expect(game.sidecar.of("unlinked-by-player")).toHaveLength(2);
  });

  it("does nothing without a connection, and has a text for it before the first one", async () => {
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
  it("shows the world, versions, age of the last answer and queue lengths", async () => {
    const { game, commands } = await world();
    game.sidecar.act(open("r1"));
    await game.tick(63);
    expect(commands.status(undefined)).toEqual({
      done: true,
      text: "http://sidecar Old World 0.1.0 0.1.0 2\n3 s, 0 facts, 0 actions, 1 links",
    });
  });

  it("[FACT-12] shows rejected chat messages for a minute after the sidecar reported them", async () => {
    const game = playground();
    game.sidecar.refreshMs = 3_600_000;
    await game.start();
    game.sidecar.refused = { lines: 20, from: "203.0.113.7" };
    game.pack.said("Steve", "hi");
    await game.tick(3);
    const hasRejections = (): boolean =>
      game.pack.commands.status(undefined).text?.includes("20 refused, most from 203.0.113.7") === true;
    expect(hasRejections()).toBe(true);
    await game.tick(55 * 20);
    expect(hasRejections()).toBe(true);
    await game.tick(10 * 20);
    expect(hasRejections()).toBe(false);
  });

  it("shows why there is no connection", async () => {
    const game = playground();
    game.sidecar.mode = "refuse";
    await game.start();
    const { text } = game.pack.commands.status(undefined);
    expect(text).toMatch(
      /^Not connected \(InternalHttpRequestError\): pack 0\.1\.0, protocol 2\.\n.* - s ago/,
    );
  });

  it("shows a missing setting", async () => {
    const game = playground();
    game.sidecar.http.open = () => ({ fault: "put it there" });
    await game.start();
    expect(game.pack.commands.status(undefined).text).toContain("Not connected (put it there)");
  });
});

describe("/bridge:webchat", () => {
  it.each(["everybody", "linked", "read-only", "off"] as const)(
    "reports the mode to the sidecar: %s",
    async mode => {
      const { game, steve, commands } = await world();
      expect(commands.webchat(steve, mode)).toEqual({ done: true });
      await game.tick(2);
      expect(game.sidecar.of("webchat")).toEqual([{ is: "webchat", by: ref(steve), mode }]);
    },
  );

  it("shows its usage for another mode", async () => {
    const { game, steve, commands } = await world();
    expect(commands.webchat(steve, "loud")).toEqual({
      done: false,
      text: "Expected /bridge:webchat <everybody|linked|read-only|off>",
    });
    await game.tick(2);
    expect(game.sidecar.of("webchat")).toEqual([]);
  });
});

describe("/bridge:mute and /bridge:unmute", () => {
  it("take a browser as shown in chat, by its label, in either case, or all without a session", async () => {
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
  ])("show their usage for anything else: %s", async browser => {
    const { game, steve, commands } = await world();
    expect(commands.mute(steve, browser)).toEqual({
      done: false,
      text: "Expected /bridge:mute <label shown in chat, e.g. kxwtmhzr>",
    });
    expect(commands.unmute(steve, browser).done).toBe(false);
    await game.tick(2);
    expect(game.sidecar.of("mute")).toEqual([]);
  });
});

describe("a command that the sidecar answers", () => {
  it("[WEB-1] fails without a connection, and nothing is sent later", async () => {
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

  it("[WEB-1] is not reported to a later session, and the sender gets a text about that", async () => {
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
    expect([steve.messages, game.lines.filter(line => line === "Away")]).toEqual([["Away"], ["Away"]]);
    pack.commands.webchat(steve, "off");
    await game.tick(3);
    expect(sidecar.of("webchat")).toHaveLength(1);
  });

  it("[ACT-11] is answered only to the player, in their language", async () => {
    const { game, steve } = await world();
    german(steve);
    const alex = game.join("Alex");
    const values = { mode: "linked" };
    game.sidecar.act({ do: "tell", player: ref(steve), message: "bridge.webchat-set", values });
    game.sidecar.act({ do: "tell", player: ref(alex), message: "bridge.webchat-set", values });
    await game.tick(3);
    expect([steve.messages, alex.messages]).toEqual([["Jetzt linked"], ["Now linked"]]);
  });
});
