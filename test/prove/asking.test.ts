import { afterAll, expect, it } from "@jest/globals";
import { gameConsole, startGame } from "../../owner/prove/game-process.ts";
import { createAnswers, held } from "../../owner/prove/own.ts";
import type { Probe } from "../../owner/prove/probe.ts";
import { linuxProcesses } from "../../owner/prove/processes.ts";
import { untilReady } from "../../owner/prove/ready.ts";
import type { Stage } from "../../owner/prove/stage.ts";
import { askAll, createTrial, staysSeen } from "../../owner/prove/trial.ts";
import { fakeServer } from "./fake-server.ts";

const now = (): number => performance.now();
const console = gameConsole();
afterAll(() => console.close());

const probe = (id: string, ask: Probe["ask"]): Probe => ({
  kind: "promise",
  ...{ id, ask, assumes: "it is so", how: "it is asked", rows: [], run: "plain" },
});

it("probes that throw are broken, and those of a server that has ended by itself are not asked", async () => {
  const folder = await fakeServer({ says: ["Accepting clients on x", "Server started."] });
  const program = { executable: "bedrock_server", platform: "linux" } as const;
  const game = startGame({ folder, program, console, processes: linuxProcesses, now, script: false });
  await untilReady(console, game, 0, now);
  const stage: Stage = {
    ...{ folder, console, game, sideEnd: undefined, longestMs: () => 2_400 },
    side: { folder, config: "", url: "http://127.0.0.1:1", key: "", token: "" },
    ports: { game: 1, gameV6: 2, players: 3, web: 4, bridge: 5 },
    start: () => Promise.reject(new Error("not here")),
    stop: () => game.stop(),
    kill: () => game.kill(),
    setUp: async () => [],
    undo: async () => undefined,
    startSide: async () => undefined,
    end: async () => undefined,
  };
  const host = { url: "http://127.0.0.1:1", arrived: [] };
  const trial = createTrial({
    platform: "linux",
    stage,
    host,
    script: undefined,
    now,
    started: () => undefined,
  });
  const answers = createAnswers(undefined);
  expect(staysSeen(stage)).toEqual(held("it ran for 2 s, until it was stopped"));
  const asked: string[] = [];
  const probes = [
    probe("fine", async () => held("so")),
    probe("throws", () => Promise.reject(new Error("it could not be asked"))),
    probe("reads", async ({ read }) =>
      held(`${read("none.txt")} ${read("server.properties")?.length !== 0}`),
    ),
    probe("outside", async ({ read }) => held(String(read("../other")))),
    probe("crashes", async () => {
      const [pid = 0] = await linuxProcesses.within(folder);
      process.kill(pid, "SIGSEGV");
      await game.ended;
      throw new Error("no answer");
    }),
    probe("late", async () => held("never")),
  ];
  await askAll(probes, trial, stage, answers, ({ id }) => void asked.push(id));
  expect(answers.all.map(({ id, state, said }) => [id, state, said])).toEqual([
    ["fine", "held", "so"],
    ["throws", "broken", "it could not be asked"],
    ["reads", "held", "undefined true"],
    ["outside", "broken", "../other: leads out of the copy"],
    ["crashes", "skipped", "the server ended by itself while it was asked"],
    ["late", "skipped", "the server had ended by then"],
  ]);
  expect(asked).not.toContain("late");
  expect(staysSeen(stage)).toMatchObject({
    state: "broken",
    seen: expect.stringMatching(/^it ended by itself after \d+ s \(SIGSEGV\)/),
  });
});
