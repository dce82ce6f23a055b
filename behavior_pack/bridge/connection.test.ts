import { describe, expect, it } from "@jest/globals";
import type { Action } from "../../shared/actions.ts";
import { delivery, PATHS } from "../../shared/frames.ts";
import type { HttpAnswer } from "../ports.ts";
import { FakeSidecar, ok } from "../testing/fake-sidecar.ts";
import { away, playground, started } from "../testing/harness.ts";
import { readReply } from "./requests.ts";
import { worldId } from "./world-id.ts";

const show = (seq: number, text: string): Action => ({
  seq,
  id: text,
  expiresInMs: 10_000,
  body: { do: "chat", text },
});

const UNKNOWN: HttpAnswer = { status: 409, body: '{"error":"unknown_session"}' };

describe("a session", () => {
  it.each([undefined, "command"] as const)(
    "[SESSION-13] says with %s how game chat reaches the website",
    async gameChat => {
      const game = playground(new FakeSidecar(), new Map(), { gameChat });
      await game.start();
      expect(game.sidecar.hellos[0]?.gameChat).toBe(gameChat);
    },
  );

  it("[SESSION-1] [SESSION-5] [FACT-5] unknown to the sidecar leads to an immediate hello with the run and its oldest fact's number", async () => {
    const game = await started();
    const { received } = game.sidecar;
    await game.renewSession(2);
    const [first, second] = game.sidecar.hellos;
    expect([first?.firstFact, second?.firstFact]).toEqual([1, received + 1]);
    expect(second?.run).toBe(first?.run);
    await game.tick(2);
    expect(game.sidecar.of("said")).toEqual([{ is: "said", name: "Steve", text: "hi" }]);
    expect(game.lines).toHaveLength(1);
  });

  it("[SESSION-5] that is lost again and again leads to hellos with back-off", async () => {
    const game = await started();
    const forget = ({ path }: { path: string }): HttpAnswer | undefined => {
      if (path !== PATHS.facts) return undefined;
      game.sidecar.answers.push(forget);
      return UNKNOWN;
    };
    game.sidecar.answers.push(forget);
    game.pack.said("Steve", "hi");
    await game.tick(8);
    expect(game.sidecar.hellos).toHaveLength(2);
    await game.tick(4);
    expect(game.sidecar.hellos).toHaveLength(3);
  });

  it("[SESSION-9] that has ended has its answers ignored", async () => {
    const game = await started();
    const [old] = game.sidecar.polls;
    await game.renewSession();
    const { requests } = game.sidecar;
    old?.resolve(ok({ actions: [show(1, "old")], received: 0 }));
    await game.tick(2);
    expect([game.broadcasts, game.sidecar.requests]).toEqual([[], requests]);
  });
});

describe("polls", () => {
  it("[POLL-1] follow each other immediately, at most four in a tick", async () => {
    const game = playground();
    const perTick = new Map<number, number>();
    const atOnce = ({ path }: { path: string }): HttpAnswer | undefined => {
      if (path !== PATHS.poll) return undefined;
      game.sidecar.answers.push(atOnce);
      perTick.set(game.state.tick, (perTick.get(game.state.tick) ?? 0) + 1);
      return ok({ actions: [], received: game.sidecar.received });
    };
    game.sidecar.answers.push(atOnce);
    game.pack.begin();
    for (let i = 0; i < 10; i++) {
      await game.tick();
      for (let round = 0; round < 100; round++) await Promise.resolve();
    }
    expect(Math.max(...perTick.values())).toBe(4);
  });
});

describe("the connection to the sidecar", () => {
  it("[POLL-1] [SESSION-8] says hello, keeps one poll open and immediately sends a whole snapshot", async () => {
    const game = playground();
    game.add("Steve");
    await game.start();
    expect(game.sidecar.hellos).toHaveLength(1);
    expect(game.sidecar.polls).toHaveLength(1);
    expect(game.sidecar.rows().map(row => row.player.name)).toEqual(["Steve"]);
    expect(game.lines).toEqual(["connected to the sidecar at http://sidecar"]);
  });

  it("[RETRY-5] is back within a second of a short outage, and logs each change once", async () => {
    const game = await started();
    await away(game, 8);
    game.sidecar.mode = "ok";
    await game.tick(20);
    expect(game.lines.map(line => line.split(" ")[0])).toEqual(["connected", "lost", "connected"]);
    expect(game.sidecar.polls).toHaveLength(1);
  });

  it("[SESSION-10] keeps its session and retries twice a second while the shared storage is unreachable", async () => {
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
    expect(game.lines.filter(line => line.includes("lost the connection to the sidecar"))).toHaveLength(1);
  });

  it("[SESSION-6] [SESSION-12] waits a minute after another game server has taken over, and names its world each time", async () => {
    const game = await started();
    const replaced = () => ({ status: 409, body: '{"error":"session_replaced","detail":"world: Other"}' });
    game.sidecar.answers.push(replaced);
    game.pack.said("Steve", "hi");
    await game.tick(1190);
    const takeOverLines = () => game.lines.filter(line => line.includes("taken over"));
    expect(game.sidecar.hellos).toHaveLength(1);
    expect(takeOverLines()).toHaveLength(1);
    game.sidecar.answers.push(replaced);
    await game.tick(15);
    expect(takeOverLines()).toEqual(
      Array(2).fill(expect.stringContaining("(session_replaced, world: Other)")),
    );
    expect(game.pack.commands.status(undefined).text).toContain("world: Other");
    await game.tick(1215);
    expect(game.sidecar.hellos).toHaveLength(2);
    expect(takeOverLines()).toHaveLength(2);
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
  ])("[RETRY-5] logs a rejected %s once and keeps trying", async (_what, answer, expected) => {
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

  it("[VER-3] rejects a sidecar whose hello answer has an incompatible version", async () => {
    const game = playground();
    const answer = { product: "9.0.0", wire: 9, wireOldest: 9, session: "s", refreshMs: 500, links: [] };
    const texts = { linkForm: "buttons", texts: {}, languages: [] };
    game.sidecar.answers.push(() => ok({ ...answer, ...texts }));
    game.pack.begin();
    await game.tick(2);
    expect(game.lines[0]).toContain("update the behavior pack");
    expect(game.sidecar.polls).toHaveLength(0);
  });

  it("[RETRY-3] abandons a request that never settles, and cancels it in the game", async () => {
    const game = playground();
    game.sidecar.mode = "silent";
    game.pack.begin();
    await game.tick(15 * 20 - 5);
    expect(game.sidecar.requests).toBe(1);
    await game.tick(20);
    expect(game.sidecar.cancelled).toBe(1);
    expect(game.sidecar.requests).toBe(2);
  });

  it("cancels everything at shutdown and sends nothing afterwards", async () => {
    const game = await started();
    const before = game.sidecar.requests;
    game.pack.stop();
    game.pack.said("Steve", "hi");
    await game.tick(100);
    expect(game.sidecar.cancelled).toBe(1);
    expect(game.sidecar.requests).toBe(before);
  });
});

describe("actions", () => {
  it("[ACT-3] are taken in the order of their numbers, each number of a session once", async () => {
    const game = await started();
    const answer = (...actions: Action[]): Promise<void> => {
      game.sidecar.polls.shift()?.resolve(ok({ actions, received: game.sidecar.received }));
      return game.tick(2);
    };
    await answer(show(5, "c"), show(2, "a"), show(4, "b"));
    await answer(show(5, "other"), show(6, "d"));
    expect(game.broadcasts).toEqual(["a", "b", "c", "d"]);
    await game.renewSession();
    game.sidecar.polls.splice(0, game.sidecar.polls.length - 1);
    await answer(show(1, "e"));
    expect(game.broadcasts.at(-1)).toBe("e");
  });
});

describe("a request that fails", () => {
  it("[RETRY-1] is retried after the first failure, and after the second one a hello comes first", async () => {
    const game = await started();
    const lose = () => game.sidecar.polls.shift()?.reject({ name: "Lost" });
    lose();
    await game.tick(6);
    expect([game.sidecar.polls.length, game.sidecar.hellos.length]).toEqual([1, 1]);
    lose();
    await game.tick(10);
    expect([game.sidecar.polls.length, game.sidecar.hellos.length]).toEqual([1, 2]);
  });

  it("[RETRY-4] leads to a hello at the address in the current settings", async () => {
    const game = await started();
    game.sidecar.http.open = () => ({ value: { ...game.sidecar.endpoint, url: "http://moved" } });
    await game.renewSession();
    expect(game.pack.commands.status(undefined).text).toContain("http://moved");
  });

  it.each([
    [409, '{"error":"session_replaced"}', "session_replaced"],
    [409, '{"error":"not_known_here"}', "unknown_session"],
    [400, '{"error":"session_replaced"}', "invalid_message"],
    [413, "<html>", "body_too_large"],
    [500, '{"error":"unexpected_result","detail":"x"}', "unexpected_result"],
    [418, '{"error":"unauthorized"}', "other_status"],
  ])("[REFUSE-2] with status %i and %s counts as %s", (status, body, code) => {
    expect(readReply({ value: { status, body } }, delivery)).toMatchObject({ fault: { code } });
  });
});

const helloOf = async (stored: Map<string, unknown>, name?: string) => {
  const game = playground(undefined, stored);
  game.sidecar.endpoint.world = name;
  await game.start();
  return game.sidecar.hellos[0];
};

describe("the world", () => {
  it("[SESSION-11] is reported by an id that it keeps from the first time on, and by its name", async () => {
    const stored = new Map<string, unknown>();
    const first = await helloOf(stored, "Old World");
    expect(first?.world).toEqual({ id: first?.run, name: "Old World" });
    const second = await helloOf(stored, "New name");
    expect(second?.world).toEqual({ id: first?.run, name: "New name" });
  });

  it("[SESSION-11] has no name if the settings have none", async () => {
    expect((await helloOf(new Map()))?.world).toEqual({ id: expect.any(String) });
  });

  it("[SESSION-11] is not reported if it cannot store an id, which would change each time", () => {
    expect(worldId({ read: () => undefined, write: () => undefined }, "a")).toBeUndefined();
    const fails = () => {
      throw new Error("not now");
    };
    expect(worldId({ read: fails, write: fails }, "a")).toBeUndefined();
    expect(worldId({ read: () => undefined, write: fails }, "a")).toBeUndefined();
    expect(worldId({ read: () => 7, write: () => undefined }, "a")).toBeUndefined();
  });
});
