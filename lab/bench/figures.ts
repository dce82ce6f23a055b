import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { FEW } from "./benches/crowds.ts";
import type { Row } from "./table.ts";

/** What `npm run bench -- --sidecars 1,2,4 --write` has measured: what the plan is made from. CPU is of one core. */
export interface Figures {
  /** what they were measured on */
  measured: { processor: string; cores: number; node: string; redis: string };
  /** one sidecar alone, in the same runs: microseconds of CPU for each line that a reader gets */
  aloneDeliveryUs: number;
  /** sidecars on one Redis, by how many there were */
  sidecars: Record<string, OnRedis>;
  /** of a sidecar for a line before anybody gets it, and for a WebSocket that opens, in microseconds of CPU */
  lineUs: number;
  arrivalUs: number;
  /** of Redis for a WebSocket that opens, and for a link, in microseconds of CPU */
  redisArrivalUs: number;
  redisLinkUs: number;
  memory: { sidecarMB: number; socketKB: number; streamKB: number };
  /** of a line on a WebSocket, its frame included */
  deliveryBytes: number;
  /**
   * Commands that Redis gets with the most sidecars, each script counted as one; `webReads`: those of each sidecar that read
   * what has become of a line of the web; `idle`: of each sidecar in a second.
   */
  commands: { webLine: number; webReads: number; gameLine: number; poll: number; link: number; idle: number };
  /** from game to web over one alone, in milliseconds, by `appendfsync` */
  addedMs: { everysec: number; always: number };
  /** of Redis, for what it keeps of a link */
  linkBytes: number;
}

/** What a line costs where so many sidecars share a Redis. */
export interface OnRedis {
  /** of all of them together, for each line that a reader gets, in microseconds of CPU */
  deliveryUs: number;
  /** the same as a share of that of one alone, in the same run */
  ratio: number;
  /** of Redis for a line, in microseconds of CPU */
  redisLineUs: number;
}

/** What it is measured on. */
export const thisMachine = (): { processor: string; cores: number; node: string } => ({
  processor: cpus()[0]?.model.trim() ?? "",
  cores: availableParallelism(),
  node: process.versions.node,
});

/** The figures in a file. @throws where it cannot be read */
export const readFigures = (path: string | URL): Figures => JSON.parse(readFileSync(path, "utf8"));

/** The figures that rows of the benchmarks hold. @throws where one is missing */
export function figuresOf(rows: readonly Row[], redis: string): Figures {
  const at = (name: string, key: string): number => {
    const value = rows.find(row => row.name === name)?.values[key];
    if (value === undefined) throw new Error(`there is no figure: ${name}, ${key}`);
    return rounded(value);
  };
  const crowds = rows.filter(({ name }) => name.startsWith("shared-fan-out-"));
  const onRedis = crowds.map(({ name, values: { count } }): [string, OnRedis] => [
    `${count}`,
    {
      deliveryUs: at(name, "microseconds"),
      ratio: at(name, "ratio"),
      redisLineUs: at(name, "redisMicroseconds"),
    },
  ]);
  const [first = ""] = crowds.map(({ name }) => name);
  const [socketKB, few] = [at(SOCKETS, "kilobytesEach"), at(SOCKETS, "bytesBefore")];
  return {
    measured: { ...thisMachine(), redis },
    aloneDeliveryUs: at(first, "aloneMicroseconds"),
    sidecars: Object.fromEntries(onRedis),
    lineUs: at("shared-arrivals", "perLine"),
    arrivalUs: at("shared-arrivals", "perArrival"),
    redisArrivalUs: at("shared-arrivals", "redisPerArrival"),
    redisLinkUs: at(COMMANDS, "linkMicroseconds"),
    memory: {
      sidecarMB: rounded(few / 2 ** 20 - (FEW * socketKB) / 1024),
      socketKB,
      streamKB: at("shared-memory-stream", "kilobytesEach"),
    },
    deliveryBytes: at(first, "bytes"),
    commands: {
      ...{ webLine: at(COMMANDS, "webLine"), webReads: at(COMMANDS, "webReads") },
      ...{ gameLine: at(COMMANDS, "gameLine"), poll: at(COMMANDS, "poll") },
      ...{ link: at(COMMANDS, "link"), idle: at(COMMANDS, "idlePerSecond") },
    },
    addedMs: { everysec: at("shared-delay", "added"), always: at("shared-delay-always", "added") },
    linkBytes: at(COMMANDS, "bytesPerLink"),
  };
}

const SOCKETS = "shared-memory-socket";
const COMMANDS = "shared-commands";

/** To three digits: what is behind them is noise. */
const rounded = (value: number): number => Number(value.toPrecision(3));
