import {
  bool,
  check,
  type Guard,
  int,
  list,
  object,
  oneOf,
  optional,
  record,
  text,
} from "../../../shared/guard.ts";
import type { Result } from "../../../shared/result.ts";
import type { Report } from "../report.ts";

/** Most characters of a report that is read. */
const LONGEST = 1_000_000;
/** Most characters of what was seen. */
export const LONGEST_SAID = 1_000;
const LONGEST_SENTENCE = 300;
const MOST_ANSWERS = 300;
const MOST_VERSIONS = 60;
const A_DAY_S = 86_400;

function like(pattern: RegExp, expected: string): Guard<string> {
  return (value, path = "body") =>
    typeof value === "string" && value.length <= 80 && pattern.test(value)
      ? undefined
      : `${path}: expected ${expected}`;
}

const version = like(/^\d+(\.\d+){2,4}([-+][\w.-]+)?$/, "a version such as 1.26.60.6");
/** What the game says of itself, and a name of a file is made of. */
const gameVersion = like(/^\d{1,5}(\.\d{1,5}){2,4}$/, "a version such as 1.26.60.6");
const moment: Guard<string> = (value, path = "body") =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : `${path}: expected a moment such as 2026-11-23T23:10Z`;

const answer = object({
  id: like(/^[a-z][a-z0-9-]{0,59}$/, "letters, digits and hyphens"),
  kind: oneOf("promise", "inference"),
  assumes: text(LONGEST_SENTENCE, 1),
  how: text(LONGEST_SENTENCE, 1),
  run: oneOf("plain", "probes", "online", "joined", "long"),
  state: oneOf("held", "broken", "skipped"),
  said: text(LONGEST_SAID),
  ms: int(0, A_DAY_S * 1000),
});

const isTrue: Guard<true> = (value, path = "body") =>
  value === true ? undefined : `${path}: expected true or nothing`;

const body = object({
  at: moment,
  product: version,
  game: object({ version: gameVersion, platform: oneOf("linux", "windows"), simulated: optional(isTrue) }),
  versions: record(text(80, 1), MOST_VERSIONS),
  transport: oneOf("nethernet", "raknet"),
  options: object({ online: bool, withMe: bool, long: bool }),
  seconds: int(0, A_DAY_S),
  answers: list(answer, MOST_ANSWERS),
});

/** The report that a text holds, and nothing else that it may hold; or what is wrong with it, in one line. */
export function readReport(json: string): Result<Report> {
  if (json.length > LONGEST) return { fault: `it is longer than ${LONGEST} characters` };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { fault: "it is no JSON" };
  }
  return reportOf(value);
}

/** The same of a value. */
export function reportOf(value: unknown): Result<Report> {
  const { format }: { format?: unknown } = Object(value);
  if (format !== 1)
    return { fault: `it is no report that this build can read: format is ${shown(format)}, and not 1` };
  const read = check(body, value);
  if ("fault" in read) return { fault: read.fault.replace(/^body\.?/, "") };
  const { at, product, game, versions, transport, options, seconds, answers } = read.value;
  const stray = Object.keys(versions).find(name => !/^[@\w][\w@./ -]{0,59}$/.test(name));
  if (stray !== undefined)
    return { fault: "versions: expected names of letters, digits, blanks and - . / @" };
  const twice = answers.find(({ id }, place) => answers.findIndex(other => other.id === id) !== place);
  if (twice !== undefined) return { fault: `answers: ${twice.id} is there twice` };
  return {
    value: {
      format: 1,
      at,
      product,
      game: {
        version: game.version,
        platform: game.platform,
        ...(game.simulated === true && { simulated: true }),
      },
      versions: Object.fromEntries(Object.entries(versions)),
      transport,
      options: { online: options.online, withMe: options.withMe, long: options.long },
      seconds,
      answers: answers.map(({ id, kind, assumes, how, run, state, said, ms }) => ({
        id,
        kind,
        assumes,
        how,
        run,
        state,
        said,
        ms,
      })),
    },
  };
}

const shown = (value: unknown): string =>
  typeof value === "number" ? String(value) : value === undefined ? "missing" : "no number";
