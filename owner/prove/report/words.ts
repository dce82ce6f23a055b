import type { Answer, Report } from "../report.ts";

/** What an answer says: `otherwise`: it is not as was assumed, and the product does not need it. */
type Verdict = "held" | "broken" | "otherwise" | "skipped";

export const verdictOf = ({ state, kind }: Pick<Answer, "state" | "kind">): Verdict =>
  state === "broken" && kind === "inference" ? "otherwise" : state;

/** The answers that say this. */
export const of = (report: Report, verdict: Verdict): readonly Answer[] =>
  report.answers.filter(answer => verdictOf(answer) === verdict);

/** What those that are otherwise mean to whoever reads of them. */
export const NOT_NEEDED =
  "Web Bridge does not need what is otherwise than assumed: only the simulated game of its tests has it so.";

/** What came of it, in one line. */
export function summary(report: Report): string {
  const count = (verdict: Verdict): number => of(report, verdict).length;
  const were = (verdict: Verdict): string => `${count(verdict)} ${count(verdict) === 1 ? "was" : "were"}`;
  return `${count("held")} held, ${count("broken")} did not, ${were("otherwise")} otherwise than assumed, ${were("skipped")} not asked`;
}

/** Such as `2 min 41 s`. */
export function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const parts = [hours > 0 ? `${hours} h` : "", minutes > 0 ? `${minutes} min` : ""];
  return [...parts, hours > 0 ? "" : `${seconds % 60} s`].filter(part => part !== "").join(" ");
}

/** Such as `game 1.26.60.6 on Linux`. */
export function gameOf({ game }: Report): string {
  return `${game.simulated === true ? "" : "game "}${game.version} on ${game.platform === "linux" ? "Linux" : "Windows"}`;
}

/** What was tried, in one line. */
export const subject = (report: Report): string =>
  `${report.game.simulated === true ? "a simulated game, " : ""}${gameOf(report)}, over ${
    report.transport === "nethernet" ? "NetherNet" : "RakNet"
  }`;

/** With what a trial was begun. */
export const optionsOf = ({ options: { online, withMe, long } }: Report): string =>
  [online ? "--online" : "", withMe ? "--with-me" : "", long ? "--long" : ""].filter(Boolean).join(" ") ||
  "none";

/** `2026-11-23 23:10 UTC` */
export const momentOf = ({ at }: Report): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/**
 * Lines of at most so many columns, broken between words, and within those that are longer than a line. Letters of East Asia and
 * pictures count twice.
 */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/u).filter(each => each !== "")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (widthOf(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const char of word) {
      if (line !== "" && widthOf(line) + widthOf(char) > columns) {
        lines.push(line);
        line = "";
      }
      line += char;
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

const widthOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1), 0);
