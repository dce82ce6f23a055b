import type { Lease } from "../../kernel/storage/ports.ts";
import type { Records } from "../../kernel/storage/records.ts";
import { collection, exactly } from "../../kernel/storage/records.ts";
import { type Choices, choices } from "./rules.ts";

interface StoredChoices {
  choices: Choices;
  /** the game server that reported first; undefined: an earlier version did not store it */
  server: string | undefined;
}

const LETTERS = /^([yn-])([yn-])(?: (.*))?$/s;
const letter = (chosen: boolean | undefined): string => (chosen === undefined ? "-" : chosen ? "y" : "n");
const chosenIn = (letter: string | undefined): boolean | undefined =>
  letter === "-" ? undefined : letter === "y";

/** Choices of players by their uuids: a letter for each choice, y, n, or - where it is unknown, and the game server. */
export const CHOICES = collection<StoredChoices>({
  name: "choices",
  isSmall: true,
  parse(text) {
    const [, blocked, hidden, server] = LETTERS.exec(text) ?? [];
    return blocked === undefined
      ? undefined
      : { choices: choices({ blocked: chosenIn(blocked), hidden: chosenIn(hidden) }), server };
  },
  format: ({ choices: { blocked, hidden }, server }) =>
    `${letter(blocked)}${letter(hidden)}${server === undefined ? "" : ` ${server}`}`,
  indexes: { server: ({ server }) => [server] },
});

/** Choices of players for all game servers, by their uuids. Several sidecar processes may share one. */
export interface ChoiceStore {
  /** Choices of these players, without those who have none. */
  chosen(players: readonly string[]): Promise<ReadonlyMap<string, Choices>>;
  /**
   * Stores a player's latest choice as this game server reports it. False: it was the first to report `most` other players. Once
   * the promise settles, the choice survives the process being killed.
   */
  choose(
    player: string,
    by: { server: string; most: number },
    change: Choices,
    lease?: Lease,
  ): Promise<boolean>;
}

export const createChoiceStore = (records: Records): ChoiceStore => ({
  async chosen(players) {
    const found = await records.getMany(CHOICES, players);
    return new Map([...found].map(([player, { choices }]) => [player, choices]));
  },
  async choose(player, { server, most }, change, lease) {
    const isFull = (await records.count(CHOICES, "server", exactly(server))) >= most;
    return records.transact(
      transaction => {
        const before = transaction.get(CHOICES, player);
        if (before === undefined && isFull) return false;
        const now = choices({ ...before?.choices, ...choices({ ...change }) });
        transaction.put(CHOICES, player, { choices: now, server: before ? before.server : server });
        return true;
      },
      { lease },
    );
  },
});
