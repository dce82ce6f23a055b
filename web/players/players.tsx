import { useRef, useState } from "preact/hooks";
import type { PlayerData } from "../../client/index.ts";
import { PlayerActions } from "../admin/player-actions.tsx";
import { useKnownPlayers } from "../known/known-players.ts";
import { KnownPlayersView, ViewLinks } from "../known/known-views.tsx";
import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { type GameState, latestFigures } from "../servers/game-state.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import { NAME_FIELD } from "../ui/text-form.tsx";
import { Hearts } from "./hearts.tsx";
import { PlayerName } from "./player-name.tsx";
import { type Column, findPlayers, sortPlayers } from "./player-order.ts";

const COLUMNS = Object.keys(texts.columns) as Column[];
const FULL_HEALTH = 20;
/** With so many players online there is a field to search for one. */
const MANY_PLAYERS = 12;

/** An explicit role: on a phone the style sheet turns rows and cells into blocks, and browsers then drop the implicit ones. */
const role = <R extends string>(role: R): { role: R } => ({ role });

const Row = ({ player }: { player: PlayerData }) => (
  <tr {...role("row")}>
    <th scope="row" {...role("rowheader")}>
      <PlayerName {...player} />
      <PlayerActions name={player.name} uuid={player.uuid} />
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

/** Fields to search for a player, and on a phone to sort: there the table has no head. */
const Tools = (props: {
  name: string;
  by: Column;
  onName(name: string): void;
  onSort(column: Column): void;
}) => (
  <div class="tools">
    <input
      type="search"
      aria-label={texts.searchPlayer}
      placeholder={texts.searchPlayer}
      value={props.name}
      {...NAME_FIELD}
      onInput={({ currentTarget }) => props.onName(currentTarget.value)}
    />
    <select
      aria-label={texts.sortedBy}
      value={props.by}
      onChange={({ currentTarget }) => {
        const chosen = COLUMNS.find(one => one === currentTarget.value);
        if (chosen) props.onSort(chosen);
      }}
    >
      {COLUMNS.map(one => (
        <option key={one} value={one}>
          {texts.columns[one]}
        </option>
      ))}
    </select>
  </div>
);

function OnlinePlayersTable({ players }: { players: readonly PlayerData[] }) {
  const [by, setBy] = useState<Column>("name");
  const [isAscending, setIsAscending] = useState(true);
  const [name, setName] = useState("");
  // The fields stay once they are visible, so that nothing moves as players leave.
  const hasTools = useRef(false);
  hasTools.current ||= players.length >= MANY_PLAYERS;
  const sortBy = (column: Column): void => {
    setIsAscending(column === by ? !isAscending : column === "name");
    setBy(column);
  };
  const found = sortPlayers(findPlayers(players, name), by, isAscending);
  return (
    <>
      {hasTools.current && <Tools name={name} by={by} onName={setName} onSort={sortBy} />}
      {found.length === 0 ? (
        <p class="soft">{texts.nobodyFound}</p>
      ) : (
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
            {found.map(player => (
              <Row key={player.uuid} player={player} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** Who is online, or why that is not known. */
function OnlinePlayers({ game }: { game: GameState }) {
  const players = latestFigures(game)?.players ?? [];
  if (players.length > 0) return <OnlinePlayersTable players={players} />;
  if (game.is === "away" || game.is === "unreachable") return <OfflineNotice game={game} />;
  return <p class="soft">{game.is === "online" ? texts.nobody : texts.loading}</p>;
}

interface Props {
  game: GameState;
  /** undefined where it is unknown */
  maxPlayers: number | undefined;
}

/** The players online, and the views of known players where the visitor may see them. */
export function Players({ game, maxPlayers }: Props) {
  const known = useKnownPlayers();
  const view = known?.route.view ?? "online";
  const latest = latestFigures(game);
  const isOld = game.is === "unreachable" && (latest?.players.length ?? 0) > 0;
  return (
    <section aria-labelledby="players">
      <div class="section-head">
        <h2 id="players">{texts.players}</h2>
        {isOld && game.lastSeen !== undefined && (
          <span class="since">{texts.old(format.clock(game.lastSeen))}</span>
        )}
        {game.is === "online" && (
          <span class="count">
            <strong>{format.count(game.metrics.onlinePlayerCount)}</strong>{" "}
            {maxPlayers === undefined ? texts.isOnline : texts.of(format.count(maxPlayers))}
          </span>
        )}
      </div>
      {known && <ViewLinks current={view} />}
      {known && view !== "online" ? (
        <KnownPlayersView known={known} view={view} />
      ) : (
        <OnlinePlayers game={game} />
      )}
    </section>
  );
}
