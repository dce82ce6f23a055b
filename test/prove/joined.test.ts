import { afterEach, describe, expect, it } from "@jest/globals";
import { answerForm } from "../../lab/simulator/cast.ts";
import { joinedProbes } from "../../owner/prove/probes/joined.ts";
import { longProbes, memorySeen } from "../../owner/prove/probes/long.ts";
import { onlineProbes } from "../../owner/prove/probes/online.ts";
import { ALONE_PACK, MemoryTrial } from "./memory-trial.ts";

let trial: MemoryTrial | undefined;
afterEach(async () => {
  await trial?.stop();
  trial = undefined;
});

const probeOf = (table: typeof joinedProbes, id: string) => {
  const found = table.find(each => each.id === id);
  if (found === undefined) throw new Error(`there is no probe ${id}`);
  return found;
};

/** Ann, who presses what she is told to press, and answers when she is asked to. */
function annPlays({ bridge }: MemoryTrial, obeys = true): void {
  bridge.join("Ann");
  let said = false;
  let wanted: "accept" | "decline" = "accept";
  bridge.onTick = () => {
    const ann = bridge.game?.world.find("Ann");
    const chat = bridge.game?.world.chat.map(({ text }) => text).join("\n") ?? "";
    if (ann === undefined) return;
    if (chat.includes("red wool")) wanted = "decline";
    if (ann.form) answerForm(ann, obeys ? wanted : wanted === "accept" ? "decline" : "accept");
    if (!said && chat.includes("Please say something")) {
      said = true;
      ann.say("here I am");
    }
  };
}

describe("somebody who has joined", () => {
  it("is listed, accepts, declines and is heard", async () => {
    trial = await MemoryTrial.start("joined");
    annPlays(trial);
    for (const probe of joinedProbes)
      expect([probe.id, await trial.ask(probe)]).toEqual([
        probe.id,
        { state: "held", seen: expect.any(String) },
      ]);
  });

  it("is told of where the answers come out wrong", async () => {
    trial = await MemoryTrial.start("joined");
    annPlays(trial, false);
    expect(await trial.ask(probeOf(joinedProbes, "joined-accept"))).toEqual({
      state: "broken",
      seen: "declined",
    });
  });

  it("is not waited for longer than a minute", async () => {
    trial = await MemoryTrial.start("joined");
    expect(await trial.ask(probeOf(joinedProbes, "joined-accept"))).toEqual({
      state: "skipped",
      why: "nobody has joined",
    });
  });
});

describe("a server with online-mode and allow-list", () => {
  it("is as it is assumed", async () => {
    trial = await MemoryTrial.start("online", {
      properties: { "allow-list": "true", "online-mode": "true" },
    });
    for (const probe of onlineProbes)
      expect([probe.id, await trial.ask(probe)]).toEqual([
        probe.id,
        { state: "held", seen: expect.any(String) },
      ]);
  });

  it("is told of where its list is not written", async () => {
    const bend = { properties: { "allow-list": "true", "online-mode": "true" }, read: () => "[]" };
    trial = await MemoryTrial.start("online", bend);
    expect(await trial.ask(probeOf(onlineProbes, "online-whitelist"))).toMatchObject({ state: "broken" });
  });
});

describe("an hour", () => {
  it("is told of where the game gives up a request without a timeout after 30 s, and of its pace", async () => {
    trial = await MemoryTrial.start("long");
    // Less than an hour went by for these.
    expect(await trial.ask(probeOf(longProbes, "long-memory"))).toMatchObject({ state: "skipped" });
    for (const probe of longProbes.filter(({ id }) => id !== "long-memory"))
      expect([probe.id, await trial.ask(probe)]).toEqual([
        probe.id,
        { state: "held", seen: expect.any(String) },
      ]);
  });
});

describe("the memory of a game", () => {
  const MINUTE_MS = 60_000;
  /** A point each minute of an hour; `mb`: megabytes at a minute. */
  const hour = (mb: (minute: number) => number | null, minutes = 60) => ({
    points: Array.from({ length: minutes + 1 }, (_, minute) => ({
      ...{ at: 1_790_000_000_000 + minute * MINUTE_MS, memoryUsedMB: mb(minute) },
    })),
  });

  it.each([
    ["may grow in the first quarter of an hour", hour(minute => (minute < 15 ? 200 + minute : 400)), "held"],
    ["may grow by less than a tenth after that", hour(minute => 400 + 0.8 * minute), "held"],
    ["may have a peak that goes again", hour(minute => (minute === 30 ? 900 : 400)), "held"],
    ["grows where it is a tenth more after that", hour(minute => 400 + 2 * minute), "broken"],
    ["is not judged by less than three quarters of an hour", hour(() => 400, 39), "skipped"],
    ["is not judged where nobody sees it", hour(() => null), "skipped"],
    ["is not judged by what is no history", "none", "skipped"],
  ])("%s", (_, history, state) => {
    expect(memorySeen(history).state).toBe(state);
  });

  it("is told in numbers", () => {
    expect(memorySeen(hour(minute => 400 + 2 * minute))).toEqual({
      state: "broken",
      seen: "515 MB, and 435 MB 45 minutes before",
    });
  });
});

describe("the script for a game without players of its own", () => {
  it("answers, and leaves out what needs them", async () => {
    trial = await MemoryTrial.start("probes", {
      game: { pack: ALONE_PACK, omit: ["@minecraft/server-gametest"] },
    });
    expect(await trial.script?.ask("player-offered")).toBe(false);
    expect(await trial.script?.ask("mode")).toEqual({ now: "normal", afterAwait: "normal" });
  });
});
