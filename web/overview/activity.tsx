import { useKnownPlayers } from "../known/known-players.ts";
import type { NewPlayers } from "../known/use-new-players.ts";
import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { PlayerName } from "../players/player-name.tsx";
import { busiestHour, busyUntil, uptimeOf } from "./uptime.ts";
import { useRollups } from "./use-rollups.ts";

const POLL_MS = 300_000;
const HOUR_MS = 3_600_000;
const SPANS = ["1d", "7d", "30d"] as const;
/** How many new players are named. */
const MAX_NAMES = 8;

const Names = ({ players, isPart }: NewPlayers) => (
  <ul class="new-players">
    {players.slice(0, MAX_NAMES).map(player => (
      <li key={player.uuid}>
        <PlayerName {...player} />
      </li>
    ))}
    {(isPart || players.length > MAX_NAMES) && <li class="soft">…</li>}
  </ul>
);

/** How much of the time the game server was online, when most players are, and who is new. */
export function Activity({ otherServer }: { otherServer: string | undefined }) {
  const rollups = {
    "1d": useRollups("1d", otherServer, POLL_MS),
    "7d": useRollups("7d", otherServer, POLL_MS),
    "30d": useRollups("30d", otherServer, POLL_MS),
  };
  const newPlayers = useKnownPlayers()?.newPlayers;
  const uptimes = SPANS.flatMap(span => {
    const of = rollups[span];
    const uptime = of && uptimeOf(span, of);
    return uptime ? [{ span, ...uptime }] : [];
  });
  // A longer span that is no longer recorded than a shorter one says nothing new.
  const visible = uptimes.filter(
    ({ since }, i) => i === 0 || since === undefined || uptimes[i - 1]?.since === undefined,
  );
  const week = rollups["7d"];
  const busiest = week && busiestHour(week, at => new Date(at).getHours());
  const hasNew = newPlayers !== undefined && newPlayers.players.length > 0;
  if (visible.length === 0 && busiest === undefined && !hasNew) return null;
  return (
    <section class="lately" aria-labelledby="activity">
      <h2 id="activity">{texts.lately.title}</h2>
      <dl>
        {visible.length > 0 && (
          <div>
            <dt>{texts.lately.uptime}</dt>
            {visible.map(({ span, share, since }) => (
              <dd key={span}>
                <strong>{format.share(share)}</strong>{" "}
                <span class="soft">
                  {since === undefined ? texts.last[span] : texts.since(format.moment(since, HOUR_MS))}
                </span>
              </dd>
            ))}
          </div>
        )}
        {busiest !== undefined && (
          <div>
            <dt>{texts.lately.busiest}</dt>
            <dd>
              <strong>{format.hoursOfDay(busiest, busyUntil(busiest))}</strong>
            </dd>
          </div>
        )}
        {hasNew && (
          <div>
            <dt>{texts.lately.newPlayers}</dt>
            <dd>
              <Names {...newPlayers} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
