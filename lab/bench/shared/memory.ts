import type { Bench } from "../bench.ts";
import { FEW, idleMemoryOf, MANY } from "../benches/crowds.ts";
import { chatUrl } from "../sockets.ts";
import { BenchRedis } from "./redis.ts";

const memoryOf = (name: string, what: string, urlOf: (base: string) => string, messages: number): Bench => ({
  name,
  about: `memory of a sidecar on Redis for each idle ${what} between ${FEW} and ${MANY}`,
  async run(say) {
    return idleMemoryOf(urlOf, messages, say, (await BenchRedis.start()).env());
  },
});

export const sharedMemory = [
  memoryOf("shared-memory-socket", "socket", chatUrl, 1),
  memoryOf("shared-memory-stream", "event stream", base => `${base}/events`, 0),
];
