import type { PlayerRef } from "../../../shared/actions.ts";
import type { Fact, Outcome, PlayerRow } from "../../../shared/facts.ts";
import type { Game } from "../../kernel/bridge/game.ts";
import type { Bus } from "../../kernel/storage/ports/game.ts";
import type { Turn } from "../../kernel/storage/ports.ts";
import type { Storage } from "../../kernel/storage/waiting.ts";
import type { Log } from "../../platform/log.ts";
import type { ChoiceStore } from "./records.ts";
import * as domain from "./rules/choices.ts";

/** Players of whom a pack is told at once, or whose choices are kept at once; the others come with the next snapshot. */
const MOST_AT_ONCE = 100;

/** The game server that tells. */
export interface Teller {
  name: string;
  game: Pick<Game, "act">;
  bus: Pick<Bus, "lastSnapshot">;
}

export type Choices = ReturnType<typeof createChoices>;

/**
 * Has what players choose hold on all game servers, where there are several: it meets them wherever they come. A player whom the
 * game gives no persistent id is another one on each of them, and nothing is carried over.
 */
export function createChoices(deps: {
  store: ChoiceStore;
  keep: Storage["keep"];
  log: Pick<Log, "warn" | "error">;
  /** of a player whom the game gives a persistent id */
  uuidOf(player: PlayerRef): string;
}) {
  const { store, keep, log } = deps;
  /** ids of players whom a pack is being told of, by its server */
  const telling = new Map<string, Set<string>>();
  const uuidOf = (player: PlayerRef): string | undefined =>
    player.persistentId === "" ? undefined : deps.uuidOf(player);

  /** Keeps what a player has chosen last; what cannot be stored waits. */
  function put(uuid: string, server: string, change: domain.Choices, turn: Turn): Promise<void> {
    const step = async (turn?: Turn): Promise<void> => {
      if (!(await store.choose(uuid, { server, most: domain.MOST_CHOICES }, change, turn)))
        log.error(
          { server, player: uuid },
          "too many players have chosen something: this is kept there alone",
        );
    };
    return keep(`choose:${uuid}:${Object.keys(change)}`, step, { last: true, turn });
  }

  /** Has the pack take over what was chosen elsewhere. Where nothing comes of it, the next snapshot brings it up again. */
  function tell({ name, game }: Teller, row: PlayerRow, told: Required<domain.Choices>, turn: Turn): void {
    const { player } = row;
    const open = telling.get(name) ?? new Set();
    telling.set(name, open);
    if (open.has(player.id) || open.size >= MOST_AT_ONCE) return;
    open.add(player.id);
    void game.act({ do: "choose", player, ...told }, undefined, turn).then(() => open.delete(player.id));
  }

  return {
    /** Rows as a pack tells them, as they are to be seen: whoever is hidden on one server is so on all. */
    async met(teller: Teller, rows: readonly PlayerRow[], turn: Turn): Promise<PlayerRow[]> {
      const all = rows.map(({ blocked, ...row }) => ({ row, blocked, uuid: uuidOf(row.player) }));
      const known = await store.chosen(all.flatMap(({ uuid }) => uuid ?? []));
      const met: PlayerRow[] = [];
      let kept = 0;
      for (const { row, blocked, uuid } of all) {
        const chosen = uuid === undefined ? undefined : known.get(uuid);
        const { hidden = false } = row;
        // A pack of before cannot be told, and says of nobody whether they are blocked.
        if (blocked !== undefined && uuid !== undefined) {
          const { news, told } = domain.meet(chosen ?? {}, { blocked, hidden });
          if (told !== undefined) tell(teller, row, told, turn);
          if (!domain.isNothing(news) && kept++ < MOST_AT_ONCE) await put(uuid, teller.name, news, turn);
        }
        met.push(chosen?.hidden === true ? { ...row, hidden: true } : row);
      }
      return met;
    },
    /** A player has chosen something in the game. */
    async onChose(teller: Teller, fact: Extract<Fact, { is: "chose" }>, turn: Turn): Promise<void> {
      const { player } = fact;
      const uuid = uuidOf(player);
      if (uuid === undefined) return;
      const rows = (await teller.bus.lastSnapshot())?.rows ?? [];
      const isThere = rows.some(row => row.player.persistentId === player.persistentId);
      const change = domain.believed(domain.choices(fact), isThere);
      if (!domain.isNothing(change)) return put(uuid, teller.name, change, turn);
      const fields = { server: teller.name, player: uuid };
      log.warn(fields, "a game server tells what a player has undone who is not there: it is not believed");
    },
    /** The outcome of a `link-open` as it counts: a pack of before, or told in the same moment, asks a player who is blocked. */
    async onOutcome({ game }: Teller, outcome: Outcome, turn: Turn): Promise<Outcome> {
      const { id, status, player } = outcome;
      const uuid = status === "done" && player !== undefined ? uuidOf(player) : undefined;
      if (uuid === undefined || !(await store.chosen([uuid])).get(uuid)?.blocked) return outcome;
      void game.act({ do: "link-close", request: id }, undefined, turn);
      return { ...outcome, status: "blocked" };
    },
  };
}
