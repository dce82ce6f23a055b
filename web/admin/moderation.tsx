import { useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import type { GameState } from "../servers/game-state.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { TextForm } from "../ui/text-form.tsx";
import { BanByName, Bans } from "./bans.tsx";
import { OnlinePlayers } from "./online-players.tsx";
import { RecentActions } from "./recent-actions.tsx";
import type { AccessProps } from "./use-access.ts";
import { CallProgress, useCall, waitsForGame } from "./use-call.tsx";

/** The longest announcement that the service takes, in characters. */
const ANNOUNCEMENT_LENGTH = 256;

/** Kicks, bans, announcements and the audit, as far as the visitor may. */
export function Moderation({ game, ...props }: AccessProps & { game: GameState }) {
  const { scopes, ban, bans, audit } = props.access;
  return (
    <>
      {(scopes.includes("players:kick") || ban.length > 0) && (
        <OnlinePlayers game={game} allowed={props.access} />
      )}
      {bans && <Bans {...props} bans={bans} />}
      {ban.length > 0 && <BanByName {...props} />}
      {scopes.includes("chat:announce") && <Announcement {...props} />}
      {audit && <RecentActions entries={audit} />}
    </>
  );
}

function Announcement({ access: { client, key }, control }: AccessProps) {
  const { busy, run, outcome, refuse, clear } = useCall(control.onRefused);
  const [text, setText] = useState("");
  const [isAsking, setIsAsking] = useState(false);

  async function answer(isConfirmed: boolean): Promise<void> {
    setIsAsking(false);
    const words = { ...waitsForGame(), done: texts.announced };
    if (isConfirmed && (await run(client.announce(key, text), words))) setText("");
  }

  return (
    <>
      <TextForm
        id="announcement"
        label={texts.announcement}
        isSection={true}
        submit={texts.announce}
        value={text}
        fault={outcome.fault}
        busy={busy}
        field={{ maxLength: ANNOUNCEMENT_LENGTH, autocomplete: "off" }}
        onValue={value => {
          setText(value);
          clear();
        }}
        onSubmit={() => (text.trim() === "" ? refuse(texts.announceMissing) : setIsAsking(true))}
      >
        <CallProgress {...outcome} />
      </TextForm>
      {isAsking && (
        <ConfirmDialog
          title={texts.announceQuestion}
          about={text}
          hint={texts.announceHint}
          yes={texts.announce}
          onAnswer={isConfirmed => void answer(isConfirmed)}
        />
      )}
    </>
  );
}
