import type { Figures } from "../figures.ts";
import { columns } from "../table.ts";
import {
  enoughAlone,
  MOST_SHARE,
  MOST_US,
  mostLines,
  PACKET_BYTES,
  type Plan,
  planFor,
  redisLine,
  redisWall,
} from "./plan.ts";

const whole = (value: number): string => Math.ceil(value).toLocaleString("en-US");
const percent = (share: number): string =>
  share === 0 ? "-" : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const micros = (value: number): string => `${Number(value.toPrecision(3))} us`;

/** The rows of a table, each with what it says of a plan. */
const ROWS: readonly [what: string, of: (plan: Plan) => string][] = [
  ["viewers", ({ viewers }) => whole(viewers)],
  ["lines a second", ({ linesPerSecond }) => `${linesPerSecond}`],
  ["lines out a second", ({ linesOutPerSecond }) => whole(linesOutPerSecond)],
  ["sidecars by CPU", ({ byCpu }) => whole(byCpu)],
  ["sidecars by sockets", ({ bySockets }) => whole(bySockets)],
  ["sidecars", ({ sidecars }) => (sidecars === 1 ? "1, alone" : whole(sidecars))],
  ["CPU of each", ({ sidecarShare }) => percent(sidecarShare)],
  ["memory of each", ({ sidecarMB }) => `${whole(sidecarMB)} MB`],
  ["network, together", ({ megabitsPerSecond }) => `${whole(megabitsPerSecond)} Mbit/s`],
  ["CPU of Redis", ({ redisShare }) => percent(redisShare)],
  [
    "commands of Redis a second",
    ({ redisCommandsPerSecond: commands }) => (commands === 0 ? "-" : whole(commands)),
  ],
  ["all in, if they come at once", ({ arrivalSeconds }) => `${whole(arrivalSeconds)} s`],
];

/** The plan for some crowds, its arithmetic and the next wall, as lines of text. */
export function printed(
  viewers: readonly number[],
  linesPerSecond: number,
  socketsEach: number,
  figures: Figures,
): string {
  const plans = viewers.map(each => planFor({ viewers: each, linesPerSecond, socketsEach }, figures));
  const table = columns(
    ROWS.map(([what, of]) => [what, ...plans.map(of)]),
    "padStart",
  );
  return [
    ...table,
    "",
    ...arithmetic(linesPerSecond, socketsEach, figures),
    "",
    ...walls(plans, figures),
  ].join("\n");
}

function arithmetic(linesPerSecond: number, socketsEach: number, figures: Figures): string[] {
  const { aloneDeliveryUs, arrivalUs, deliveryBytes, lineUs, memory, redisArrivalUs, sidecars } = figures;
  const out = Math.max(...Object.values(sidecars).map(({ deliveryUs }) => deliveryUs));
  const { first, each } = redisLine(figures);
  return [
    `CPU is that of one core, of which ${100 * MOST_SHARE} % are used: ${whole(MOST_US)} us in a second.`,
    `alone, up to: ${whole(MOST_US)} us / ${linesPerSecond} / ${micros(aloneDeliveryUs)} = ${whole(enoughAlone(linesPerSecond, Number.POSITIVE_INFINITY, figures))} viewers by CPU, ${whole(socketsEach)} by sockets`,
    `sidecars by CPU: viewers x ${linesPerSecond} x ${micros(out)} / (${whole(MOST_US)} us - ${linesPerSecond} x ${micros(lineUs)})`,
    `sidecars by sockets: viewers / ${socketsEach} (websocket-clients)`,
    `memory of each: ${Math.round(memory.sidecarMB)} MB + sockets x ${memory.socketKB} KB`,
    `network: lines out x (${deliveryBytes} bytes + ${PACKET_BYTES} of TCP, IP and Ethernet), without TLS`,
    `CPU of Redis: ${linesPerSecond} x (${micros(first)} + sidecars x ${micros(each)})`,
    `all in: the longer of sockets of each x ${micros(arrivalUs)} and, of Redis, viewers x ${micros(redisArrivalUs)}, in ${100 * MOST_SHARE} % of a core`,
  ];
}

function walls(plans: readonly Plan[], figures: Figures): string[] {
  const [plan] = plans.slice(-1);
  if (plan === undefined) return [];
  const { linesPerSecond, redisShare, sidecars, socketsEach } = plan;
  const wall = Math.max(0, redisWall(linesPerSecond, figures));
  const most = mostLines(Math.max(2, sidecars), figures);
  const what = redisShare > MOST_SHARE ? "too much for one Redis, whose wall is" : "next wall: Redis,";
  return [
    `${what} at ${whole(wall)} sidecars and ${linesPerSecond} lines a second (${whole(wall * socketsEach)} viewers),`,
    `or at ${most < 1 ? "less than 1" : whole(most)} lines a second with ${whole(Math.max(2, sidecars))} sidecars`,
  ];
}
