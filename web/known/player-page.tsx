import { PlayerActions } from "../admin/player-actions.tsx";
import * as format from "../platform/format.ts";
import { useNow } from "../platform/hooks.ts";
import { hashOf } from "../platform/route.ts";
import { explain, texts } from "../platform/texts.ts";
import { Name } from "../players/name.tsx";
import { PlayerHead } from "../players/player-head.tsx";
import { Alert } from "../ui/alert.tsx";
import { FigureList } from "../ui/figure-list.tsx";
import { Calendar } from "./calendar.tsx";
import type { KnownPlayersState } from "./known-players.ts";
import type { Place } from "./places.ts";
import { figuresOf, LastSeen, sortTitle } from "./player-figures.tsx";

const NOW_MS = 30_000;

/** A figure, and its place among all players. */
const Ranked = ({ text, place }: { text: string; place: Place | undefined }) => (
  <>
    {text}
    {place && (
      <small class="place">{texts.place(format.count(place.place), format.count(place.total))}</small>
    )}
  </>
);

export function PlayerPage({ known: { details, places, staysForMs } }: { known: KnownPlayersState }) {
  const now = useNow(NOW_MS);
  const { player, fault } = details;
  return (
    <section class={player || fault ? "known" : "known waiting"} aria-labelledby="player-title">
      <p>
        <a class="back" href={hashOf("everybody")}>
          {texts.views.everybody}
        </a>
      </p>
      {player ? (
        <div class="player-card">
          <h2 class="name" id="player-title">
            <PlayerHead uuid={player.uuid} />
            <Name name={player.name} />
          </h2>
          <PlayerActions name={player.name} uuid={player.uuid} />
          <FigureList
            figures={[
              [texts.seenLast, <LastSeen key="seen" player={player} now={now} />],
              [texts.firstSeen, format.day(player.firstSeen)],
              ...figuresOf(player).map(
                ({ sort, text }) =>
                  [sortTitle(sort), <Ranked key={sort} text={text} place={places[sort]} />] as const,
              ),
            ]}
          />
        </div>
      ) : (
        <>
          <h2 id="player-title">{texts.player}</h2>
          {!fault && <p class="soft">{texts.loading}</p>}
        </>
      )}
      <Alert text={explain(fault)} />
      {player?.stays && staysForMs !== undefined && <Calendar stays={player.stays} staysForMs={staysForMs} />}
    </section>
  );
}
