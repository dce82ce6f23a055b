import type { Result } from "../bench.ts";
import { median } from "../numbers.ts";
import type { BareSockets } from "../roles/bare-sockets.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { cpuOf, startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatUrl } from "../sockets.ts";
import { ratioOf, takeTurns } from "../turns.ts";
import { Worker } from "../worker.ts";

/** What a crowd of sockets or streams is made of. */
export const CROWD = 1000;
export const LINES = 2;
export const TEXT = "has anybody seen the map that lay in the chest?";
const WARM_UP = 30;

export const FEW = 100;
export const MANY = 2000;
const MOST_KB = 12;

type Round = () => Promise<number>;

/** Measures two things by turns. */
export async function byTurns(
  { own, reference }: { own: Round; reference: Round },
  rounds: number,
  say: (words: string) => void,
  warmUp = WARM_UP,
): Promise<{ own: number; reference: number; ratio: number }> {
  say("warming up");
  for (let i = 0; i < warmUp; i++) {
    await own();
    await reference();
  }
  const [owns = [], references = []] = await takeTurns([own, reference], rounds, say);
  return { own: median(owns), reference: median(references), ratio: ratioOf(owns, references) };
}

/** Microseconds of CPU of a server for each of so many things that are done meanwhile. */
export async function cpuEach(
  cpu: () => Promise<number>,
  count: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await cpu();
  await work();
  return ((await cpu()) - before) / count;
}

/** A sidecar and a bare server on ws that does what the name says, and a process that has sockets at both. */
export async function besideBare(name: "listen" | "listenForGame" = "listen") {
  const sidecar = await startSidecarProcess(UNDISTURBED);
  const bare = await Worker.start<BareSockets>("bare-sockets");
  const load = await Worker.start<SocketLoad>("socket-load");
  const bareUrl = `ws://127.0.0.1:${await bare.ask(name, undefined)}`;
  const ownUrl = chatUrl(sidecar.base);
  return { sidecar, load, ownUrl, bareUrl, urls: [ownUrl, bareUrl], bareCpu: cpuOf(bare) };
}

/** Memory of the sidecar for each idle connection to an address of it; each gets `messages` at once. */
export async function idleMemoryOf(
  urlOf: (base: string) => string,
  messages: number,
  say: (words: string) => void,
  env: Record<string, string> = {},
): Promise<Result> {
  const sidecar = await startSidecarProcess({ ...UNDISTURBED, ...env });
  const load = await Worker.start<SocketLoad>("socket-load");
  const url = urlOf(sidecar.base);
  await load.ask("open", { url, count: FEW });
  const before = await sidecar.worker.ask("resident", undefined);
  say(`opening ${MANY - FEW} more`);
  await load.ask("open", { url, count: MANY - FEW });
  await load.ask("messages", { url, count: messages * MANY });
  const after = await sidecar.worker.ask("resident", undefined);
  const each = (after - before) / (MANY - FEW) / 1024;
  return {
    figure: `${each.toFixed(1)} KB each (${Math.round(after / 2 ** 20)} MB with ${MANY})`,
    target: `<= ${MOST_KB} KB each`,
    ok: each <= MOST_KB,
    values: { kilobytesEach: each, bytesBefore: before, bytesAfter: after },
  };
}
