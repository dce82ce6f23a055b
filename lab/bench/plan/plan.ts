import type { Figures } from "../figures.ts";

interface Crowd {
  viewers: number;
  linesPerSecond: number;
  /** WebSockets that one sidecar takes, as `websocket-clients` says */
  socketsEach: number;
}

/** What a crowd needs. */
export type Plan = ReturnType<typeof planFor>;

/** Share of a core that is used at most: the rest is for bursts, and for what a sidecar that has failed leaves to the others. */
export const MOST_SHARE = 0.6;
const SECOND_US = 1_000_000;
export const MOST_US = MOST_SHARE * SECOND_US;
/** Around each frame: Ethernet, IP and TCP. */
export const PACKET_BYTES = 66;

/**
 * What so many viewers of so many lines a second need. Shares are those of one core.
 * @throws where so many lines leave a sidecar no room to send any of them
 */
export function planFor(crowd: Crowd, figures: Figures) {
  const { viewers, linesPerSecond, socketsEach } = crowd;
  const outUs = viewers * linesPerSecond * deliveryUs(figures);
  const roomUs = MOST_US - linesPerSecond * figures.lineUs;
  if (roomUs <= 0)
    throw new Error(
      `--lines-per-second: ${linesPerSecond}: expected less than ${Math.floor(MOST_US / figures.lineUs)}: each line takes ${figures.lineUs} us of a sidecar before anybody gets it`,
    );
  const byCpu = Math.ceil(outUs / roomUs);
  const bySockets = Math.ceil(viewers / socketsEach);
  const sidecars =
    enoughAlone(linesPerSecond, socketsEach, figures) >= viewers ? 1 : Math.max(2, byCpu, bySockets);
  const isAlone = sidecars === 1;
  const each = viewers / sidecars;
  const { aloneDeliveryUs, arrivalUs, commands, deliveryBytes, lineUs, memory, redisArrivalUs } = figures;
  return {
    ...crowd,
    /** 1: one alone, without Redis; those that the CPU asks for, and those that the sockets do */
    ...{ sidecars, byCpu, bySockets },
    linesOutPerSecond: viewers * linesPerSecond,
    megabitsPerSecond: (viewers * linesPerSecond * (deliveryBytes + PACKET_BYTES) * 8) / 1e6,
    sidecarShare: isAlone
      ? (viewers * linesPerSecond * aloneDeliveryUs) / SECOND_US
      : (outUs / sidecars + linesPerSecond * lineUs) / SECOND_US,
    sidecarMB: memory.sidecarMB + (each * memory.socketKB) / 1024,
    redisShare: isAlone ? 0 : (linesPerSecond * redisLineUs(sidecars, figures)) / SECOND_US,
    redisCommandsPerSecond: isAlone
      ? 0
      : linesPerSecond * commandsPerLine(sidecars, figures) + sidecars * commands.idle,
    /** until all are in who come at once */
    arrivalSeconds: Math.max(each * arrivalUs, isAlone ? 0 : viewers * redisArrivalUs) / MOST_US,
  };
}

/** Viewers for whom one sidecar alone is enough. */
export const enoughAlone = (
  linesPerSecond: number,
  socketsEach: number,
  { aloneDeliveryUs }: Figures,
): number => Math.min(socketsEach, Math.floor(MOST_US / linesPerSecond / aloneDeliveryUs));

/** Sidecars at which Redis has no more room for so many lines a second. */
export function redisWall(linesPerSecond: number, figures: Figures): number {
  const { first, each } = redisLine(figures);
  return Math.floor((MOST_US / linesPerSecond - first) / each);
}

/** Lines a second at which Redis has no more room with so many sidecars. */
export const mostLines = (sidecars: number, figures: Figures): number =>
  Math.floor(MOST_US / redisLineUs(sidecars, figures));

/** Those of a line of the web, which costs more than one of the game: what each sidecar reads grows with their number. */
const commandsPerLine = (sidecars: number, { commands, sidecars: measured }: Figures): number =>
  commands.webLine + commands.webReads * (sidecars - Math.max(...Object.keys(measured).map(Number)));

/** The dearest of what was measured, without what each line costs a sidecar before anybody gets it. */
const deliveryUs = ({ sidecars }: Figures): number =>
  Math.max(...Object.values(sidecars).map(({ deliveryUs }) => deliveryUs));

/** What a line costs Redis: a straight line through what was measured with the fewest and with the most sidecars. */
export function redisLine({ sidecars }: Figures): { first: number; each: number } {
  const measured = Object.entries(sidecars).map(([count, { redisLineUs }]) => ({
    count: Number(count),
    redisLineUs,
  }));
  const [few, many] = [measured[0], measured.at(-1)];
  if (few === undefined || many === undefined || few === many)
    throw new Error("expected figures of at least two numbers of sidecars");
  const each = (many.redisLineUs - few.redisLineUs) / (many.count - few.count);
  return { each, first: few.redisLineUs - each * few.count };
}

function redisLineUs(sidecars: number, figures: Figures): number {
  const { first, each } = redisLine(figures);
  return first + each * sidecars;
}
