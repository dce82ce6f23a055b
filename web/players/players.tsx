import { useState } from "preact/hooks";
import type { PlayerData } from "../../client/index.ts";
import { useKnownPlayers } from "../known/known-players.ts";
import { KnownPlayersView, ViewLinks } from "../known/known-views.tsx";
import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { type GameState, latestFigures } from "../servers/game-state.ts";
import { Hearts } from "./hearts.tsx";
import { PlayerName } from "./player-name.tsx";

type Column = keyof typeof texts.columns;
const COLUMNS = Object.keys(texts.columns) as Column[];
const FULL_HEALTH = 20;

/** An explicit role: on a phone the style sheet turns rows and cells into blocks, and browsers then drop the implicit ones. */
const role = <R extends string>(role: R): { role: R } => ({ role });

/** Players in the order of a column; equal ones by name, so that no row moves without a reason. */
function sorted(players: readonly PlayerData[], by: Column, isAscending: boolean): PlayerData[] {
  const compare = (a: PlayerData, b: PlayerData): number => {
    const order = by === "name" ? a.name.localeCompare(b.name) : a[by] - b[by];
    return (isAscending ? order : -order) || a.name.localeCompare(b.name) || a.uuid.localeCompare(b.uuid);
  };
  return [...players].sort(compare);
}

const Row = ({ player }: { player: PlayerData }) => (
  <tr {...role("row")}>
    <th scope="row" {...role("rowheader")}>
      <PlayerName {...player} />
    </th>
    <td {...role("cell")} data-of={texts.columns.health}>
      <Hearts share={player.health / FULL_HEALTH} />
      <span class="figure" title={texts.hearts(player.health)}>
        {player.health}
      </span>
    </td>
    <td {...role("cell")} data-of={texts.columns.playerKills}>
      {format.count(player.playerKills)}
    </td>
    <td {...role("cell")} data-of={texts.columns.deaths}>
      {format.count(player.deaths)}
    </td>
    <td {...role("cell")} data-of={texts.columns.playtimeSeconds}>
      {format.playtime(player.playtimeSeconds)}
    </td>
  </tr>
);

function OnlinePlayersTable({ game }: { game: GameState }) {
  const [by, setBy] = useState<Column>("name");
  const [isAscending, setIsAscending] = useState(true);
  const sortBy = (column: Column): void => {
    setIsAscending(column === by ? !isAscending : column === "name");
    setBy(column);
  };
  const players = sorted(latestFigures(game)?.players ?? [], by, isAscending);
  const empty =
    game.is === "online" ? texts.nobody : game.is === "loading" ? texts.loading : texts.playersAway;
  if (players.length === 0) return <p class="soft">{empty}</p>;
  return (
    <table {...role("table")} aria-labelledby="players">
      <thead {...role("rowgroup")}>
        <tr {...role("row")}>
          {COLUMNS.map(column => (
            <th
              key={column}
              scope="col"
              {...role("columnheader")}
              aria-sort={column === by ? (isAscending ? "ascending" : "descending") : "none"}
            >
              <button type="button" class="plain" onClick={() => sortBy(column)}>
                {texts.columns[column]}
                <span class="order" aria-hidden="true">
                  {column === by ? (isAscending ? "▲" : "▼") : ""}
                </span>
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...role("rowgroup")}>
        {players.map(player => (
          <Row key={player.uuid} player={player} />
        ))}
      </tbody>
    </table>
  );
}

/** The players online, and the views of known players where the visitor may see them. */
export function Players({ game }: { game: GameState }) {
  const known = useKnownPlayers();
  const view = known?.route.view ?? "online";
  const isOld = view === "online" && game.is === "unreachable" && (game.old?.players.length ?? 0) > 0;
  const oldSince = isOld ? game.lastSeen : undefined;
  return (
    <section aria-labelledby="players">
      <h2 id="players">
        {texts.players}
        {oldSince !== undefined && <span class="since"> {texts.old(format.clock(oldSince))}</span>}
      </h2>
      {known && <ViewLinks current={view} />}
      {known && view !== "online" ? (
        <KnownPlayersView known={known} view={view} />
      ) : (
        <OnlinePlayersTable game={game} />
      )}
    </section>
  );
}
