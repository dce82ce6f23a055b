import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { PATHS } from "../../shared/frames.ts";
import { CHAT_LENGTH, DISPLAY_NAME_LENGTH, FACTS_BODY_BYTES, MAX_FACTS } from "../../shared/limits.ts";
import { ok } from "../testing/fake-sidecar.ts";
import { away, started } from "../testing/harness.ts";
import { createFactQueue, MAX_WAITING_DEATHS } from "./fact-queue.ts";

describe("facts", () => {
  it("[FACT-2] are sent in one request at a time", async () => {
    const game = await started();
    game.sidecar.mode = "silent";
    for (let i = 0; i < 10; i++) {
      game.pack.said("Steve", `${i}`);
      await game.tick();
    }
    expect(game.sidecar.unanswered.map(({ path }) => path)).toEqual([PATHS.facts]);
  });

  it("[FACT-4] are also acknowledged by the answer to a poll", async () => {
    const game = await started();
    game.sidecar.mode = "silent";
    game.pack.said("Steve", "hi");
    await game.tick();
    const [sent] = game.sidecar.unanswered;
    game.sidecar.mode = "ok";
    game.sidecar.received++;
    game.sidecar.polls.shift()?.resolve(ok({ actions: [], received: game.sidecar.received }));
    await game.tick();
    const before = game.sidecar.frames.length;
    sent?.reject({ name: "Lost" });
    await game.tick(20);
    expect(game.sidecar.frames).toHaveLength(before);
  });

  it("[FACT-6] that an answer does not acknowledge are resent unchanged", async () => {
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
    expect(game.lines.at(-1)).toContain("the facts were not acknowledged");
  });

  it("[LIMIT-4] with longer texts are clipped, never within a character", async () => {
    const game = await started();
    const name = "n".repeat(DISPLAY_NAME_LENGTH);
    const text = "x".repeat(CHAT_LENGTH - 1);
    game.pack.said(`${name}n`, `${text}😀`);
    await game.tick(2);
    expect(game.sidecar.of("said")).toEqual([{ is: "said", name, text }]);
  });

  it("[FACT-8] drops the oldest chat of a long outage and logs once how much", async () => {
    const game = await started();
    await away(game, 50);
    for (let i = 0; i < 1200; i++) game.pack.said("Steve", `line ${i}`);
    game.sidecar.mode = "ok";
    await game.tick(400);
    expect(game.sidecar.of("said")).toHaveLength(1000);
    expect(game.sidecar.of("said")[0]?.text).toBe("line 200");
    expect(game.lines.filter(line => line.startsWith("200 chat messages"))).toHaveLength(1);
  });

  it("[FACT-7] are sent one by one after a rejection, and only the rejected one is dropped", async () => {
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
    expect(game.lines.filter(line => line.includes("rejected a report (said"))).toHaveLength(1);
  });
});

describe("the facts queue", () => {
  const said = (text: string): string => JSON.stringify({ is: "said", name: "Steve", text });

  it("[FACT-1] [FACT-2] never returns more than fits, keeps order, and loses only chat", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("say" as const), length: fc.integer({ min: 0, max: 2000 }) }),
      fc.record({ do: fc.constant("fact" as const) }),
      fc.record({ do: fc.constant("send" as const), acknowledged: fc.integer({ min: 0, max: 300 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), steps => {
        const queue = createFactQueue();
        const got: string[] = [];
        const pushed: string[] = [];
        const sentAs = new Map<number, string>();
        const send = (acknowledged: number): void => {
          const batch = queue.take(0);
          if (batch === undefined) return;
          expect(batch.first).toBe(got.length + 1);
          expect(batch.texts.length).toBeLessThanOrEqual(MAX_FACTS);
          expect(batch.texts.join(",").length).toBeLessThanOrEqual(FACTS_BODY_BYTES);
          batch.texts.forEach((text, at) => {
            expect(sentAs.get(batch.first + at) ?? text).toBe(text);
            sentAs.set(batch.first + at, text);
          });
          got.push(...batch.texts.slice(0, acknowledged));
          queue.acknowledge(batch.first + Math.min(acknowledged, batch.texts.length) - 1);
        };
        steps.forEach((one, at) => {
          if (one.do === "send") {
            send(one.acknowledged);
            return;
          }
          const text = one.do === "say" ? said(`${at} ${"x".repeat(one.length)}`) : `{"id":${at}}`;
          pushed.push(text);
          queue.push(one.do === "say" ? "said" : "outcome", text);
        });
        while (queue.size() > 0) send(1000);
        const missing = pushed.filter(text => !got.includes(text));
        expect(pushed.filter(text => got.includes(text))).toEqual(got);
        expect(missing).toHaveLength(queue.takeDropped());
        expect(missing.every(text => text.includes("said"))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("[FACT-16] drops further deaths while 100 wait to be sent, but nothing else", () => {
    const queue = createFactQueue();
    for (let i = 0; i < 250; i++) queue.push("died", `${i}`);
    queue.push("said", "hi");
    const texts = queue.take(0)?.texts ?? [];
    expect([texts.length, texts[MAX_WAITING_DEATHS - 1], texts.at(-1)]).toEqual([101, "99", "hi"]);
    queue.push("died", "later");
    queue.acknowledge(101);
    expect(queue.take(0)).toEqual({ first: 102, texts: ["later"] });
    expect(queue.takeDropped()).toBe(0);
  });

  it("[FACT-10] keeps the rest of a snapshot that was sent in part, and otherwise only the newest", () => {
    const queue = createFactQueue();
    const big = "x".repeat(30_000);
    queue.pushSnapshot([`1a${big}`, `1b${big}`]);
    expect(queue.take(0)?.texts).toHaveLength(1);
    queue.pushSnapshot(["2"]);
    queue.pushSnapshot(["3"]);
    queue.acknowledge(1);
    expect(queue.take(0)?.texts.map(text => text.slice(0, 2))).toEqual(["1b", "3"]);
  });

  it("[FACT-7] gives the number of a dropped fact to the next one", () => {
    const queue = createFactQueue();
    for (const text of ["1", "2", "3"]) queue.push("outcome", text);
    queue.take(0);
    expect(queue.refuse()).toBeUndefined();
    expect(queue.take(0)).toEqual({ first: 1, texts: ["1"] });
    expect(queue.refuse()).toBe("outcome");
    expect(queue.take(0)).toEqual({ first: 1, texts: ["2"] });
  });
});

describe("the outcome of a chat message from the website", () => {
  it("[ACT-13] waits for the next request, while the message is shown immediately", async () => {
    const game = await started();
    const frames = game.sidecar.frames.length;
    const id = game.sidecar.act({ do: "chat", text: "hi" });
    await game.tick(10);
    expect(game.broadcasts).toEqual(["hi"]);
    expect(game.sidecar.frames).toHaveLength(frames);
    game.pack.said("Steve", "hello");
    await game.tick(2);
    expect(game.sidecar.frames).toHaveLength(frames + 1);
    expect(game.sidecar.frames.at(-1)?.facts.map(fact => fact.is)).toEqual(["outcome", "said"]);
    expect(game.sidecar.outcome(id)?.status).toBe("done");
  });

  it("[ACT-13] waits at most a second, together with others", async () => {
    const game = await started();
    const frames = game.sidecar.frames.length;
    const ids: string[] = [];
    for (let tick = 0; tick < 18; tick++) {
      ids.push(game.sidecar.act({ do: "chat", text: `${tick}` }));
      await game.tick();
    }
    expect(game.broadcasts).toHaveLength(18);
    expect(game.sidecar.frames).toHaveLength(frames);
    await game.tick(2);
    expect(game.sidecar.frames).toHaveLength(frames + 1);
    expect(ids.map(id => game.sidecar.outcome(id)?.status)).toEqual(ids.map(() => "done"));
  });

  it("does not wait longer because the clock was set back", async () => {
    const game = await started();
    const id = game.sidecar.act({ do: "chat", text: "hi" });
    await game.tick(2);
    expect(game.sidecar.outcome(id)).toBeUndefined();
    game.state.now -= 3_600_000;
    await game.tick(2);
    expect(game.sidecar.outcome(id)?.status).toBe("done");
  });

  it("[ACT-4] is resent after a lost answer and to a new session, and the message is shown once", async () => {
    const game = await started();
    const { endpoint } = game.sidecar;
    const { post } = endpoint;
    endpoint.post = async (path, body, timeoutSeconds) => {
      const answer = await post(path, body, timeoutSeconds);
      if (path !== PATHS.facts) return answer;
      endpoint.post = post;
      throw new Error("lost");
    };
    const lost = game.sidecar.act({ do: "chat", text: "lost" });
    await game.tick(30);
    expect(game.sidecar.frames.slice(-2).map(({ first }) => first)).toEqual([2, 2]);
    expect(game.sidecar.outcome(lost)?.status).toBe("done");
    const answered = game.sidecar.act({ do: "chat", text: "kept" });
    await game.tick(2);
    expect(game.sidecar.outcome(answered)).toBeUndefined();
    game.sidecar.session = "s2";
    game.sidecar.polls.shift()?.resolve({ status: 409, body: '{"error":"unknown_session"}' });
    await game.tick(6);
    expect(game.sidecar.hellos).toHaveLength(2);
    expect(game.sidecar.outcome(answered)?.status).toBe("done");
    expect(game.broadcasts).toEqual(["lost", "kept"]);
  });
});
