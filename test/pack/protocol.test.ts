import { describe, expect, it } from "@jest/globals";
import { readReply } from "../../behavior_pack/bridge/requests.ts";
import { createFormQueue } from "../../behavior_pack/linking/form-queue.ts";
import type { HttpAnswer } from "../../behavior_pack/ports.ts";
import type { Action } from "../../shared/actions.ts";
import { delivery, PATHS } from "../../shared/frames.ts";
import { CHAT_LENGTH, SHOWN_NAME_LENGTH } from "../../shared/limits.ts";
import { ok } from "./fake-sidecar.ts";
import { playground, started } from "./harness.ts";

const show = (seq: number, text: string): Action => ({
  seq,
  id: text,
  expiresInMs: 10_000,
  body: { do: "chat", text },
});

const UNKNOWN: HttpAnswer = { status: 409, body: '{"error":"unknown_session"}' };

describe("a session", () => {
  it("[SESSION-1] [FACT-5] is asked for by the number of the oldest fact that the run holds", async () => {
    const game = await started();
    const { received } = game.sidecar;
    game.sidecar.session = "s2";
    game.pack.said("Steve", "hi");
    await game.tick(3);
    expect(game.sidecar.hellos.map(hello => hello.firstFact)).toEqual([1, received + 1]);
  });

  it("[SESSION-5] is asked for with back-off when it is forgotten again and again", async () => {
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

  it("[SESSION-9] that was left has its answers passed over", async () => {
    const game = await started();
    const [old] = game.sidecar.polls;
    game.sidecar.session = "s2";
    game.pack.said("Steve", "hi");
    await game.tick(3);
    const { requests } = game.sidecar;
    old?.resolve(ok({ actions: [show(1, "old")], received: 0 }));
    await game.tick(2);
    expect([game.shown, game.sidecar.requests]).toEqual([[], requests]);
  });
});

describe("polls", () => {
  it("[POLL-1] follow one another at once, four in a tick at most", async () => {
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
      for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    }
    expect(Math.max(...perTick.values())).toBe(4);
  });
});

describe("facts", () => {
  it("[FACT-2] are in one request at a time", async () => {
    const game = await started();
    game.sidecar.mode = "silent";
    for (let i = 0; i < 10; i++) {
      game.pack.said("Steve", `${i}`);
      await game.tick();
    }
    expect(game.sidecar.held.map(({ path }) => path)).toEqual([PATHS.facts]);
  });

  it("[FACT-4] are forgotten by the answer to a poll too", async () => {
    const game = await started();
    game.sidecar.mode = "silent";
    game.pack.said("Steve", "hi");
    await game.tick();
    const [sent] = game.sidecar.held;
    game.sidecar.mode = "ok";
    game.sidecar.received++;
    game.sidecar.polls.shift()?.resolve(ok({ actions: [], received: game.sidecar.received }));
    await game.tick();
    const before = game.sidecar.frames.length;
    sent?.reject({ name: "Lost" });
    await game.tick(20);
    expect(game.sidecar.frames).toHaveLength(before);
  });

  it("[FACT-6] that an answer does not acknowledge are sent again as they were", async () => {
    const game = await started();
    const first = game.sidecar.received + 1;
    game.sidecar.answers.push(({ path }) =>
      path === PATHS.facts ? ok({ actions: [], received: first - 1 }) : undefined,
    );
    game.pack.said("Steve", "hi");
    await game.tick(3);
    expect(game.sidecar.of("said")).toEqual([]);
    await game.tick(5);
    expect(game.sidecar.frames.at(-1)).toMatchObject({ first, facts: [{ is: "said", text: "hi" }] });
    expect(game.lines.at(-1)).toContain("facts are not acknowledged");
  });

  it("[LIMIT-4] are cut where the game makes them longer, and never within a character", async () => {
    const game = await started();
    const name = "n".repeat(SHOWN_NAME_LENGTH);
    const text = "x".repeat(CHAT_LENGTH - 1);
    game.pack.said(`${name}n`, `${text}😀`);
    await game.tick(2);
    expect(game.sidecar.of("said")).toEqual([{ is: "said", name, text }]);
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
    expect(game.shown).toEqual(["a", "b", "c", "d"]);
    game.sidecar.session = "s2";
    game.pack.said("Steve", "hi");
    await game.tick(3);
    game.sidecar.polls.splice(0, game.sidecar.polls.length - 1);
    await answer(show(1, "e"));
    expect(game.shown.at(-1)).toBe("e");
  });
});

describe("link forms", () => {
  it("[FORM-3] that came after the hello was sent stay, though its answer does not list them", () => {
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

describe("a request that fails", () => {
  it("[RETRY-1] is sent again the first time, and after a hello the second time", async () => {
    const game = await started();
    const lose = () => game.sidecar.polls.shift()?.reject({ name: "Lost" });
    lose();
    await game.tick(6);
    expect([game.sidecar.polls.length, game.sidecar.hellos.length]).toEqual([1, 1]);
    lose();
    await game.tick(10);
    expect([game.sidecar.polls.length, game.sidecar.hellos.length]).toEqual([1, 2]);
  });

  it("[RETRY-4] brings a hello to the address that the settings name by then", async () => {
    const game = await started();
    game.sidecar.http.open = () => ({ value: { ...game.sidecar.endpoint, url: "http://moved" } });
    game.sidecar.session = "s2";
    game.pack.said("Steve", "hi");
    await game.tick(3);
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
