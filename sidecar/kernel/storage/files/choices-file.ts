import type { DatabaseSync } from "node:sqlite";
import { choices } from "../../../features/servers/rules/choices.ts";
import type { ChoiceStore } from "../ports.ts";
import { quickTransaction } from "./schema.ts";
import { CHOICES_TABLE } from "./tables.ts";

/** What players have chosen for all game servers, in a table that is made for the first of them. */
export function createChoicesFile(database: DatabaseSync): ChoiceStore {
  let made: ReturnType<typeof prepare> | undefined;
  const table = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'choices'");

  /** Undefined where there is no table. */
  function statements(): ReturnType<typeof prepare> | undefined {
    if (made === undefined && table.get() !== undefined) made = prepare(database);
    return made;
  }

  return {
    async chosen(players) {
      const { read } = statements() ?? {};
      if (read === undefined) return new Map();
      return new Map(
        players.flatMap(player => {
          const row = read.get(player);
          return row ? [[player, choices({ blocked: is(row.blocked), hidden: is(row.hidden) })]] : [];
        }),
      );
    },
    async choose(player, { server, most }, { blocked, hidden }) {
      if (statements() === undefined) quickTransaction(database, () => database.exec(CHOICES_TABLE));
      const made = statements();
      if (made === undefined) throw new Error("the table of choices is not there");
      // Whoever told of it still knows after a loss of power.
      return quickTransaction(database, () => {
        const others = made.read.get(player) === undefined ? made.count.get(server) : undefined;
        if (others && Number(others.players) >= most) return false;
        made.put.run(player, server, column(blocked), column(hidden));
        return true;
      });
    },
  };
}

const is = (column: unknown): boolean | undefined => (column === null ? undefined : column === 1);
const column = (chosen: boolean | undefined): number | null => (chosen === undefined ? null : Number(chosen));

function prepare(database: DatabaseSync) {
  return {
    read: database.prepare("SELECT blocked, hidden FROM choices WHERE player = ?"),
    count: database.prepare("SELECT count(*) AS players FROM choices WHERE server = ?"),
    // Whoever told of a player first is who has them counted.
    put: database.prepare(
      `INSERT INTO choices (player, server, blocked, hidden) VALUES (?, ?, ?, ?) ON CONFLICT (player)
       DO UPDATE SET blocked = coalesce(excluded.blocked, blocked), hidden = coalesce(excluded.hidden, hidden)`,
    ),
  };
}
