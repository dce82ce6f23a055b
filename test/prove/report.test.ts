import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readReport } from "../../owner/prove/report/read.ts";
import { screenLines } from "../../owner/prove/report/screen.ts";
import { leaksOf, scrubbedReport, writeReport } from "../../owner/prove/report/write.ts";
import type { Answer, Report } from "../../owner/prove/report.ts";
import { answer, aReport } from "./a-report.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "proofs-"));

const ESCAPE = "\u001b";

/** The page of a report as it is written. */
const pageOf = (report: Report): string => readFileSync(writeReport(report, folder()).page, "utf8");

describe("a report that is read", () => {
  const json = (changes: object): string => JSON.stringify({ ...aReport(), ...changes });
  const faultOf = (text: string): unknown => {
    const read = readReport(text);
    return "fault" in read ? read.fault : "none";
  };

  it("is what was written", () => {
    const report = aReport();
    expect(readReport(readFileSync(writeReport(report, folder()).json, "utf8"))).toEqual({ value: report });
  });

  it("has nothing of what nobody expects", () => {
    const read = readReport(json({ more: "x", answers: [{ ...answer(), more: "x" }] }));
    expect(read).toEqual({ value: { ...aReport(), answers: [answer()] } });
  });

  it.each<[string, string, string]>([
    ["is no JSON", "{", "it is no JSON"],
    ["is too long", " ".repeat(1_000_001), "it is longer than 1000000 characters"],
    ["is no report", "[]", "it is no report that this build can read: format is missing, and not 1"],
    [
      "is of another format",
      json({ format: 2 }),
      "it is no report that this build can read: format is 2, and not 1",
    ],
    ["has no moment", json({ at: "today" }), "at: expected a moment such as 2026-11-23T23:10Z"],
    [
      "has a moment that never was",
      json({ at: "2026-13-40T23:10Z" }),
      "at: expected a moment such as 2026-11-23T23:10Z",
    ],
    [
      "names a file as its game",
      json({ game: { version: "../../1.26.60", platform: "linux" } }),
      "game.version: expected a version such as 1.26.60.6",
    ],
    [
      "names more than a number as its game",
      json({ game: { version: "1.26.60-x", platform: "linux" } }),
      "game.version: expected a version such as 1.26.60.6",
    ],
    [
      "has another platform",
      json({ game: { version: "1.26.60", platform: "mac" } }),
      "game.platform: expected one of linux, windows",
    ],
    ["has no answers", json({ answers: undefined }), "answers: expected a list of at most 300"],
    [
      "has too many answers",
      json({ answers: Array.from({ length: 301 }, (_, place) => answer({ id: `net-${place}` })) }),
      "answers: expected a list of at most 300",
    ],
    [
      "says too much",
      json({ answers: [answer(), answer({ id: "two", said: "x".repeat(1_001) })] }),
      "answers[1].said: expected text of at most 1000 characters",
    ],
    [
      "has an odd name",
      json({ answers: [answer({ id: "<b>" })] }),
      "answers[0].id: expected letters, digits and hyphens",
    ],
    [
      "does not say whether an answer is about a promise",
      json({ answers: [answer(), { ...answer({ id: "two" }), kind: undefined }] }),
      "answers[1].kind: expected one of promise, inference",
    ],
    [
      "says another kind of an answer",
      json({ answers: [{ ...answer(), kind: "guess" }] }),
      "answers[0].kind: expected one of promise, inference",
    ],
    ["has an answer twice", json({ answers: [answer(), answer()] }), "answers: net-long-poll is there twice"],
    [
      "has versions of odd names",
      json({ versions: { "<b>": "1" } }),
      "versions: expected names of letters, digits, blanks and - . / @",
    ],
  ])("is told what is wrong where it %s", (_name, text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it("is never a crash, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        expect(typeof faultOf(text)).toBe("string");
      }),
    );
  });

  it("is told in one line what is wrong wherever it was damaged", () => {
    const whole = JSON.stringify(aReport());
    const damage = fc.tuple(
      fc.nat(whole.length),
      fc.nat(12),
      fc.constantFrom("", "x", '"', "[]", "null", "-1"),
    );
    fc.assert(
      fc.property(damage, ([at, length, by]) => {
        expect(faultOf(whole.slice(0, at) + by + whole.slice(at + length))).not.toContain("\n");
      }),
      { numRuns: 500 },
    );
  });
});

describe("a report that is written", () => {
  it("has the version of the game and the platform in the names of its two files, and leaves nothing beside them", () => {
    const into = join(folder(), "new", "proofs");
    writeReport(aReport(), into);
    expect(writeReport(aReport(), into)).toEqual({
      json: join(into, "proof-1.26.60.6-linux.json"),
      page: join(into, "proof-1.26.60.6-linux.md"),
    });
    expect(readdirSync(into).sort()).toEqual(["proof-1.26.60.6-linux.json", "proof-1.26.60.6-linux.md"]);
  });

  it("is refused where it is none", () => {
    const into = folder();
    expect(() => writeReport({ ...aReport(), seconds: 0.5 }, into)).toThrow(
      "the report: seconds: expected a whole number from 0 to 86400",
    );
    expect(readdirSync(into)).toEqual([]);
    expect(existsSync(into)).toBe(true);
  });

  it("names nothing that it may not name, whatever probes have said, and can be read again", () => {
    const said = fc.oneof(
      fc.string({ maxLength: 3_000 }),
      fc
        .array(
          fc.constantFrom("/home/al/x ", "10.0.0.7 ", "alex ", "Player connected: alex, ", "C:\\a b\\c "),
          {
            maxLength: 300,
          },
        )
        .map(parts => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(said, { maxLength: 4 }), texts => {
        const answers = texts.map((each, place) => answer({ id: `net-${place}`, said: each }));
        const clean = scrubbedReport(aReport({ answers }), { users: ["alex"] });
        const into = folder();
        const { json, page } = writeReport(clean, into);
        const read = readReport(readFileSync(json, "utf8"));
        expect("value" in read && leaksOf(read.value)).toEqual([]);
        expect(readFileSync(page, "utf8")).not.toMatch(/\/home|10\.0\.0\.7|(?<![a-z0-9])alex(?![a-z0-9])/iu);
      }),
    );
  });

  it("tells where something stands that it may not name", () => {
    const answers = [answer(), answer({ id: "two", said: "at 10.0.0.7", how: "of /home/steve/x" })];
    expect(leaksOf(aReport({ answers, versions: { node: "20.1.0", host: "10.0.0.8:1" } }))).toEqual([
      "versions.host",
      "answers[1].how",
      "answers[1].said",
    ]);
    expect(leaksOf(aReport())).toEqual([]);
  });
});

describe("the page of a report", () => {
  const report = aReport({
    answers: [
      answer({ id: "held-one", said: "one answer" }),
      answer({ id: "skipped-one", state: "skipped", said: "nobody joins without --with-me" }),
      answer({ id: "broken-one", state: "broken", said: "the answer came after 10.0 s" }),
      answer({ id: "other-one", kind: "inference", state: "broken", said: "other words" }),
    ],
  });

  it("begins with what came of it, and has what did not hold before the rest", () => {
    const page = pageOf(report);
    expect(page).toMatch(/^# Proof: game 1\.26\.60\.6 on Linux\n/);
    expect(page).toContain("**1 held, 1 did not, 1 was otherwise than assumed, 1 was not asked.**");
    const places = [
      ...["**1 held", "## What did not hold", "`broken-one`", "## What is otherwise than assumed"],
      ...["Web Bridge does not need what", "`other-one`", "`skipped-one`", "took: 2 min 41 s", "`held-one`"],
    ].map(each => page.indexOf(each));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it("says why something was not asked, and what was assumed of what did not hold", () => {
    const page = pageOf(report);
    expect(page).toContain("nobody joins without --with-me");
    expect(page).toMatch(
      /\| a poll is held for 20 s \| the answer came after 10\.0 s \| .+ \(`broken-one`\) \|/,
    );
  });

  it("has no heading without rows", () => {
    expect(pageOf(aReport({ answers: [answer()] }))).not.toMatch(
      /What did not hold|otherwise than assumed$|What was not asked/m,
    );
  });

  it("says of a stand-in that no game took part", () => {
    const page = pageOf(aReport({ game: { version: "1.26.60.6", platform: "linux", simulated: true } }));
    expect(page).toMatch(/^# Trial in a simulated game: 1\.26\.60\.6 on Linux\n/);
    expect(page).toContain("**No game took part in this");
  });

  it("makes no link of an address, as forges do by themselves", () => {
    const said = "see www.evil.example, https://evil.example/x and HTTP://evil.example";
    const page = pageOf(aReport({ answers: [answer({ said })] }));
    expect(page).toContain("see www\\.evil.example, https\\://\\<address\\>/x and");
  });

  it("shows what was said as words, whatever it is", () => {
    const odd = "a | b <script>x</script> [l](https://x.example) ![i](y) `c` **d** _e_ \\";
    const page = pageOf(aReport({ answers: [answer({ said: odd })] }));
    const line = page.split("\n").find(each => each.includes("`net-long-poll`")) ?? "";
    expect(line.split(/(?<!\\)\|/)).toHaveLength(6);
    expect(line).not.toMatch(/(?<!\\)[<[]|(?<![\\|] )(?<!\\)\*\*/);
  });
});

describe("the table on the screen", () => {
  const answers: Answer[] = [
    answer({ id: "broken-one", state: "broken", said: "it took ".repeat(40) }),
    answer({ id: "other-one", kind: "inference", state: "broken", said: "other words" }),
    answer({ id: "skipped-one", state: "skipped", said: "nobody joins without --with-me" }),
    answer({ id: "held-one-with-a-name-that-is-longer-than-all", said: "x".repeat(200) }),
  ];

  it("has a mark for each verdict, and what did not hold at its end with what was assumed", () => {
    const lines = screenLines(aReport({ answers }));
    expect(lines[0]).toBe("Web Bridge 0.1.0 on game 1.26.60.6 on Linux, over NetherNet");
    expect(
      lines
        .filter(line => /^\S/.test(line))
        .slice(1)
        .map(line => line.slice(0, 6)),
    ).toEqual(["ok  he", "--  sk", "??  ot", "!!  br", "?? Web", "game o", "1 held", "41 s."]);
    expect(lines.join(" ").replace(/\s+/g, " ")).toContain("(assumed: a poll is held for 20 s)");
    expect(lines.slice(-2).join(" ").replace(/\s+/g, " ")).toBe(
      "1 held, 1 did not, 1 was otherwise than assumed, 1 was not asked. It took 2 min 41 s.",
    );
    expect(lines.join(" ")).toContain("Web Bridge does not need what is otherwise than assumed");
  });

  it("says nothing of what is not needed where all that was otherwise was promised", () => {
    const lines = screenLines(aReport({ answers: [answer({ state: "broken" })] }));
    expect(lines.join(" ")).not.toMatch(/\?\?|does not need/);
  });

  it("is painted only where that is asked for, and says the same then", () => {
    const [bare, painted] = [screenLines(aReport({ answers })), screenLines(aReport({ answers }), true)];
    expect(bare.join("")).not.toContain(ESCAPE);
    expect(painted.join("\n")).toContain(`${ESCAPE}[31m!!${ESCAPE}[39m`);
    expect(painted.map(line => line.replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, "g"), ""))).toEqual(bare);
  });

  it("fits 80 columns and gives the terminal no commands, whatever was said", () => {
    const text = fc.oneof(fc.string({ maxLength: 500 }), fc.string({ unit: "grapheme", maxLength: 200 }));
    fc.assert(
      fc.property(text, fc.constantFrom("held", "broken", "skipped"), (said, state) => {
        for (const line of screenLines(aReport({ answers: [answer({ said, state })] }))) {
          expect([...line].length).toBeLessThanOrEqual(80);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });
});
