import type { RefObject } from "preact";
import { explain, type Fault, texts } from "../platform/texts.ts";
import { PlayerHead } from "../players/player-head.tsx";
import type { GamePresence } from "../servers/game-state.ts";
import { QuietButton } from "../ui/quiet-button.tsx";
import { NameForm } from "../ui/text-form.tsx";
import { similarName } from "./similar-name.ts";

/** How many online players are offered at most. */
const MAX_OFFERED = 12;

interface Props {
  name: string;
  game: GamePresence;
  /** why the last request failed */
  fault: Fault | undefined;
  isBusy: boolean;
  /** whether an earlier request was declined */
  isAgain: boolean;
  box: RefObject<HTMLInputElement | null>;
  onName(name: string): void;
  onRequest(name: string): void;
}

/** Asks which player to link: the name is typed, or chosen among online players. */
export function LinkForm({ name, game, fault, isBusy, isAgain, box, onName, onRequest }: Props) {
  const players = game.is === "online" ? game.players : [];
  const missing = fault?.code === "player_offline" ? fault.subject : undefined;
  const names = players.map(player => player.name);
  const suggestion = missing === undefined ? undefined : similarName(missing, names);
  const typed = name.trim().toLowerCase();
  const all = [...players].sort((a, b) => a.name.localeCompare(b.name));
  const matching = all.filter(player => player.name.toLowerCase().includes(typed));
  const offered = (matching.length > 0 ? matching : all).slice(0, MAX_OFFERED);
  const request = (one: string): void => {
    onName(one);
    onRequest(one);
  };
  return (
    <>
      <NameForm
        id="player"
        label={texts.playerName}
        hint={texts.nameHint}
        submit={isBusy ? texts.asking : isAgain ? texts.again : texts.link}
        value={name}
        fault={explain(fault)}
        busy={isBusy}
        field={{ ref: box }}
        onValue={onName}
        onSubmit={() => request(name)}
      />
      {suggestion !== undefined && (
        <p>
          <QuietButton busy={isBusy} onClick={() => request(suggestion)}>
            {texts.didYouMean(suggestion)}
          </QuietButton>
        </p>
      )}
      {offered.length > 0 && (
        <>
          <h3 id="offered">{texts.offered}</h3>
          <ul class="offered" aria-labelledby="offered">
            {offered.map(player => (
              <li key={player.uuid}>
                <QuietButton busy={isBusy} onClick={() => request(player.name)}>
                  <PlayerHead uuid={player.uuid} />
                  <bdi>{player.name}</bdi>
                </QuietButton>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
