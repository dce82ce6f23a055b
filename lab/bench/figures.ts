import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { FEW } from "./benches/crowds.ts";
import type { Row } from "./table.ts";

/** What `npm run bench -- --sidecars 1,2,4 --write` has measured: what the plan is made from. CPU is of one core. */
export type Figures = ReturnType<typeof figuresOf>;

/** What a line costs where so many sidecars share a Redis. */
interface OnRedis {
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

/** The figures that rows of the benchmarks hold; CPU in microseconds. @throws where one is missing */
export function figuresOf(rows: readonly Row[], redis: string) {
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
    /** one sidecar alone, in the same runs: for each line that a reader gets */
    aloneDeliveryUs: at(first, "aloneMicroseconds"),
    /** sidecars on one Redis, by how many there were */
    sidecars: Object.fromEntries(onRedis),
    /** of a sidecar for a line before anybody gets it, and for a WebSocket that opens */
    lineUs: at("shared-arrivals", "perLine"),
    arrivalUs: at("shared-arrivals", "perArrival"),
    /** of Redis for a WebSocket that opens, and for a link */
    redisArrivalUs: at("shared-arrivals", "redisPerArrival"),
    redisLinkUs: at(COMMANDS, "linkMicroseconds"),
    memory: {
      sidecarMB: rounded(few / 2 ** 20 - (FEW * socketKB) / 1024),
      socketKB,
      streamKB: at("shared-memory-stream", "kilobytesEach"),
    },
    /** of a line on a WebSocket, its frame included */
    deliveryBytes: at(first, "bytes"),
    /**
     * Commands that Redis gets with the most sidecars, each script counted as one; `webReads`: those of each sidecar that read
     * what has become of a line of the web; `idle`: of each sidecar in a second.
     */
    commands: {
      ...{ webLine: at(COMMANDS, "webLine"), webReads: at(COMMANDS, "webReads") },
      ...{ gameLine: at(COMMANDS, "gameLine"), poll: at(COMMANDS, "poll") },
      ...{ link: at(COMMANDS, "link"), idle: at(COMMANDS, "idlePerSecond") },
    },
    /** from game to web over one alone, in milliseconds, by `appendfsync` */
    addedMs: { everysec: at("shared-delay", "added"), always: at("shared-delay-always", "added") },
    /** of Redis, for what it keeps of a link */
    linkBytes: at(COMMANDS, "bytesPerLink"),
  };
}

const SOCKETS = "shared-memory-socket";
const COMMANDS = "shared-commands";

/** To three digits: what is behind them is noise. */
const rounded = (value: number): number => Number(value.toPrecision(3));
