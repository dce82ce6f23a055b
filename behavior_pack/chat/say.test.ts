import { describe, expect, it } from "@jest/globals";
import { type FakePlayer, playground, ref } from "../testing/harness.ts";

/** A game whose chat cannot be read, with Steve. `known`: players whose identity is decided; undefined: all are. */
async function begin(known?: Set<string>) {
  const game = playground(undefined, undefined, {
    gameChat: "command",
    ...(known && { isKnown: ({ name }: FakePlayer) => known.has(name) }),
  });
  await game.start();
  const steve = game.join("Steve");
  await game.tick(2);
  const say = (player: FakePlayer | undefined, ...words: string[]) =>
    game.pack.commandsOf(player).say?.(player, ...words);
  return { ...game, steve, say };
}

describe("/bridge:say", () => {
  it("shows the line to everybody as chat looks, and reports it as a line of the game", async () => {
    const { steve, say, broadcasts, sidecar, tick } = await begin();
    expect(say(steve, "hello  %gui.ok", "you")).toEqual({ done: true });
    await tick(2);
    expect(broadcasts).toEqual(["<Steve> hello  %gui.ok you"]);
    const player = ref(steve);
    expect(sidecar.of("said")).toEqual([{ is: "said", player, name: "Steve", text: "hello  %gui.ok you" }]);
  });

  it("cannot look like a line of another player", async () => {
    const { steve, say, broadcasts } = await begin();
    say(steve, "hi\n<Alex> I give up\r\u0000");
    expect(broadcasts).toEqual(["<Steve> hi <Alex> I give up"]);
  });

  it("cuts a line that is too long, as that of chat", async () => {
    const { steve, say, broadcasts, sidecar, tick } = await begin();
    say(steve, "x".repeat(3_000));
    await tick(2);
    expect(broadcasts).toEqual([`<Steve> ${"x".repeat(2_048)}`]);
    expect(sidecar.of("said")[0]?.text).toHaveLength(2_048);
  });

  it("says that a blank line was not sent, and that the console cannot use it", async () => {
    const { steve, say, broadcasts, sidecar, tick } = await begin();
    expect(say(steve, "  ")).toMatchObject({ done: false, text: "Said nothing" });
    expect(say(undefined, "hi")?.done).toBe(false);
    await tick(2);
    expect([broadcasts, sidecar.of("said")]).toEqual([[], []]);
  });

  it("shows nothing of a banned player", async () => {
    const { steve, say, broadcasts, sidecar, state, pack, tick } = await begin();
    state.kickTicks = undefined;
    pack.commands.ban(undefined, "Steve");
    say(steve, "hi");
    await tick(2);
    expect([broadcasts, sidecar.of("said")]).toEqual([[], []]);
  });
});

describe("the form of /bridge:say", () => {
  it("opens without a text, and sends what the player writes", async () => {
    const { steve, say, broadcasts, sidecar, tick } = await begin();
    expect(say(steve)).toEqual({ done: true });
    await tick(2);
    expect(steve.questions.map(({ view }) => view)).toEqual([{ title: "Say?", field: "What", send: "Say" }]);
    steve.questions[0]?.ended("accepted", " hello ");
    await tick(2);
    expect(broadcasts).toEqual(["<Steve> hello"]);
    expect(sidecar.of("said")).toHaveLength(1);
  });

  it("is shown again while the chat screen is closing, for five seconds", async () => {
    const { steve, say, tick } = await begin();
    say(steve);
    let ended = 0;
    for (let ticks = 0; ticks < 120; ticks++) {
      await tick();
      if (steve.questions.length > ended) steve.questions[ended++]?.ended("busy", "");
    }
    expect(ended).toBe(10);
    say(steve);
    await tick(2);
    expect(steve.questions).toHaveLength(11);
  });

  it("sends nothing when it is closed or left empty, and says the latter", async () => {
    const { steve, say, broadcasts, tick } = await begin();
    for (const [end, text] of [
      ["closed", ""],
      ["accepted", " "],
    ] as const) {
      say(steve);
      await tick(2);
      steve.questions.at(-1)?.ended(end, text);
    }
    expect(broadcasts).toEqual([]);
    expect(steve.messages).toEqual(["Said nothing"]);
  });
});

describe("a player who is not identified yet", () => {
  it("can say something, which is reported after the join, and gives no other command", async () => {
    const known = new Set<string>();
    const { steve, say, pack, broadcasts, sidecar, tick } = await begin(known);
    expect(pack.commandsOf(steve).hide).toBeUndefined();
    expect(pack.commandsOf(undefined).status).toBeDefined();
    say(steve, "hi");
    pack.died(steve.id, undefined);
    await tick(5);
    expect(broadcasts).toEqual(["<Steve> hi"]);
    expect(sidecar.facts.map(({ is }) => is).filter(is => is !== "snapshot")).toEqual([]);
    known.add("Steve");
    await tick(5);
    const facts = sidecar.facts.map(({ is }) => is).filter(is => is !== "snapshot");
    expect(facts).toEqual(["joined", "said", "died"]);
    expect(pack.commandsOf(steve).hide).toBeDefined();
  });

  it("and was online before the script continues their visit once they are identified", async () => {
    const known = new Set<string>();
    const stored = new Map<string, unknown>();
    const first = playground(undefined, stored);
    await first.start();
    first.join("Steve");
    const since = (await first.rowOf("Steve", 120))?.since;
    first.pack.stop();
    const game = playground(undefined, stored, { isKnown: ({ name }) => known.has(name) });
    game.add("Steve");
    game.state.now = first.state.now;
    await game.start();
    known.add("Steve");
    const row = await game.rowOf("Steve", 120);
    expect(since).toBeDefined();
    expect(row?.since).toBe(since);
  });
});
