import { describe, expect, it } from "@jest/globals";
import { ok } from "./fake-sidecar.ts";
import { away, playground, started } from "./harness.ts";

describe("the conversation with the sidecar", () => {
  it("[POLL-1] [SESSION-8] says hello, holds one poll open and sends a whole snapshot at once", async () => {
    const game = playground();
    game.add("Steve");
    await game.start();
    expect(game.sidecar.hellos).toHaveLength(1);
    expect(game.sidecar.polls).toHaveLength(1);
    expect(game.sidecar.rows().map(row => row.player.name)).toEqual(["Steve"]);
    expect(game.lines).toEqual(["connected to the sidecar at http://sidecar"]);
  });

  it("[RETRY-5] is back within a second of a short outage, and tells of each change once", async () => {
    const game = await started();
    await away(game, 8);
    game.sidecar.mode = "ok";
    await game.tick(20);
    expect(game.lines.map(line => line.split(" ")[0])).toEqual(["connected", "lost", "connected"]);
    expect(game.sidecar.polls).toHaveLength(1);
  });

  it("[SESSION-1] [SESSION-5] says hello again at once, with the same run, when the sidecar does not know the session", async () => {
    const game = await started();
    game.sidecar.session = "s2";
    game.pack.said("Steve", "hi");
    await game.tick(2);
    expect(game.sidecar.hellos).toHaveLength(2);
    expect(game.sidecar.hellos[1]?.run).toBe(game.sidecar.hellos[0]?.run);
    await game.tick(2);
    expect(game.sidecar.of("said")).toEqual([{ is: "said", name: "Steve", text: "hi" }]);
    expect(game.lines).toHaveLength(1);
  });

  it("[SESSION-10] goes on with its session, twice a second, while sidecars cannot reach what they share", async () => {
    const game = await started();
    let refused = 0;
    const away = () => {
      if (++refused < 20) game.sidecar.answers.push(away);
      return { status: 503, body: '{"error":"storage_away"}' };
    };
    game.sidecar.answers.push(away);
    game.pack.said("Steve", "hi");
    await game.tick(220);
    expect(refused).toBe(20);
    await game.tick(20);
    expect(game.sidecar.of("said")).toEqual([{ is: "said", name: "Steve", text: "hi" }]);
    expect(game.sidecar.hellos).toHaveLength(1);
    expect(game.lines.filter(line => line.includes("lost the sidecar"))).toHaveLength(1);
  });

  it("[SESSION-6] [SESSION-12] waits a minute after another game server has taken over, and names its world each time", async () => {
    const game = await started();
    const replaced = () => ({ status: 409, body: '{"error":"session_replaced","detail":"world: Other"}' });
    game.sidecar.answers.push(replaced);
    game.pack.said("Steve", "hi");
    await game.tick(1190);
    const told = () => game.lines.filter(line => line.includes("taken over"));
    expect(game.sidecar.hellos).toHaveLength(1);
    expect(told()).toHaveLength(1);
    game.sidecar.answers.push(replaced);
    await game.tick(15);
    expect(told()).toEqual(Array(2).fill(expect.stringContaining("(session_replaced, world: Other)")));
    expect(game.pack.commands.status(undefined).text).toContain("world: Other");
    await game.tick(1215);
    expect(game.sidecar.hellos).toHaveLength(2);
    expect(told()).toHaveLength(2);
    expect(game.pack.commands.status(undefined).text).not.toContain("Other");
  });

  it.each([
    ["token", { status: 401, body: '{"error":"unauthorized"}' }, "bridge-token"],
    ["name", { status: 421, body: '{"error":"host_not_allowed"}' }, "127.0.0.1 and localhost"],
    [
      "version",
      { status: 426, body: '{"error":"wire_mismatch","update":"pack"}' },
      "update the behavior pack",
    ],
    ["answer", { status: 200, body: "<html>" }, "malformed"],
  ])("[RETRY-5] names a refused %s once and keeps trying", async (_what, answer, expected) => {
    const game = playground();
    const always = () => {
      game.sidecar.answers.push(always);
      return answer;
    };
    game.sidecar.answers.push(always);
    game.pack.begin();
    await game.tick(1000);
    expect(game.lines.filter(line => line.includes(expected))).toHaveLength(1);
    expect(game.sidecar.requests).toBeGreaterThan(5);
  });

  it("[VER-3] refuses a sidecar whose hello answer names an incompatible version", async () => {
    const game = playground();
    const answer = { product: "9.0.0", wire: 9, wireOldest: 9, session: "s", refreshMs: 500, links: [] };
    const shown = { linkForm: "buttons", texts: {}, languages: [] };
    game.sidecar.answers.push(() => ok({ ...answer, ...shown }));
    game.pack.begin();
    await game.tick(2);
    expect(game.lines[0]).toContain("update the behavior pack");
    expect(game.sidecar.polls).toHaveLength(0);
  });

  it("[RETRY-3] gives up a request that is never settled, and ends it for the game", async () => {
    const game = playground();
    game.sidecar.mode = "silent";
    game.pack.begin();
    await game.tick(15 * 20 - 5);
    expect(game.sidecar.requests).toBe(1);
    await game.tick(20);
    expect(game.sidecar.cancelled).toBe(1);
    expect(game.sidecar.requests).toBe(2);
  });

  it("ends everything at shutdown and sends nothing after it", async () => {
    const game = await started();
    const before = game.sidecar.requests;
    game.pack.stop();
    game.pack.said("Steve", "hi");
    await game.tick(100);
    expect(game.sidecar.cancelled).toBe(1);
    expect(game.sidecar.requests).toBe(before);
  });
});

describe("facts", () => {
  it("[FACT-8] drops the oldest chat of a long outage and tells once how much", async () => {
    const game = await started();
    await away(game, 50);
    for (let i = 0; i < 1200; i++) game.pack.said("Steve", `line ${i}`);
    game.sidecar.mode = "ok";
    await game.tick(400);
    expect(game.sidecar.of("said")).toHaveLength(1000);
    expect(game.sidecar.of("said")[0]?.text).toBe("line 200");
    expect(game.lines.filter(line => line.startsWith("200 lines of game chat"))).toHaveLength(1);
  });

  it("[FACT-7] sends facts one by one after a refusal and drops the one refused", async () => {
    const game = await started();
    const refuse = (pending: { path: string; body: string }) => {
      game.sidecar.answers.push(refuse);
      return pending.body.includes("poison")
        ? { status: 400, body: '{"error":"invalid_message"}' }
        : undefined;
    };
    game.sidecar.answers.push(refuse);
    for (const text of ["one", "poison", "two"]) game.pack.said("Steve", text);
    await game.tick(10);
    expect(game.sidecar.of("said").map(fact => fact.text)).toEqual(["one", "two"]);
    expect(game.lines.filter(line => line.includes("refused a fact (said"))).toHaveLength(1);
  });
});
