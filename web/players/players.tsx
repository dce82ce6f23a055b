import { useState } from "preact/hooks";
import type { PlayerData } from "../../client/index.ts";
import { useKnown } from "../known/known-players.ts";
import { OfEverybody, Views } from "../known/known-views.tsx";
import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { type Game, shownOf } from "../servers/game-server.ts";
import { Meter } from "./hearts.tsx";
import { PlayerName } from "./player-name.tsx";

type Column = keyof typeof texts.columns;
const COLUMNS = Object.keys(texts.columns) as Column[];
const FULL_HEALTH = 20;
/** Said again: on a phone the style makes blocks of rows and cells, by which browsers forget what they are. */
const ROLE = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  rowheader: { role: "rowheader" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

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
    <tr {...ROLE.row}>
      <th scope="row" {...ROLE.rowheader}>
        <PlayerName {...player} />
      </th>
      <td {...ROLE.cell} data-of={texts.columns.health}>
        <Meter share={player.health / FULL_HEALTH} kind="hearts" />
        <span class="figure" title={texts.hearts(player.health)}>
          {player.health}
        </span>
      </td>
      <td {...ROLE.cell} data-of={texts.columns.playerKills}>
        {format.count(player.playerKills)}
      </td>
      <td {...ROLE.cell} data-of={texts.columns.deaths}>
        {format.count(player.deaths)}
      </td>
      <td {...ROLE.cell} data-of={texts.columns.playtimeSeconds}>
        {format.playtime(player.playtimeSeconds)}
      </td>
    </tr>
  );
}

/** Who is online, as far as that is known. */
function Online({ game }: { game: Game }) {
  const [by, setBy] = useState<Column>("name");
  const [rising, setRising] = useState(true);
  const sortBy = (column: Column): void => {
    setRising(column === by ? !rising : column === "name");
    setBy(column);
  };
  const players = sorted(shownOf(game)?.players ?? [], by, rising);
  const empty =
    game.is === "online" ? texts.nobody : game.is === "loading" ? texts.loading : texts.playersAway;
  return players.length === 0 ? (
    <p class="soft">{empty}</p>
  ) : (
    <table {...ROLE.table} aria-labelledby="players">
      <thead {...ROLE.rowgroup}>
        <tr {...ROLE.row}>
          {COLUMNS.map(column => (
            <th
              key={column}
              scope="col"
              {...ROLE.columnheader}
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
      <tbody {...ROLE.rowgroup}>
        {players.map(player => (
          <Row key={player.uuid} player={player} />
        ))}
      </tbody>
    </table>
  );
}

export function Players({ game }: { game: Game }) {
  const known = useKnown();
  const view = known?.place.view ?? "online";
  const isOld = view === "online" && game.is === "unreachable" && (game.old?.players.length ?? 0) > 0;
  const oldFrom = isOld ? game.lastSeen : undefined;
  return (
    <section aria-labelledby="players">
      <h2 id="players">
        {texts.players}
        {oldFrom !== undefined && <span class="since"> {texts.old(format.clock(oldFrom))}</span>}
      </h2>
      {known && <Views chosen={view} />}
      {known && view !== "online" ? <OfEverybody known={known} view={view} /> : <Online game={game} />}
    </section>
  );
}
