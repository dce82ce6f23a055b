import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KNOWN_SORTS } from "../../../sidecar/domain/known-list.ts";
import { seen } from "../../../sidecar/domain/known-players.ts";
import { type Bench, NO_TARGET, PLAYERS } from "../bench.ts";
import { copyEverybody, everybody, KNOWN, openKnown } from "../known.ts";
import { leaveNothing } from "../leftovers.ts";
import { median } from "../numbers.ts";
import { snapshot } from "../pack.ts";
import { type SidecarProcess, startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { Teller } from "../teller.ts";

/** Making all the players takes most of it. */
const LONGEST_MS = 240_000;
const PAGE = 50;
const ROUNDS = 40;
const MOST_MS = 5;
const REPORTS = 50;
const REPORT_MS = 10_000;

/** A folder with a copy of everybody, which goes with the benchmark. */
async function ownCopy(say: (words: string) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-"));
  leaveNothing(() => rmSync(folder, { recursive: true, force: true }));
  await copyEverybody(folder, say);
  return folder;
}

export const knownPages: Bench = {
  name: "known-pages",
  about: `CPU of GET /known-players for ${PAGE} of ${KNOWN} players with ${PLAYERS} of them online, in the dearest order, over ${ROUNDS} pages: the first one again and again, and others that follow each other`,
  longestMs: LONGEST_MS,
  async run(say) {
    const { bytes } = await everybody(say);
    const folder = await ownCopy(say);
    const sidecar = await startSidecarProcess({
      ...UNDISTURBED,
      WEB_BRIDGE_STORAGE_FOLDER: folder,
      WEB_BRIDGE_MODULES_API_KNOWN_PLAYERS_SHOW: "everybody",
    });
    const teller = await Teller.connect(sidecar.bridge);
    await teller.tell(snapshot(PLAYERS, 1));
    const taken: { of: string; ms: number; bytes: number }[] = [];
    for (const query of [...KNOWN_SORTS.map(sort => `sort=${sort}`), "name=s", "name=st"])
      for (const goesOn of [false, true]) {
        const of = goesOn ? query : `${query}, first page`;
        taken.push({ of, ...(await pages(sidecar, query, goesOn)) });
        say(`${of}: ${taken.at(-1)?.ms.toFixed(2)} ms`);
      }
    const dearest = taken.reduce((most, each) => (each.ms > most.ms ? each : most));
    const plain = median(taken.map(({ ms }) => ms));
    return {
      figure: `${dearest.ms.toFixed(2)} ms (${dearest.of})`,
      target: `<= ${MOST_MS} ms`,
      reference: `median of ${taken.length} queries ${plain.toFixed(2)} ms; ${(dearest.bytes / 1024).toFixed(1)} KB each; ${(bytes / 1e6).toFixed(0)} MB on disk`,
      ok: dearest.ms <= MOST_MS,
      values: {
        milliseconds: dearest.ms,
        medianMilliseconds: plain,
        bytes: dearest.bytes,
        megabytes: bytes / 1e6,
      },
    };
  },
};

/** CPU of a page and bytes of it, of the first one or, where it goes on, through pages that follow each other. */
async function pages(
  sidecar: SidecarProcess,
  query: string,
  goesOn: boolean,
): Promise<{ ms: number; bytes: number }> {
  let after = "";
  let bytes = 0;
  async function next(): Promise<void> {
    const answer = await fetch(`${sidecar.base}/known-players?${query}&limit=${PAGE}${after}`);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`/known-players?${query}: ${answer.status} ${text}`);
    const page: { next: string | null } = JSON.parse(text);
    after = page.next === null || !goesOn ? "" : `&after=${page.next}`;
    bytes = Math.max(bytes, text.length);
  }
  // The first one prepares what the others need, too.
  await next();
  const before = await sidecar.cpu();
  for (let round = 0; round < ROUNDS; round++) await next();
  return { ms: ((await sidecar.cpu()) - before) / ROUNDS / 1_000, bytes };
}

export const knownReport: Bench = {
  name: "known-report",
  about: `CPU for a report of ${PLAYERS} players who stay, once in ${REPORT_MS / 1_000} s, of ${KNOWN} who have been here`,
  longestMs: LONGEST_MS,
  async run(say) {
    const { uuids } = await everybody(say);
    const known = openKnown(await ownCopy(say));
    const here = uuids.slice(0, PLAYERS);
    const used: number[] = [];
    for (let report = 0; report <= REPORTS; report++) {
      const at = Date.UTC(2028, 0, 1) + report * REPORT_MS;
      const sight = { server: "", at, since: 1, isJoin: false, name: "", hidden: false };
      const before = process.cpuUsage();
      const present = await known.present();
      await known.change(
        here,
        (_, record) => seen(record, { ...sight, name: record?.name ?? "", figures: [0, 0, at / 1_000] }),
        { most: KNOWN },
      );
      const { user, system } = process.cpuUsage(before);
      // With the first one they come.
      if (report > 0 && present.size !== PLAYERS) throw new Error(`${present.size} players are there`);
      if (report > 0) used.push((user + system) / 1_000);
    }
    await known.close();
    const ms = median(used);
    return {
      figure: `${ms.toFixed(2)} ms`,
      target: NO_TARGET,
      reference: `${((100 * ms) / REPORT_MS).toFixed(3)}% of a core`,
      ok: true,
      values: { milliseconds: ms },
    };
  },
};
