import type { RefObject } from "preact";
import type { PlayerData } from "../../client/index.ts";
import { texts } from "../platform/texts.ts";
import { Head } from "../players/player-head.tsx";
import { similar } from "./similar-name.ts";

/** Players that are offered at once; whoever is not among them types. */
const MOST_OFFERED = 12;

interface Props {
  name: string;
  /** online at the moment */
  players: readonly PlayerData[];
  /** the name that nobody online has, if the last request failed by that */
  unknown: string | undefined;
  problem: string;
  isBusy: boolean;
  isAgain: boolean;
  box: RefObject<HTMLInputElement | null>;
  onName(name: string): void;
  onAsk(name: string): void;
}

/** Who is to be asked: typed, or chosen among those who are online. */
export function LinkForm({ name, players, unknown, problem, isBusy, isAgain, box, onName, onAsk }: Props) {
  const names = players.map(player => player.name);
  const meant = unknown === undefined ? undefined : similar(unknown, names);
  const typed = name.trim().toLowerCase();
  const all = [...players].sort((a, b) => a.name.localeCompare(b.name));
  const fitting = all.filter(player => player.name.toLowerCase().includes(typed));
  const offered = (fitting.length > 0 ? fitting : all).slice(0, MOST_OFFERED);
  return (
    <>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault();
          onAsk(name);
        }}
      >
        <label for="player">{texts.playerName}</label>
        <div class="row">
          <input
            ref={box}
            id="player"
            value={name}
            maxLength={64}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby="player-hint player-fault"
            onInput={event => onName(event.currentTarget.value)}
          />
          <button type="submit" aria-disabled={isBusy}>
            {isBusy ? texts.asking : isAgain ? texts.again : texts.link}
          </button>
        </div>
        <p id="player-hint" class="soft">
          {texts.nameHint}
        </p>
      </form>
      <p id="player-fault" class="fault" role="alert">
        {problem}
      </p>
      {meant !== undefined && (
        <p>
          <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => onAsk(meant)}>
            {texts.didYouMean(meant)}
          </button>
        </p>
      )}
      {offered.length > 0 && (
        <>
          <h3 id="offered">{texts.offered}</h3>
          <ul class="offered" aria-labelledby="offered">
            {offered.map(player => (
              <li key={player.uuid}>
                <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => onAsk(player.name)}>
                  <Head uuid={player.uuid} />
                  <bdi>{player.name}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
