import { expect, it } from "@jest/globals";
import { createAnswers, held, OWN, skipped } from "../../owner/prove/own.ts";
import { probes } from "../../owner/prove/probes/all.ts";
import { readReport } from "../../owner/prove/report/read.ts";
import type { Report } from "../../owner/prove/report.ts";

const own = Object.values(OWN);

it("what the command asks itself has names of its own beside those of the probes", () => {
  const ids = [...own, ...probes].map(({ id }) => id);
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
});

it("what the command asks itself can stand in a report", () => {
  const answers = createAnswers(undefined);
  for (const probe of own) answers.add(probe, held("seen"), 1.4);
  const report: Report = {
    ...{
      format: 1,
      at: "2026-11-23T23:10Z",
      product: "0.1.0",
      versions: {},
      transport: "nethernet",
      seconds: 1,
    },
    game: { version: "1.26.60.6", platform: "linux" },
    options: { online: false, withMe: false, long: false },
    answers: answers.all,
  };
  expect(readReport(JSON.stringify(report))).toEqual({ value: report });
});

it("where probes are chosen, others are answered only if something is broken", () => {
  const answers = createAnswers(new Set(["doctor"]));
  answers.add(OWN.doctor, skipped("not now"));
  answers.add(OWN.setup, held("done"));
  answers.add(OWN.stop, { state: "broken", seen: "it had to be killed" });
  expect(answers.all.map(({ id, state, said }) => [id, state, said])).toEqual([
    ["doctor", "skipped", "not now"],
    ["stop", "broken", "it had to be killed"],
  ]);
});
