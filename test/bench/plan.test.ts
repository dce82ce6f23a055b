import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { type Figures, figuresOf, readFigures } from "../../lab/bench/figures.ts";
import { planPage } from "../../lab/bench/plan/page.ts";
import { enoughAlone, mostLines, planFor, redisWall } from "../../lab/bench/plan/plan.ts";
import { printed } from "../../lab/bench/plan/print.ts";
import { readCounts } from "../../lab/bench/shared/counts.ts";

// Blocks of docs/scaling.md: a-plan text

/** Round ones, so that the plan can be followed by hand. */
const FIGURES: Figures = {
  measured: { processor: "a processor", cores: 2, node: "20", redis: "7" },
  aloneDeliveryUs: 8,
  sidecars: {
    1: { deliveryUs: 9, ratio: 1, redisLineUs: 300 },
    4: { deliveryUs: 10, ratio: 1.1, redisLineUs: 600 },
  },
  lineUs: 20_000,
  arrivalUs: 600,
  redisArrivalUs: 60,
  redisLinkUs: 1,
  memory: { sidecarMB: 100, socketKB: 10.24, streamKB: 1 },
  deliveryBytes: 59,
  commands: { webLine: 20, webReads: 2, gameLine: 1, poll: 1, link: 1, idle: 2 },
  addedMs: { everysec: 1, always: 2 },
  linkBytes: 1,
};

describe("the plan", () => {
  it("has one sidecar alone for as many as it serves by CPU and by sockets", () => {
    expect(enoughAlone(5, 100_000, FIGURES)).toBe(15_000);
    expect(enoughAlone(5, 5_000, FIGURES)).toBe(5_000);
    const plan = planFor({ viewers: 5_000, linesPerSecond: 5, socketsEach: 5_000 }, FIGURES);
    expect(plan).toMatchObject({
      sidecars: 1,
      sidecarShare: 0.2,
      sidecarMB: 150,
      redisShare: 0,
      redisCommandsPerSecond: 0,
      arrivalSeconds: 5,
    });
  });

  it("has as many sidecars as CPU and sockets ask for, whichever are more", () => {
    // 1,000,000 x 5 x 10 us of (600,000 us - 5 x 20,000 us)
    const high = { viewers: 1_000_000, linesPerSecond: 5 };
    expect(planFor({ ...high, socketsEach: 20_000 }, FIGURES)).toMatchObject({
      byCpu: 100,
      bySockets: 50,
      sidecars: 100,
      sidecarShare: 0.6,
      linesOutPerSecond: 5_000_000,
      megabitsPerSecond: 5_000,
      // 5 x (200 us + 100 x 100 us), 5 x (20 + 96 x 2) + 100 x 2
      redisShare: 0.051,
      redisCommandsPerSecond: 1_260,
      arrivalSeconds: 100,
    });
    expect(planFor({ ...high, socketsEach: 5_000 }, FIGURES)).toMatchObject({
      bySockets: 200,
      sidecars: 200,
    });
  });

  it("has two sidecars at least where one is not enough", () => {
    expect(planFor({ viewers: 5_001, linesPerSecond: 1, socketsEach: 5_000 }, FIGURES).sidecars).toBe(2);
  });

  it("tells where Redis has no more room", () => {
    expect(redisWall(5, FIGURES)).toBe(1_198);
    expect(mostLines(100, FIGURES)).toBe(58);
    expect(printed([10_000], 5, 5_000, FIGURES)).toContain("at 1,198 sidecars and 5 lines a second");
  });

  it("has none for more lines than a sidecar has room for", () => {
    // 20,000 us each, of 600,000 us
    expect(planFor({ viewers: 10_000, linesPerSecond: 29, socketsEach: 5_000 }, FIGURES).byCpu).toBe(145);
    for (const linesPerSecond of [30, 1_000])
      expect(() => planFor({ viewers: 10_000, linesPerSecond, socketsEach: 5_000 }, FIGURES)).toThrow(
        `--lines-per-second: ${linesPerSecond}: expected less than 30: `,
      );
  });

  it("says so where it asks for more than one Redis can do", () => {
    const crowd = printed([10_000_000], 5, 5_000, FIGURES);
    expect(crowd).toContain("too much for one Redis, whose wall is at 1,198 sidecars and 5 lines a second");
    expect(printed([1e12], 5, 5_000, FIGURES)).toContain("or at less than 1 lines a second with");
  });

  it("takes whole numbers of viewers, above 0", () => {
    const PLAN = fileURLToPath(new URL("../../dist/tools/plan.js", import.meta.url));
    for (const wrong of ["0", "1.5", "abc", "1,000,000", "100,", "1e30"])
      expect(spawnSync(process.execPath, [PLAN, `--viewers=${wrong}`], { encoding: "utf8" })).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(/^--viewers: \S*: expected a whole number above 0/),
      });
  });
});

describe("the page", () => {
  it("shows what the plan prints of the figures that were measured", () => {
    const page = readFileSync(new URL("../../docs/scaling.md", import.meta.url), "utf8");
    const figures = readFigures(new URL("../../docs/figures.json", import.meta.url));
    // npm run plan -- --page writes it anew.
    expect(page).toBe(planPage(page, figures));
  });

  it("cannot be written where a mark is missing", () => {
    expect(() => planPage("# Many sidecars\n", FIGURES)).toThrow("there is no <!-- alone -->");
  });
});

describe("the benchmarks of several sidecars", () => {
  it("take rising numbers", () => {
    expect(readCounts("1,2,4")).toEqual([1, 2, 4]);
    for (const wrong of ["", "0", "2,1", "1,1", "1,9", "1.5", "x"])
      expect(() => readCounts(wrong)).toThrow(`--sidecars: ${wrong}: expected rising numbers from 1 to 8`);
  });

  it("give no figures where one was not measured", () => {
    expect(() => figuresOf([], "7")).toThrow(/^there is no figure: /);
  });
});
