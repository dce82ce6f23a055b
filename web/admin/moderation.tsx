import { useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { TextForm } from "../ui/text-form.tsx";
import { BanByName, Bans } from "./bans.tsx";
import { type ModerationProps, OnlinePlayers } from "./online-players.tsx";
import { useCall } from "./use-call.tsx";

/** The longest announcement that the service takes, in characters. */
const ANNOUNCEMENT_LENGTH = 256;

/** Kicks, bans and announcements, as far as the key allows them. Needs a `key` for each game server. */
export function Moderation(props: ModerationProps) {
  const { kick, announce, ban, bans } = props.permissions;
  return (
    <>
      {(kick || ban.length > 0) && <OnlinePlayers {...props} />}
      {bans && <Bans {...props} bans={bans} />}
      {ban.length > 0 && <BanByName {...props} />}
      {announce && <Announcement {...props} />}
    </>
  );
}

function Announcement({ client, adminKey, onWrongKey }: ModerationProps) {
  const { busy, run, outcome, refuse } = useCall(onWrongKey);
  const [text, setText] = useState("");
  const [isAsking, setIsAsking] = useState(false);

  async function answer(isConfirmed: boolean): Promise<void> {
    setIsAsking(false);
    if (isConfirmed && (await run(client.announce(adminKey, text), texts.announced))) setText("");
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
        onValue={setText}
        onSubmit={() => (text.trim() === "" ? refuse(texts.announceMissing) : setIsAsking(true))}
      >
        <p class="done">{outcome.done}</p>
      </TextForm>
      {isAsking && (
        <ConfirmDialog
          title={texts.announceQuestion}
          about={text}
          hint={texts.announceHint}
          yes={texts.announce}
          no={texts.announceNot}
          onAnswer={isConfirmed => void answer(isConfirmed)}
        />
      )}
    </>
  );
}
