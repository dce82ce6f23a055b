import type { Bench } from "../bench.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { type SidecarProcess, startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { Worker } from "../worker.ts";
import { byTurns, CROWD, FEW, idleMemoryOf, LINES, MANY, TEXT } from "./crowds.ts";

const ROUNDS = 120;
const MOST_RATIO = 1.1;

const eventsUrl = (base: string): string => `${base}/events`;

export const eventFanOut: Bench = {
  name: "event-fan-out",
  about: `CPU of the sidecar for a line of chat to each of ${CROWD} event streams, against ${CROWD} of its WebSockets`,
  async run(say) {
    const [streams, sockets] = [
      await startSidecarProcess(UNDISTURBED),
      await startSidecarProcess(UNDISTURBED),
    ];
    const load = await Worker.start<SocketLoad>("socket-load");
    say(`opening ${CROWD} streams and as many sockets`);
    const ends = [
      { url: eventsUrl(streams.base), sidecar: streams },
      { url: chatUrl(sockets.base), sidecar: sockets },
    ] as const;
    for (const { url, sidecar } of ends) {
      await load.ask("open", { url, count: CROWD });
      await load.ask("openSpeaker", { url, at: chatUrl(sidecar.base) });
    }
    await load.ask("messages", { url: ends[1].url, count: CROWD });

    /** Microseconds of CPU of the sidecar for each line that a reader gets. */
    async function round({ url, sidecar }: { url: string; sidecar: SidecarProcess }): Promise<number> {
      const before = await sidecar.worker.ask("cpu", undefined);
      for (let i = 0; i < LINES; i++) await load.ask("speak", { url, text: chatLine(TEXT), count: CROWD });
      return ((await sidecar.worker.ask("cpu", undefined)) - before) / (LINES * CROWD);
    }
    const { own, reference, ratio } = await byTurns(
      { own: () => round(ends[0]), reference: () => round(ends[1]) },
      ROUNDS,
      say,
    );
    await Promise.all([load.end(), streams.end(), sockets.end()]);
    return {
      figure: `${ratio.toFixed(2)} of a WebSocket (${own.toFixed(2)} us an event)`,
      target: `<= ${MOST_RATIO} of a WebSocket`,
      reference: `WebSockets ${reference.toFixed(2)} us a line`,
      ok: ratio <= MOST_RATIO,
      values: { ratio, microseconds: own, socketMicroseconds: reference },
    };
  },
};

export const eventMemory: Bench = {
  name: "event-memory",
  about: `memory of the sidecar for each idle event stream between ${FEW} and ${MANY}`,
  run: say => idleMemoryOf(eventsUrl, 0, say),
};
