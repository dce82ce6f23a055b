import { expect, it } from "@jest/globals";
import { createKnownList, type KnownAsked } from "../../sidecar/app/known-list.ts";
import { ended, seen } from "../../sidecar/domain/known-players.ts";
import { openKnownFile } from "../../sidecar/store/known-file.ts";
import { newFolder } from "../helpers/folder.ts";
import { RecordingLog } from "../helpers/log.ts";

const PLAYERS = 100_000;
const AT_ONCE = 1_000;
const PAGE = 200;

const uuidOf = (number: number): string =>
  `${((number * 2_654_435_761) >>> 0).toString(16).padStart(8, "0")}-0000-5000-8000-${number.toString(16).padStart(12, "0")}`;

/** One visit of a player, in which so much was done. */
function visit(number: number, more = 0): ReturnType<typeof ended>["record"] {
  const at = 1_000_000 + number;
  const figures = [number % 7, number % 11, (number % 1_000) + more];
  const sight = { server: "", at, since: at, isJoin: true, name: `P${number % 500}_${number}`, figures };
  return ended(seen(undefined, { ...sight, hidden: false }).record, "", at + 10).record;
}

it("pages through 100,000 players, of whom some change meanwhile: of the others each comes once", async () => {
  const store = openKnownFile(newFolder("many-"), new RecordingLog());
  const world = {
    name: "main",
    bus: { lastSnapshot: async () => undefined },
    uuidOf: () => "",
    snapshots: { fresh: () => undefined },
  };
  const list = createKnownList({ store, worlds: { first: world, all: [world] } });
  const change = (numbers: readonly number[], more = 0): Promise<void> => {
    const byUuid = new Map(numbers.map(number => [uuidOf(number), number]));
    const decide = (uuid: string) => ({ record: visit(byUuid.get(uuid) ?? 0, more) });
    return store.change([...byUuid.keys()], decide, { most: PLAYERS });
  };
  for (let first = 0; first < PLAYERS; first += AT_ONCE)
    await change(Array.from({ length: AT_ONCE }, (_, i) => first + i));

  for (const sort of ["playtime", "visits", "name"] as const) {
    const changed = new Set<string>();
    const found = new Map<string, number>();
    let after: KnownAsked["after"];
    let pages = 0;
    do {
      const page = await list.page({ sort, limit: PAGE, after });
      expect(page.total).toBe(PLAYERS);
      for (const { uuid } of page.players) found.set(uuid, (found.get(uuid) ?? 0) + 1);
      after = page.next;
      // Some of before, some of behind, and some of what is being looked at.
      const moved = [0, 1, 2].map(i => (pages * 7_919 + i * 33_331) % PLAYERS);
      await change(moved, pages);
      for (const number of moved) changed.add(uuidOf(number));
      pages++;
    } while (after);
    const wrong = Array.from({ length: PLAYERS }, (_, number) => uuidOf(number)).filter(
      uuid => !changed.has(uuid) && found.get(uuid) !== 1,
    );
    expect(wrong).toEqual([]);
  }
  await store.close();
});
