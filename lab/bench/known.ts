import { KNOWN_SORTS } from "../../sidecar/features/known-players/rules/known-list.ts";
import { UNLIMITED } from "../scale/unlimited.ts";
import { type Bench, PLAYERS } from "./bench.ts";
import { Game } from "./game.ts";
import { fillKnown, KNOWN } from "./known-store.ts";
import { load } from "./load.ts";
import { cpuOfEach, startSidecar, temporaryFolder } from "./processes.ts";

const PAGE = 50;
const PAGES = 200;
const MAX_MS = 5;

export const known: Bench = {
  name: "known",
  about: `CPU of GET /known-players for ${PAGE} of ${KNOWN} players with ${PLAYERS} online, in the slowest order`,
  async run() {
    const folder = temporaryFolder();
    await fillKnown(folder);
    const { base, bridge, pid } = await startSidecar({
      ...UNLIMITED,
      WEB_BRIDGE_STORAGE_FOLDER: folder,
      WEB_BRIDGE_MODULES_API_KNOWN_PLAYERS_SHOW: "everybody",
    });
    await Game.join(bridge);
    const taken: { query: string; ms: number }[] = [];
    for (const query of [...KNOWN_SORTS.map(sort => `sort=${sort}`), "name=s"]) {
      const url = `${base}/known-players?${query}&limit=${PAGE}`;
      await load(url, 1, 1);
      const microseconds = await cpuOfEach(pid, PAGES, () => load(url, PAGES, 1));
      taken.push({ query, ms: microseconds / 1_000 });
    }
    const slowest = taken.reduce((most, each) => (each.ms > most.ms ? each : most));
    return {
      figure: `${slowest.ms.toFixed(2)} ms (${slowest.query})`,
      target: `<= ${MAX_MS} ms`,
      isMet: slowest.ms <= MAX_MS,
    };
  },
};
