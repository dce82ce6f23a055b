import { describe, expect, it } from "@jest/globals";
import { PATHS } from "../../shared/frames.ts";
import { started } from "./harness.ts";

describe("the outcome of a line from the web", () => {
  it("[ACT-13] waits for what is sent next, while the line is shown at once", async () => {
    const game = await started();
    const frames = game.sidecar.frames.length;
    const id = game.sidecar.act({ do: "chat", text: "hi" });
    await game.tick(10);
    expect(game.shown).toEqual(["hi"]);
    expect(game.sidecar.frames).toHaveLength(frames);
    game.pack.said("Steve", "hello");
    await game.tick(2);
    expect(game.sidecar.frames).toHaveLength(frames + 1);
    expect(game.sidecar.frames.at(-1)?.facts.map(fact => fact.is)).toEqual(["outcome", "said"]);
    expect(game.sidecar.outcome(id)?.status).toBe("done");
  });

  it("[ACT-13] waits a second at most, with all that came meanwhile", async () => {
    const game = await started();
    const frames = game.sidecar.frames.length;
    const ids: string[] = [];
    for (let tick = 0; tick < 18; tick++) {
      ids.push(game.sidecar.act({ do: "chat", text: `${tick}` }));
      await game.tick();
    }
    expect(game.shown).toHaveLength(18);
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

  it("[ACT-4] is told again after a lost answer and to another session, and the line is shown once", async () => {
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
    const kept = game.sidecar.act({ do: "chat", text: "kept" });
    await game.tick(2);
    expect(game.sidecar.outcome(kept)).toBeUndefined();
    game.sidecar.session = "s2";
    game.sidecar.polls.shift()?.resolve({ status: 409, body: '{"error":"unknown_session"}' });
    await game.tick(6);
    expect(game.sidecar.hellos).toHaveLength(2);
    expect(game.sidecar.outcome(kept)?.status).toBe("done");
    expect(game.shown).toEqual(["lost", "kept"]);
  });
});
