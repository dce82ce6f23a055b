import type { Asking } from "../../owner/prove/report/lines.ts";
import { reportPage } from "../../owner/prove/report/page.ts";
import { of, summary } from "../../owner/prove/report/words.ts";
import { nameOf } from "../../owner/prove/report/write.ts";
import type { Report } from "../../owner/prove/report.ts";
import { row, withParts } from "../bench/parts.ts";
import { FIDELITY, fidelityLines, fidelityPage } from "./fidelity.ts";
import { EXAMPLE, inOrder, PROOFS, proofIn } from "./proofs.ts";

/** What makes them anew, for whoever finds one that is not. */
export const COMMAND = "npm run proofs";

/** Everything that is made from the proofs, by path: pages, and lists that programs read. */
export function madeFrom(
  /** texts of the files in the folder of proofs that end in .json, by path */
  files: ReadonlyMap<string, string>,
  read: (path: string) => string,
  probes: readonly Asking[],
): Map<string, string> {
  const all = [...files].map(([path, json]) => ({ path, report: proofIn(path, json) }));
  const proofs = inOrder(all.filter(({ path }) => !path.startsWith(EXAMPLE)).map(({ report }) => report));
  const fidelity = fidelityPage(read(FIDELITY), proofs, probes);
  return new Map([
    [FIDELITY, fidelity],
    ["README.md", withParts("README.md", read("README.md"), { proved: readmeLines(proofs) })],
    [
      `${PROOFS}/README.md`,
      withParts(`${PROOFS}/README.md`, read(`${PROOFS}/README.md`), { proofs: table(proofs) }),
    ],
    // What programs have of it: those of an archive do not have these pages.
    ["owner/prove/report/lines.json", json(Object.fromEntries(fidelityLines(fidelity)))],
    [
      "owner/bds/proved.json",
      json(Object.fromEntries(proofs.map(({ game, at }) => [`${game.version} ${game.platform}`, at]))),
    ],
    ...all.map(({ path, report }): [string, string] => [path.replace(/\.json$/, ".md"), reportPage(report)]),
  ]);
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

function readmeLines(proofs: readonly Report[]): string[] {
  const games = proofs.map(report => `[${titleOf(report)}](${PROOFS}/${nameOf(report)}.md)${misses(report)}`);
  const none = "none yet: it is written from what Mojang documents and users report";
  return [
    ...`**Proved on:** ${games.length === 0 ? none : games.join(",\n")}.`.split("\n"),
    `[How to try it on your game server](${PROOFS}/README.md)`,
  ];
}

function table(proofs: readonly Report[]): string[] {
  if (proofs.length === 0) return ["None yet."];
  return [
    row("game", "tried", "Web Bridge", "came to"),
    row("---", "---", "---", "---"),
    ...proofs.map(report =>
      row(
        `[${titleOf(report)}](${nameOf(report)}.md)`,
        report.at.slice(0, 10),
        report.product,
        summary(report),
      ),
    ),
  ];
}

const titleOf = ({ game }: Report): string =>
  `${game.version} on ${game.platform === "linux" ? "Linux" : "Windows"}`;

const misses = (report: Report): string => {
  const broken = of(report, "broken").length;
  return broken === 0 ? "" : ` (${broken} did not hold)`;
};
