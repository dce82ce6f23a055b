import type { PlayerRef } from "../../../shared/actions.ts";
import type { FactOf, Outcome, PlayerRow } from "../../../shared/facts.ts";
import type { Game } from "../../kernel/bridge/actions.ts";
import type { Bus } from "../../kernel/bridge/ports.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { RetryQueue } from "../../kernel/storage/retry-queue.ts";
import type { Log } from "../../platform/log.ts";
import type { ChoiceStore } from "./records.ts";
import * as rules from "./rules.ts";

/** Players whose choices are sent or stored at a time; the others follow with the next snapshot. */
const MAX_BATCH = 100;

/** The game server that reports. */
export interface ChoiceServer {
  name: string;
  game: Pick<Game, "act">;
  bus: Pick<Bus, "lastSnapshot">;
}

/** Player settings for all game servers. A player without a persistent id counts as another one on each, with separate settings. */
export interface ChoiceSync {
  /** Rows of a pack with the choices applied: a player hidden on one server is hidden on all. */
  withChoices(server: ChoiceServer, rows: readonly PlayerRow[], lease: Lease): Promise<PlayerRow[]>;
  onChose(server: ChoiceServer, fact: FactOf<"chose">, lease: Lease): Promise<void>;
  /**
   * The outcome of a `link-open` that counts: an old pack, or one without the settings yet, may open a form for a player who blocks
   * requests.
   */
  onOutcome(server: ChoiceServer, outcome: Outcome, lease: Lease): Promise<Outcome>;
}

export function createChoiceSync(deps: {
  store: ChoiceStore;
  runOrRetry: RetryQueue["runOrRetry"];
  log: Pick<Log, "warn" | "error">;
  /** of a player whom the game gives a persistent id */
  uuidOf(player: PlayerRef): string;
}): ChoiceSync {
  const { store, runOrRetry, log } = deps;
  /** ids of players whose choices are being sent to a pack, by its server */
  const sending = new Map<string, Set<string>>();
  const uuidOf = (player: PlayerRef): string | undefined =>
    player.persistentId === "" ? undefined : deps.uuidOf(player);

  /** Stores a player's latest choice, now or once that can be done. */
  function put(uuid: string, server: string, change: rules.Choices, lease: Lease): Promise<void> {
    const step = async (lease?: Lease): Promise<void> => {
      if (!(await store.choose(uuid, { server, most: rules.MAX_PLAYERS }, change, lease)))
        log.error(
          { server, player: uuid },
          "Too many stored player settings: this one applies only on its own game server",
        );
    };
    return runOrRetry(`choose:${uuid}:${Object.keys(change)}`, step, { last: true, lease });
  }

  /** Sends the pack what was chosen on another server. If that fails, the next snapshot tries again. */
  function sendChoices(
    { name, game }: ChoiceServer,
    row: PlayerRow,
    chosen: Required<rules.Choices>,
    lease: Lease,
  ): void {
    const { player } = row;
    const open = sending.get(name) ?? new Set();
    sending.set(name, open);
    if (open.has(player.id) || open.size >= MAX_BATCH) return;
    open.add(player.id);
    void game.act({ do: "choose", player, ...chosen }, undefined, lease).then(() => open.delete(player.id));
  }

  return {
    async withChoices(server, rows, lease) {
      const all = rows.map(({ blocked, ...row }) => ({ row, blocked, uuid: uuidOf(row.player) }));
      const known = await store.chosen(all.flatMap(({ uuid }) => uuid ?? []));
      const met: PlayerRow[] = [];
      let stored = 0;
      for (const { row, blocked, uuid } of all) {
        const chosen = uuid === undefined ? undefined : known.get(uuid);
        const { hidden = false } = row;
        // An old pack does not report `blocked`, and does not know the action.
        if (blocked !== undefined && uuid !== undefined) {
          const { news, toApply } = rules.mergeChoices(chosen ?? {}, { blocked, hidden });
          if (toApply !== undefined) sendChoices(server, row, toApply, lease);
          if (!rules.isNothing(news) && stored++ < MAX_BATCH) await put(uuid, server.name, news, lease);
        }
        met.push(chosen?.hidden === true ? { ...row, hidden: true } : row);
      }
      return met;
    },
    async onChose(server, fact, lease) {
      const { player } = fact;
      const uuid = uuidOf(player);
      if (uuid === undefined) return;
      const rows = (await server.bus.lastSnapshot())?.rows ?? [];
      const isThere = rows.some(row => row.player.persistentId === player.persistentId);
      const change = rules.believed(rules.choices(fact), isThere);
      if (!rules.isNothing(change)) return put(uuid, server.name, change, lease);
      const fields = { server: server.name, player: uuid };
      log.warn(fields, "Ignored a setting reported for a player who is not online");
    },
    async onOutcome({ game }, outcome, lease) {
      const { id, status, player } = outcome;
      const uuid = status === "done" && player !== undefined ? uuidOf(player) : undefined;
      if (uuid === undefined || !(await store.chosen([uuid])).get(uuid)?.blocked) return outcome;
      void game.act({ do: "link-close", request: id }, undefined, lease);
      return { ...outcome, status: "blocked" };
    },
  };
}
