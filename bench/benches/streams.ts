import type { Bench } from "../bench.ts";
import { median } from "../numbers.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { type SidecarProcess, startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { Worker } from "../worker.ts";

const READERS = 1000;
const ROUNDS = 120;
const WARM_UP = 30;
const LINES = 2;
const TEXT = "has anybody seen the map that lay in the chest?";
const MOST_RATIO = 1.1;

const FEW = 100;
const MANY = 2000;
const MOST_KB = 12;

const eventsUrl = (base: string): string => `${base}/events`;

export const eventFanOut: Bench = {
  name: "event-fan-out",
  about: `CPU of the sidecar for a line of chat to each of ${READERS} event streams, against ${READERS} of its WebSockets`,
  async run(say) {
    const [streams, sockets] = [
      await startSidecarProcess(UNDISTURBED),
      await startSidecarProcess(UNDISTURBED),
    ];
    const load = await Worker.start<SocketLoad>("socket-load");
    say(`opening ${READERS} streams and as many sockets`);
    const ends = [
      { url: eventsUrl(streams.base), sidecar: streams },
      { url: chatUrl(sockets.base), sidecar: sockets },
    ] as const;
    for (const { url, sidecar } of ends) {
      await load.ask("open", { url, count: READERS });
      await load.ask("openSpeaker", { url, at: chatUrl(sidecar.base) });
    }
    await load.ask("messages", { url: ends[1].url, count: READERS });

    /** Microseconds of CPU of the sidecar for each line that a reader gets. */
    async function round({ url, sidecar }: { url: string; sidecar: SidecarProcess }): Promise<number> {
      const before = await sidecar.worker.ask("cpu", undefined);
      for (let i = 0; i < LINES; i++) await load.ask("speak", { url, text: chatLine(TEXT), count: READERS });
      return ((await sidecar.worker.ask("cpu", undefined)) - before) / (LINES * READERS);
    }
    say("warming up");
    for (let i = 0; i < WARM_UP; i++) for (const end of ends) await round(end);
    const own: number[] = [];
    const reference: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      if (i % 40 === 0) say(`round ${i + 1} of ${ROUNDS}`);
      if (i % 2 === 0) own.push(await round(ends[0]));
      reference.push(await round(ends[1]));
      if (i % 2 === 1) own.push(await round(ends[0]));
    }
    await Promise.all([load.end(), streams.end(), sockets.end()]);
    const ratio = median(own.map((value, i) => value / (reference[i] ?? Number.NaN)));
    return {
      figure: `${ratio.toFixed(2)} of a WebSocket (${median(own).toFixed(2)} us an event)`,
      target: `<= ${MOST_RATIO} of a WebSocket`,
      reference: `WebSockets ${median(reference).toFixed(2)} us a line`,
      ok: ratio <= MOST_RATIO,
      values: { ratio, microseconds: median(own), socketMicroseconds: median(reference) },
    };
  },
};

export const eventMemory: Bench = {
  name: "event-memory",
  about: `memory of the sidecar for each idle event stream between ${FEW} and ${MANY}`,
  async run(say) {
    const sidecar = await startSidecarProcess(UNDISTURBED);
    const load = await Worker.start<SocketLoad>("socket-load");
    const url = eventsUrl(sidecar.base);
    await load.ask("open", { url, count: FEW });
    const before = await sidecar.worker.ask("resident", undefined);
    say(`opening ${MANY - FEW} streams`);
    await load.ask("open", { url, count: MANY - FEW });
    const after = await sidecar.worker.ask("resident", undefined);
    await Promise.all([load.end(), sidecar.end()]);
    const each = (after - before) / (MANY - FEW) / 1024;
    return {
      figure: `${each.toFixed(1)} KB each (${Math.round(after / 2 ** 20)} MB with ${MANY})`,
      target: `<= ${MOST_KB} KB each`,
      ok: each <= MOST_KB,
      values: { kilobytesEach: each, bytesBefore: before, bytesAfter: after },
    };
  },
};
