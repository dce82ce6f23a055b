import { SETTINGS } from "../../../sidecar/config/settings.ts";
import type { Figures } from "../figures.ts";
import { row, withParts } from "../parts.ts";
import { enoughAlone } from "./plan.ts";
import { printed } from "./print.ts";

/** The page that has tables made from the figures. */
const PAGE = "docs/scaling.md";

/** The crowds of the page, and the command that prints its plan. */
const VIEWERS = [10_000, 100_000, 1_000_000];
const LINES = 5;
const SOCKETS = SETTINGS.modules.api.limits.websocketClients.default;
const COMMAND = `npm run plan -- --viewers ${VIEWERS.join(",")} --lines-per-second ${LINES}`;

/** Lines a second for which the page says how many viewers one sidecar serves alone. */
const RATES = [1, 5, 20];

const whole = (value: number): string => value.toLocaleString("en-US");

function growth(figures: Figures): string[] {
  const { addedMs, arrivalUs, commands, linkBytes, lineUs, measured, memory, redisArrivalUs, redisLinkUs } =
    figures;
  const each = Object.entries(figures.sidecars);
  const counts = each.map(([count]) => count).join(", ");
  const list = (of: (on: (typeof each)[number][1]) => string): string =>
    each.map(([, on]) => of(on)).join(", ");
  return [
    `Measured with ${counts} sidecars on one Redis ${measured.redis}, Node ${measured.node}, ${measured.cores} cores: ${measured.processor}.`,
    "",
    row("for", "of a sidecar", "of Redis"),
    row("---", "---", "---"),
    row(
      "each line that a reader gets",
      `${list(({ deliveryUs }) => `${deliveryUs}`)} us of CPU, which is ${list(({ ratio }) => ratio.toFixed(2))} of what one alone needs in the same run`,
      "nothing",
    ),
    row(
      "each line, whoever reads it",
      `${lineUs} us of CPU`,
      `${list(({ redisLineUs }) => `${redisLineUs}`)} us of CPU; ${commands.webLine} commands for one of the web, ${commands.gameLine} for one of the game`,
    ),
    row("a WebSocket that opens", `${arrivalUs} us of CPU`, `${redisArrivalUs} us of CPU`),
    row("an open WebSocket", `${memory.socketKB} KB`, "nothing"),
    row("an open stream of events", `${memory.streamKB} KB`, "nothing"),
    row(
      "a link",
      "-",
      `${commands.link} commands, ${redisLinkUs} us of CPU, ${linkBytes} bytes for as long as it lasts`,
    ),
    row(
      "a poll of the pack that nothing comes for",
      "-",
      `${commands.poll} commands, about three times a minute`,
    ),
    row("a second in which nothing happens", "-", `${commands.idle} commands of each sidecar`),
    row(
      "the way from game to web",
      `${addedMs.everysec} ms over one alone with \`appendfsync everysec\``,
      `${addedMs.always} ms with \`always\`: the rest is the disk`,
    ),
  ];
}

/** The page with its parts made anew. @throws where a mark is missing */
export const planPage = (page: string, figures: Figures): string =>
  withParts(PAGE, page, {
    alone: [
      row("lines a second", "viewers, as far as CPU goes"),
      row("---", "---"),
      ...RATES.map(lines => row(`${lines}`, whole(enoughAlone(lines, Number.POSITIVE_INFINITY, figures)))),
    ],
    growth: growth(figures),
    plan: [`\`${COMMAND}\`:`, "", "```text", printed(VIEWERS, LINES, Number(SOCKETS), figures), "```"],
  });
