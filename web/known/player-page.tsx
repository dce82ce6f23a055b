import * as format from "../platform/format.ts";
import { useNow } from "../platform/hooks.ts";
import { hashOf } from "../platform/route.ts";
import { explain, texts } from "../platform/texts.ts";
import { Head } from "../players/player-head.tsx";
import { Calendar } from "./calendar.tsx";
import { figuresOf, Seen, titleOf } from "./known-figures.tsx";
import type { Known } from "./known-players.ts";

const NOW_MS = 30_000;

/** All that may be known of one who has been here. */
export function PlayerPage({ known: { player: one, staysForMs } }: { known: Known }) {
  const now = useNow(NOW_MS);
  const { player, fault } = one;
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
            <Head uuid={player.uuid} />
            <bdi>{player.name}</bdi>
          </h2>
          <dl>
            <div>
              <dt>{texts.seenLast}</dt>
              <dd>
                <Seen player={player} now={now} />
              </dd>
            </div>
            <div>
              <dt>{texts.firstSeen}</dt>
              <dd>{format.day(player.firstSeen)}</dd>
            </div>
            {figuresOf(player).map(({ sort, text }) => (
              <div key={sort}>
                <dt>{titleOf(sort)}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </div>
      ) : (
        <>
          <h2 id="player-title">{texts.player}</h2>
          {!fault && <p class="soft">{texts.loading}</p>}
        </>
      )}
      <p class="fault" role="alert">
        {fault ? explain(fault.code, fault.retryAfter) : ""}
      </p>
      {player?.stays && staysForMs !== undefined && <Calendar stays={player.stays} staysForMs={staysForMs} />}
    </section>
  );
}
