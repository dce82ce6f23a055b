import type { PlayerRef } from "../../../shared/actions.ts";
import type { Fact, Outcome, PlayerRow } from "../../../shared/facts.ts";
import type { Game } from "../../kernel/bridge/game.ts";
import type { Bus } from "../../kernel/storage/ports/game.ts";
import type { Turn } from "../../kernel/storage/ports.ts";
import type { StorageRetry } from "../../kernel/storage/waiting.ts";
import type { Log } from "../../platform/log.ts";
import type { ChoiceStore } from "./records.ts";
import * as domain from "./rules/choices.ts";

/** Players whose choices are sent or stored at a time; the others follow with the next snapshot. */
const MOST_AT_ONCE = 100;

/** The game server that reports. */
export interface Teller {
  name: string;
  game: Pick<Game, "act">;
  bus: Pick<Bus, "lastSnapshot">;
}

/** What players choose, for all game servers. A player without a persistent id is another one on each, and keeps choices there. */
export interface Choices {
  /** Rows of a pack with the choices applied: a player hidden on one server is hidden on all. */
  met(teller: Teller, rows: readonly PlayerRow[], turn: Turn): Promise<PlayerRow[]>;
  onChose(teller: Teller, fact: Extract<Fact, { is: "chose" }>, turn: Turn): Promise<void>;
  /**
   * The outcome of a `link-open` as it counts: a pack that is old, or does not know yet, asks a player who has blocked requests.
   */
  onOutcome(teller: Teller, outcome: Outcome, turn: Turn): Promise<Outcome>;
}

export function createChoices(deps: {
  store: ChoiceStore;
  keep: StorageRetry["keep"];
  log: Pick<Log, "warn" | "error">;
  /** of a player whom the game gives a persistent id */
  uuidOf(player: PlayerRef): string;
}): Choices {
  const { store, keep, log } = deps;
  /** ids of players whose choices are being sent to a pack, by its server */
  const telling = new Map<string, Set<string>>();
  const uuidOf = (player: PlayerRef): string | undefined =>
    player.persistentId === "" ? undefined : deps.uuidOf(player);

  /** Stores a player's latest choice, now or once that can be done. */
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

  /** Sends the pack what was chosen on another server. If that fails, the next snapshot leads here again. */
  function tell({ name, game }: Teller, row: PlayerRow, told: Required<domain.Choices>, turn: Turn): void {
    const { player } = row;
    const open = telling.get(name) ?? new Set();
    telling.set(name, open);
    if (open.has(player.id) || open.size >= MOST_AT_ONCE) return;
    open.add(player.id);
    void game.act({ do: "choose", player, ...told }, undefined, turn).then(() => open.delete(player.id));
  }

  return {
    async met(teller, rows, turn) {
      const all = rows.map(({ blocked, ...row }) => ({ row, blocked, uuid: uuidOf(row.player) }));
      const known = await store.chosen(all.flatMap(({ uuid }) => uuid ?? []));
      const met: PlayerRow[] = [];
      let kept = 0;
      for (const { row, blocked, uuid } of all) {
        const chosen = uuid === undefined ? undefined : known.get(uuid);
        const { hidden = false } = row;
        // An old pack reports nobody as blocked, and does not know the action.
        if (blocked !== undefined && uuid !== undefined) {
          const { news, told } = domain.meet(chosen ?? {}, { blocked, hidden });
          if (told !== undefined) tell(teller, row, told, turn);
          if (!domain.isNothing(news) && kept++ < MOST_AT_ONCE) await put(uuid, teller.name, news, turn);
        }
        met.push(chosen?.hidden === true ? { ...row, hidden: true } : row);
      }
      return met;
    },
    async onChose(teller, fact, turn) {
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
    async onOutcome({ game }, outcome, turn) {
      const { id, status, player } = outcome;
      const uuid = status === "done" && player !== undefined ? uuidOf(player) : undefined;
      if (uuid === undefined || !(await store.chosen([uuid])).get(uuid)?.blocked) return outcome;
      void game.act({ do: "link-close", request: id }, undefined, turn);
      return { ...outcome, status: "blocked" };
    },
  };
}
