import type { Journal } from "./journal.ts";
import { judgeAlone, type Untouched } from "./ledger/alone.ts";
import { judgeFeed } from "./ledger/feed.ts";
import { judgeCounts, judgeFigures } from "./ledger/figures.ts";
import { judgeForms } from "./ledger/forms.ts";
import { judgeGameLines } from "./ledger/game-lines.ts";
import { judgeLinks, type LinkStory } from "./ledger/links.ts";
import { judgeMemory } from "./ledger/memory.ts";
import { judgeOrder, type Violation } from "./ledger/order.ts";
import { judgeCutOff, judgeNames, judgeWaits } from "./ledger/requests.ts";
import { judgeWebLines } from "./ledger/web-lines.ts";
import type { Party } from "./party.ts";
import type { Sidecars } from "./sidecars.ts";

export interface Report {
  rows: Row[];
  violations: Violation[];
  /** the faults shortly before a moment */
  around(at: number): string[];
}

type Row = [what: string, figure: string];

/** What of a run counts. */
interface Run {
  journal: Journal;
  sidecars: Sidecars;
  parties: readonly Party[];
  /** when faults met none but the parties before the last */
  untouched: Untouched;
}

const MIB = 2 ** 20;
/** How much later a sidecar that was cut off or frozen may tell what another one has taken. */
const SLACK_MS = 10_000;

/** Asks what became of every link, and holds everything that was seen to the ledgers. */
export async function settleUp(
  { journal, parties, sidecars, untouched }: Run,
  verificationMs: number,
): Promise<Report> {
  const { services } = sidecars;
  const settled = [];
  for (const party of parties) settled.push(await settleParty(party, verificationMs));
  const last = parties.length > 1 ? parties.at(-1) : undefined;
  const ears = last?.visitors.flatMap(({ connections }) => connections) ?? [];
  const violations = [
    ...journal.violations,
    ...settled.flatMap(each => each.violations),
    ...(last ? judgeAlone(untouched, last.browsers.asked, ears) : []),
    ...services.flatMap(({ memory, name }) => judgeMemory(`the ${name}`, memory, 40 * MIB)),
  ].sort((a, b) => a.at - b.at);
  const alone = `${Math.round((untouched.until - untouched.from) / 1000)} s`;
  return {
    violations,
    around: at => journal.around(at),
    rows: [
      ["faults", `${journal.faults.length} in ${Math.round(journal.now() / 1000)} s`],
      ["sidecar", `${services.reduce((sum, { life }) => sum + life, 0)} processes`],
      ...(last ? [["as if alone", `${last.around.server} for ${alone}`] satisfies Row] : []),
      ...settled.flatMap(({ rows }) => rows),
      ["violations", `${violations.length}`],
    ],
  };
}

/** The ledger of one game server. */
async function settleParty(
  run: Party,
  verificationMs: number,
): Promise<{ violations: Violation[]; rows: Row[] }> {
  const { browsers, game, readers, visitors, wire } = run;
  const { isShared, server } = run.around;
  const { services } = run.sidecars;
  // What one process of several was asked is not known.
  const lives = isShared ? [] : services.flatMap(service => service.lives);
  // Judging holds this process up, and with it the lines to Redis.
  const stories: LinkStory[] = [];
  for (const story of browsers.stories.values()) {
    const final = await browsers.finalOf(story);
    const { status, unlinked } = isShared ? withoutAway(story) : story;
    stories.push({ ...story, status, unlinked, passages: wire.answer(story.browser), final });
  }
  const ears = visitors.flatMap(({ connections }) => connections);
  const lines = run.lines.map(line => ({ ...line, passages: wire.line(line.text) }));
  const texts = lines.map(({ text }) => text);
  const own = (isWeb: boolean) =>
    ears.map(ear => ({
      ...ear,
      heard: ear.heard.filter(({ text }) => text.startsWith("visitor") === isWeb),
    }));
  const ofGame = judgeGameLines(lines, own(false), game.runs, lives, isShared ? SLACK_MS : 0);
  const webLines = own(true);
  const names = browsers.names.map(({ asked, name }) => ({
    ...{ asked, name, tries: game.tries.get(name) ?? 0 },
    listed: game.listed.filter(listed => listed === name).length,
  }));
  const last = browsers.samples.at(-1);
  const violations = [
    ...ofGame.violations,
    ...judgeWebLines(webLines, game.shown, isShared),
    ...judgeFeed(readers),
    ...(isShared ? readers.flatMap(one => judgeOrder(one.name, texts, one.lines)) : []),
    ...judgeLinks(stories, verificationMs),
    ...judgeForms(
      [...browsers.stories.values()].map(one => ({ ...one, passages: wire.answer(one.browser) })),
    ),
    ...judgeNames(names),
    ...judgeWaits(browsers.asked),
    ...judgeCutOff(browsers.asked, lives),
    // A sidecar that is cut off goes on with the figures that it had.
    ...(isShared ? [] : judgeFigures(browsers.samples, game.crashes, game.deaths)),
    ...(last ? judgeCounts(last, game.crashes, game.deaths) : []),
    ...judgeMemory("the pack", game.memory, 4 * MIB),
  ].map(({ at, what }) => ({ at, what: server === undefined ? what : `${server}: ${what}` }));
  const said = webLines.reduce((sum, mouth) => sum + mouth.said.length, 0);
  const refused = webLines.reduce((sum, mouth) => sum + mouth.exceptions.length, 0);
  const of = (final: string): number => stories.filter(story => story.final === final).length;
  const statuses = new Map<string, number>();
  for (const { status = "none" } of browsers.asked)
    statuses.set(`${status}`, (statuses.get(`${status}`) ?? 0) + 1);
  return {
    violations,
    rows: [
      ...(server === undefined ? [] : [["game server", server] satisfies Row]),
      ["game", `${game.runs.length} runs, ${game.crashes.length} crashes`],
      ["connections", `${ears.length} of ${visitors.length} visitors`],
      [
        "game lines",
        `${lines.length}, ${ofGame.lostWithGame} lost with their game, ${ofGame.unheard} when no socket was open`,
      ],
      ["web lines", `${said}, ${game.shown.length} shown, ${refused} answered with an EXCEPTION`],
      [
        "events",
        `${Math.max(...readers.map(({ told }) => told.length))} to each of ${readers.length} readers over ${readers.reduce((sum, { connections }) => sum + connections, 0)} connections`,
      ],
      [
        "links",
        `${stories.length}: ${of("accepted")} accepted, ${of("declined")} declined, ${of("not_linked")} not linked`,
      ],
      ["names", `${names.length}, ${names.filter(({ listed }) => listed > 0).length} listed`],
      [
        "answers",
        [...statuses]
          .sort()
          .map(([status, count]) => `${count} x ${status}`)
          .join(", "),
      ],
      ["bans", `${run.moderator.decisions} decisions, ${run.moderator.sentAway} times refused or sent away`],
      ["longest way back", `${(run.longestBackMs / 1000).toFixed(1)} s`],
    ],
  };
}

/** A request that was answered with 503 may have been done, as one whose connection ended: what is away may do it all the same. */
function withoutAway({ status, unlinked }: Pick<LinkStory, "status" | "unlinked">) {
  return {
    status: status === 503 ? undefined : status,
    unlinked: unlinked === 503 ? ("lost" as const) : unlinked,
  };
}
