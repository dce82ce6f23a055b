import { useState } from "preact/hooks";
import type { Client } from "../../client/index.ts";
import { texts } from "../platform/texts.ts";
import type { Game } from "../servers/game-server.ts";
import { Question } from "../ui/confirm-dialog.tsx";
import { BanByName, type BanProps, Bans } from "./bans.tsx";
import { PlayersHere } from "./online-players.tsx";
import { useDoing } from "./use-call.tsx";

interface Props extends BanProps {
  /** of the game server */
  client: Client;
  game: Game;
}

/** The longest announcement that the service takes, in characters. */
const ANNOUNCEMENT_LENGTH = 256;

/** What a moderator does: sends players away, bans them, and announces. To be made anew for another game server. */
export function Moderate(props: Props) {
  const { kick, announce, ban, bans } = props.may;
  return (
    <>
      {(kick || ban.length > 0) && <PlayersHere {...props} />}
      {bans && <Bans {...props} bans={bans} />}
      {ban.length > 0 && <BanByName {...props} />}
      {announce && <Announce {...props} />}
    </>
  );
}

function Announce({ client, pass, onWrongKey }: Props) {
  const { busy, run, shown, refuse } = useDoing(onWrongKey);
  const [text, setText] = useState("");
  const [isAsked, setIsAsked] = useState(false);

  function ask(event: Event): void {
    event.preventDefault();
    if (busy) return;
    if (text.trim() === "") refuse(texts.announceMissing);
    else setIsAsked(true);
  }

  async function answer(isWanted: boolean): Promise<void> {
    setIsAsked(false);
    if (isWanted && (await run(client.announce(pass, text), texts.announced))) setText("");
  }

  return (
    <>
      <form onSubmit={ask} noValidate>
        <h3>{texts.announcement}</h3>
        <div class="row">
          <input
            aria-label={texts.announcement}
            value={text}
            maxLength={ANNOUNCEMENT_LENGTH}
            autocomplete="off"
            onInput={event => setText(event.currentTarget.value)}
          />
          <button type="submit" aria-disabled={busy}>
            {texts.announce}
          </button>
        </div>
        {shown}
      </form>
      {isAsked && (
        <Question
          title={texts.announceQuestion}
          about={text}
          hint={texts.announceHint}
          yes={texts.announce}
          no={texts.announceNot}
          answer={isWanted => void answer(isWanted)}
        />
      )}
    </>
  );
}
