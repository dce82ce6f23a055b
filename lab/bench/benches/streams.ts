import type { Bench } from "../bench.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { Worker } from "../worker.ts";
import { byTurns, CROWD, cpuEach, FEW, idleMemoryOf, LINES, MANY, TEXT } from "./crowds.ts";

const ROUNDS = 120;
const MOST_RATIO = 1.1;

const eventsUrl = (base: string): string => `${base}/events`;

export const eventFanOut: Bench = {
  name: "event-fan-out",
  about: `CPU of the sidecar for a line of chat to each of ${CROWD} event streams, against ${CROWD} of its WebSockets`,
  async run(say) {
    const load = await Worker.start<SocketLoad>("socket-load");
    say(`opening ${CROWD} streams and as many sockets`);
    /** The rounds of a crowd at an address of a sidecar of its own. */
    async function crowdAt(urlOf: (base: string) => string): Promise<() => Promise<number>> {
      const { base, cpu } = await startSidecarProcess(UNDISTURBED);
      const url = urlOf(base);
      await load.ask("open", { url, count: CROWD });
      await load.ask("openSpeaker", { url, at: chatUrl(base) });
      if (urlOf === chatUrl) await load.ask("messages", { url, count: CROWD });
      return () =>
        cpuEach(cpu, LINES * CROWD, async () => {
          for (let i = 0; i < LINES; i++)
            await load.ask("speak", { url, text: chatLine(TEXT), count: CROWD });
        });
    }
    const crowds = { own: await crowdAt(eventsUrl), reference: await crowdAt(chatUrl) };
    const { own, reference, ratio } = await byTurns(crowds, ROUNDS, say);
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
