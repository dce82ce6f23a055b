import { describe, expect, it } from "@jest/globals";
import { FIDELITY, fidelityLines, fidelityPage } from "../../lab/proofs/fidelity.ts";
import { madeFrom } from "../../lab/proofs/pages.ts";
import { inOrder, proofIn } from "../../lab/proofs/proofs.ts";
import { OWN } from "../../owner/prove/own.ts";
import { comparedLines, isOpen } from "../../owner/prove/report/compare.ts";
import { provedLines } from "../../owner/prove/report/lines.ts";
import type { Report } from "../../owner/prove/report.ts";
import { text } from "../docs/pages.ts";
import { answer, aReport } from "./a-report.ts";

const PAGE = `# How true

| mark | means |
|---|---|
| I | inferred |

<!-- proved -->
<!-- end of proved -->

## Ticks

| part | behaviour | mark |
|---|---|---|
| timers | in order \\| or not | D; order I |
| \`stop\` | ends | I |
| \`kill\` | ends | unknown |
| others | are left out | own |

## Asked of a real server

<!-- asked -->
<!-- end of asked -->
`;

const PROBES = [
  { id: "tick-timers", kind: "promise", rows: ["Ticks / timers"] },
  { id: "tick-stop", kind: "inference", rows: ["Ticks / `stop`", "Ticks / timers"] },
  { id: "tick-other", kind: "promise", rows: [] },
] as const;

const on = (
  version: string,
  states: Record<string, "held" | "broken" | "skipped">,
  platform?: "windows",
): Report =>
  aReport({
    game: { version, platform: platform ?? "linux" },
    answers: Object.entries(states).map(([id, state]) =>
      answer({
        ...{ id, state, said: `seen on ${version}` },
        kind: PROBES.find(probe => probe.id === id)?.kind ?? "promise",
      }),
    ),
  });

const made = (...proofs: Report[]): string => fidelityPage(PAGE, proofs, PROBES);
const markOf = (page: string, name: string): string | undefined =>
  page
    .split("\n")
    .find(line => line.startsWith(`| ${name} |`))
    ?.split(/(?<!\\)\|/)[3]
    ?.trim();

describe("the lines of FIDELITY.md", () => {
  it("are called by their section and first cell", () => {
    expect([...fidelityLines(PAGE)]).toEqual([
      ["Ticks / timers", "D; order I"],
      ["Ticks / `stop`", "I"],
      ["Ticks / `kill`", "unknown"],
      ["Ticks / others", "own"],
    ]);
  });

  it("are open where a part of them is inferred or unknown", () => {
    expect(["I", "D; order I", "unknown: prefix or exact", "U; what X does: unknown"].map(isOpen)).toEqual([
      ...[true, true, true, true],
    ]);
    expect(["D", "own", "differs", "U; M", "ID"].map(isOpen)).toEqual([false, false, false, false, false]);
  });

  it("have names of their own, and as many cells as their head", () => {
    expect(() => fidelityLines(PAGE.replace("| others |", "| timers |"))).toThrow(
      "there are two lines Ticks / timers",
    );
    expect(() => fidelityLines(PAGE.replace("\\| or", "| or"))).toThrow("not three cells: | timers");
  });
});

describe("a proof", () => {
  it("proves a line where all that is asked of it held, and a part of it where something was left out", () => {
    const proofs = provedLines(on("1.26.60", { "tick-timers": "held", "tick-stop": "held" }), PROBES);
    expect([...proofs].map(([name, { state }]) => [name, state])).toEqual([
      ["Ticks / timers", "proved"],
      ["Ticks / `stop`", "proved"],
    ]);
    const partly = provedLines(on("1.26.60", { "tick-timers": "held", "tick-stop": "skipped" }), PROBES);
    expect([...partly].map(([, { state }]) => state)).toEqual(["partly", "unasked"]);
  });

  it("finds a line wrong where one answer about it was otherwise", () => {
    const proofs = provedLines(on("1.26.60", { "tick-timers": "broken", "tick-stop": "held" }), PROBES);
    expect([...proofs].map(([, { state }]) => state)).toEqual(["wrong", "proved"]);
  });

  it("tells apart a line of which only something is wrong that the product does not need", () => {
    const proofs = provedLines(on("1.26.60", { "tick-timers": "held", "tick-stop": "broken" }), PROBES);
    expect([...proofs].map(([, { state }]) => state)).toEqual(["otherwise", "otherwise"]);
    const both = provedLines(on("1.26.60", { "tick-timers": "broken", "tick-stop": "broken" }), PROBES);
    expect([...both].map(([, { state }]) => state)).toEqual(["wrong", "otherwise"]);
  });
});

describe("the page", () => {
  it("says that nothing was compared, and which lines nobody asks, where there is no proof", () => {
    const page = made();
    expect(page).toContain("No part was compared with a running Bedrock Dedicated Server yet.");
    expect(markOf(page, "timers")).toBe("D; order I");
    expect(page).toContain("| Ticks / timers | `tick-timers` | `tick-stop` | not asked yet |");
    expect(page).toContain("asked by no probe:\n\n- Ticks / `kill`\n<!-- end");
  });

  it("has in the mark of a line what the newest game that was asked has answered", () => {
    const held = on("1.26.50.4", { "tick-timers": "held", "tick-stop": "held" });
    const page = made(held, on("1.26.60.6", { "tick-timers": "broken" }), on("1.26.70.1", {}));
    expect([markOf(page, "timers"), markOf(page, "`stop`")]).toEqual([
      "D; order I; X 1.26.60.6",
      "I; P 1.26.50.4",
    ]);
    expect(page).toContain("| Ticks / timers | `tick-timers` | `tick-stop` | broke a promise on 1.26.60.6 |");
    expect(page).toContain("Compared with Bedrock Dedicated Server 1.26.50.4, 1.26.60.6, 1.26.70.1,");
  });

  it("has the worse answer of two systems that ran the same game", () => {
    const all = { "tick-timers": "held", "tick-stop": "held" } as const;
    const [good, bad] = [on("1.26.60.6", all), on("1.26.60.6", { ...all, "tick-stop": "broken" }, "windows")];
    expect(markOf(made(good, bad), "`stop`")).toBe("I; X 1.26.60.6");
    expect(markOf(made(bad, good), "`stop`")).toBe("I; X 1.26.60.6");
    expect(made(good, bad)).toContain("| Ticks / `stop` |  | `tick-stop` | was otherwise on 1.26.60.6 |");
  });

  it("is made anew from itself, and without proofs as it was before", () => {
    const once = made(on("1.26.60.6", { "tick-timers": "held", "tick-stop": "held" }));
    expect(fidelityPage(once, [], PROBES)).toBe(made());
    expect(fidelityPage(made(), [], PROBES)).toBe(made());
  });
});

describe("the folder of proofs", () => {
  const json = (report: Report): string => JSON.stringify(report);
  const whole = Object.values(OWN).map(({ id }) => answer({ id }));
  const simulated = aReport({ game: { version: "1.26.60.6", platform: "linux", simulated: true } });

  it.each<[string, string, Report, string]>([
    [
      "that has another name",
      "proof-x.json",
      aReport(),
      "is to be called docs/proofs/proof-1.26.60.6-linux.json",
    ],
    [
      "of a simulated game",
      "proof-1.26.60.6-linux.json",
      simulated,
      "is of a simulated game, and belongs into example",
    ],
    [
      "of a real game among the examples",
      "example/proof-1.26.60.6-linux.json",
      aReport(),
      "is an example of a real game",
    ],
    [
      "that names an address",
      "proof-1.26.60.6-linux.json",
      aReport({ answers: [answer({ said: "at 10.0.0.7" }), ...whole] }),
      "answers[0].said names an address, a folder or the like",
    ],
    [
      "of a trial that was told to ask some things only",
      "proof-1.26.60.6-linux.json",
      aReport({ answers: whole.filter(({ id }) => id !== OWN.probesConnect.id) }),
      "is of no whole trial: probes-load was not asked",
    ],
  ])("takes no report %s", (_name, file, report, fault) => {
    const path = `docs/proofs/${file}`;
    expect(() => proofIn(path, json(report))).toThrow(`${path}: ${fault}`);
  });

  it("takes no file that is no report", () => {
    expect(() => proofIn("docs/proofs/proof-1.26.60.6-linux.json", "{}")).toThrow("format is missing");
  });

  it("has the oldest game first, by number", () => {
    const versions = ["1.26.100.1", "1.26.60.6", "1.26.60", "1.26.9.30"].map(version => on(version, {}));
    const windows = on("1.26.9.30", {}, "windows");
    expect(inOrder([windows, ...versions]).map(({ game }) => `${game.version} ${game.platform}`)).toEqual([
      "1.26.9.30 linux",
      "1.26.9.30 windows",
      "1.26.60 linux",
      "1.26.60.6 linux",
      "1.26.100.1 linux",
    ]);
  });

  it("makes the README say on what it was proved, and counts no example", () => {
    const files = new Map([["docs/proofs/example/proof-1.26.60.6-linux.json", json(simulated)]]);
    const none = madeFrom(files, text, []);
    expect(none.get("README.md")).toContain("**Proved on:** none yet: ");
    expect(none.get("docs/proofs/README.md")).toContain("<!-- proofs -->\nNone yet.\n");
    expect(none.get("owner/bds/proved.json")).toBe("{}\n");
    expect(none.get("docs/proofs/example/proof-1.26.60.6-linux.md")).toMatch(/^# Trial in a simulated game/);
    const proof = aReport({ answers: [answer({ state: "broken" }), ...whole] });
    const one = madeFrom(
      new Map([...files, ["docs/proofs/proof-1.26.60.6-linux.json", json(proof)]]),
      text,
      [],
    );
    expect(one.get("README.md")).toContain(
      "**Proved on:** [1.26.60.6 on Linux](docs/proofs/proof-1.26.60.6-linux.md) (1 did not hold).",
    );
    expect(one.get("docs/proofs/README.md")).toContain(
      `| [1.26.60.6 on Linux](proof-1.26.60.6-linux.md) | 2026-11-23 | 0.1.0 | ${whole.length} held, 1 did not, 0 were otherwise than assumed, 0 were not asked |`,
    );
    expect(JSON.parse(one.get("owner/bds/proved.json") ?? "")).toEqual({
      "1.26.60.6 linux": "2026-11-23T23:10Z",
    });
  });
});

describe("a report that is compared", () => {
  const compared = (report: Report) => comparedLines(report, PROBES, Object.fromEntries(fidelityLines(PAGE)));

  it("tells which lines it proves, which are wrong and how, and which nobody asked", () => {
    const lines = compared(
      on("1.26.60.6", { "tick-timers": "broken", "tick-stop": "held", strange: "held" }),
    );
    expect(lines).toEqual([
      "Web Bridge 0.1.0 on game 1.26.60.6 on Linux, over NetherNet, 2026-11-23 23:10",
      "UTC",
      "2 held, 1 did not, 0 were otherwise than assumed, 0 were not asked.",
      "",
      "Lines of FIDELITY.md that are proved (1):",
      "ok  Ticks / `stop`",
      "",
      "Lines that are wrong, of which something was promised (1):",
      "!!  Ticks / timers",
      "    tick-timers",
      "      assumed: a poll is held for 20 s",
      "      seen: seen on 1.26.60.6",
      "",
      "Inferred or unknown lines that no probe asks (1):",
      "--  Ticks / `kill`",
      "",
      "Answers that are about no line (1):",
      "--  strange",
    ]);
  });

  it("tells what was left out, that a stand-in proves nothing, and that something should not be handed in", () => {
    const lines = compared(
      aReport({
        game: { version: "1.26.60.6", platform: "linux", simulated: true },
        answers: [answer({ id: "tick-stop", state: "skipped", said: "of 10.0.0.7" })],
      }),
    );
    const all = lines.join("\n");
    expect(all).toContain("Lines that were not asked this time (2):\n--  Ticks / timers\n--  Ticks / `stop`");
    expect(all).toContain("it proves nothing of a real\nserver.");
    expect(all).toContain("at answers[0].said: do not\nhand it in.");
    expect(lines.filter(line => line.length > 80)).toEqual([]);
  });

  it("has the lines of the page of this build where no others are given", () => {
    const names = [...fidelityLines(text(FIDELITY)).keys()];
    const probes = names.map((name, place) => ({
      ...{ id: `probe-${place}`, rows: [name] },
      kind: "promise" as const,
    }));
    const answers = probes.map(({ id }) => answer({ id }));
    const lines = comparedLines(aReport({ answers }), probes);
    expect(lines).toContain(`Lines of FIDELITY.md that are proved (${names.length}):`);
  });
});
