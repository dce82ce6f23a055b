import { useState } from "preact/hooks";
import type { PlayerData } from "../client/index.ts";
import * as format from "./format.ts";
import { type Game, shownOf } from "./game.ts";
import { Meter } from "./meter.tsx";
import { texts } from "./texts.ts";

type Column = keyof typeof texts.columns;
const COLUMNS = Object.keys(texts.columns) as Column[];
const FULL_HEALTH = 20;

/** Players in the order of a column; those who are equal in it by name, so that no row jumps without a reason. */
function sorted(players: readonly PlayerData[], by: Column, rising: boolean): PlayerData[] {
  const compare = (a: PlayerData, b: PlayerData): number => {
    const order = by === "name" ? a.name.localeCompare(b.name) : a[by] - b[by];
    return (rising ? order : -order) || a.name.localeCompare(b.name) || a.uuid.localeCompare(b.uuid);
  };
  return [...players].sort(compare);
}

function Row({ player }: { player: PlayerData }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{player.name}</bdi>
      </th>
      <td>
        <Meter share={player.health / FULL_HEALTH} kind="hearts" />
        <span class="figure" title={texts.hearts(player.health)}>
          {player.health}
        </span>
      </td>
      <td>{format.count(player.playerKills)}</td>
      <td>{format.count(player.deaths)}</td>
      <td>{format.playtime(player.playtimeSeconds)}</td>
    </tr>
  );
}

export function Players({ game }: { game: Game }) {
  const [by, setBy] = useState<Column>("name");
  const [rising, setRising] = useState(true);
  const sortBy = (column: Column): void => {
    setRising(column === by ? !rising : column === "name");
    setBy(column);
  };
  const players = sorted(shownOf(game)?.players ?? [], by, rising);
  const oldFrom = game.is === "unreachable" && players.length > 0 ? game.lastSeen : undefined;
  const empty =
    game.is === "online" ? texts.nobody : game.is === "loading" ? texts.loading : texts.playersAway;
  return (
    <section aria-labelledby="players">
      <h2 id="players">
        {texts.players}
        {oldFrom !== undefined && <span class="since"> {texts.old(format.clock(oldFrom))}</span>}
      </h2>
      {players.length === 0 ? (
        <p class="soft">{empty}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {COLUMNS.map(column => (
                <th
                  key={column}
                  scope="col"
                  aria-sort={column === by ? (rising ? "ascending" : "descending") : "none"}
                >
                  <button type="button" class="plain" onClick={() => sortBy(column)}>
                    {texts.columns[column]}
                    <span class="order" aria-hidden="true">
                      {column === by ? (rising ? "▲" : "▼") : ""}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {players.map(player => (
              <Row key={player.uuid} player={player} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
