import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../../cli/folders.ts";
import { clip } from "../../../shared/text.ts";
import type { Report } from "../report.ts";
import { reportPage } from "./page.ts";
import { LONGEST_SAID, reportOf } from "./read.ts";
import { type Secrets, scrubbed } from "./scrub.ts";

/** A report without what it may not name, see `scrubbed`; and without the end of what is too long. */
export function scrubbedReport(report: Report, secrets: Secrets = {}): Report {
  const { game, product } = report;
  const own = [...(secrets.versions ?? []), game.version, product];
  const clean = (text: string): string => scrubbed(text, { ...secrets, versions: own });
  return {
    ...report,
    versions: Object.fromEntries(
      Object.entries(report.versions).map(([name, version]) => [name, clean(version)]),
    ),
    answers: report.answers.map(answer => ({ ...answer, said: ended(clean(answer.said)) })),
  };
}

/** Without the end of what is too long, and without half a word in the place of a secret. */
const ended = (text: string): string =>
  text.length <= LONGEST_SAID ? text : clip(text, LONGEST_SAID).replace(/\s*(<[a-z]*)?$/u, "");

/** Where in a report something stands that it may not name, such as `answers[3].said`. */
export function leaksOf(report: Report): string[] {
  const { game, product } = report;
  const versions = [game.version, product];
  const isClean = (text: string): boolean => scrubbed(text, { versions }) === text;
  return [
    ...Object.entries(report.versions).flatMap(([name, version]) =>
      isClean(name) && isClean(version) ? [] : [`versions.${name}`],
    ),
    ...report.answers.flatMap((answer, place) =>
      (["assumes", "how", "said"] as const)
        .filter(key => !isClean(answer[key]))
        .map(key => `answers[${place}].${key}`),
    ),
  ];
}

/** The name of the files of a report, without what they end in. */
export const nameOf = ({ game }: Report): string => `proof-${game.version}-${game.platform}`;

/** Written to paths of files. */
interface Written {
  readonly json: string;
  readonly page: string;
}

/**
 * Writes `proof-<game version>-<platform>.json` and `.md` into a folder, which is made, in the place of those that were there.
 * What looks like a name of the machine, a folder, an address or a token is taken out; what only the caller knows, such as the
 * names of players, has to be taken out before.
 * @throws what the system says; or what is wrong with the report
 */
export function writeReport(report: Report, folder: string): Written {
  const read = reportOf(scrubbedReport(report));
  if ("fault" in read) throw new Error(`the report: ${read.fault}`);
  const name = join(folder, nameOf(read.value));
  makeFolders(folder);
  write(`${name}.json`, `${JSON.stringify(read.value, undefined, 2)}\n`);
  write(`${name}.md`, reportPage(read.value));
  return { json: `${name}.json`, page: `${name}.md` };
}

/** Whole or not at all. */
function write(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
