import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { explain, type Fault, texts } from "../platform/texts.ts";
import { Name } from "../players/name.tsx";
import { PlayerHead } from "../players/player-head.tsx";
import { compareNames } from "../players/player-order.ts";
import type { GamePresence } from "../servers/game-state.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
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
  /** name of the player who is linked now */
  linkedName?: string | undefined;
  box: RefObject<HTMLInputElement | null>;
  onName(name: string): void;
  onRequest(name: string): void;
}

/**
 * The form for a link request: the name is typed, or chosen among online players. The name of an online player, or one that
 * replaces a link, has to be confirmed first: it may be somebody else's.
 */
export function LinkForm({ name, game, fault, isBusy, linkedName, box, onName, onRequest }: Props) {
  const [unsure, setUnsure] = useState<string | undefined>(undefined);
  const players = game.is === "online" ? game.players : [];
  const missing = fault?.code === "player_offline" ? fault.subject : undefined;
  const names = players.map(player => player.name);
  const suggestion = missing === undefined ? undefined : similarName(missing, names);
  /** The player has joined since the request failed. */
  const isThereNow = missing !== undefined && names.includes(missing);
  const typedName = name.trim();
  const typed = typedName.toLowerCase();
  const all = [...players].sort((a, b) => compareNames(a.name, b.name));
  const matching = all.filter(player => player.name.toLowerCase().includes(typed));
  const offered = (matching.length > 0 ? matching : all).slice(0, MAX_OFFERED);
  /** A name that is not online disturbs no player: the response says so. */
  const mayReachOther =
    typedName !== "" && typedName !== linkedName && (linkedName !== undefined || names.includes(typedName));
  const submit = (): void => (mayReachOther ? setUnsure(typedName) : onRequest(name));
  function onAnswer(isConfirmed: boolean): void {
    setUnsure(undefined);
    if (!isConfirmed || unsure === undefined) return;
    onName(unsure);
    onRequest(unsure);
  }
  return (
    <>
      <NameForm
        id="player"
        label={texts.playerName}
        hint={texts.nameHint}
        submit={isBusy ? texts.sending : texts.link}
        value={name}
        fault={isThereNow ? "" : explain(fault)}
        busy={isBusy}
        field={{ ref: box }}
        onValue={onName}
        onSubmit={submit}
      />
      {suggestion !== undefined && (
        <p>
          <QuietButton busy={isBusy} onClick={() => setUnsure(suggestion)}>
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
                <QuietButton busy={isBusy} onClick={() => setUnsure(player.name)}>
                  <PlayerHead uuid={player.uuid} />
                  <Name name={player.name} />
                </QuietButton>
              </li>
            ))}
          </ul>
        </>
      )}
      {unsure !== undefined && (
        <ConfirmDialog
          title={texts.isThisYou}
          about={unsure}
          hint={texts.isThisYouHint}
          yes={texts.link}
          no={texts.cancel}
          onAnswer={onAnswer}
        />
      )}
    </>
  );
}
