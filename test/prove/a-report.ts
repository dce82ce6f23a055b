import type { Answer, Report } from "../../owner/prove/report.ts";

/** An answer of a report, with what a test wants of it. */
export const answer = (changes: Partial<Answer> = {}): Answer => ({
  id: "net-long-poll",
  kind: "promise",
  assumes: "a poll is held for 20 s",
  how: "a request of the script waits for a service that answers after 20 s",
  run: "probes",
  state: "held",
  said: "one answer after 20.1 s",
  ms: 20_112,
  ...changes,
});

/** A report, with what a test wants of it. */
export const aReport = (changes: Partial<Report> = {}): Report => ({
  format: 1,
  at: "2026-11-23T23:10Z",
  product: "0.1.0",
  game: { version: "1.26.60.6", platform: "linux" },
  versions: { node: "20.20.2", "@minecraft/server": "2.12.0-beta" },
  transport: "nethernet",
  options: { online: false, withMe: false, long: false },
  seconds: 161,
  answers: [answer()],
  ...changes,
});
