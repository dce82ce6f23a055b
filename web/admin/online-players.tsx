import { useRef, useState } from "preact/hooks";
import type { Client, PlayerData } from "../../client/index.ts";
import { texts } from "../platform/texts.ts";
import { type GameState, latestFigures } from "../servers/game-state.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import { BanDialog, type BanProps, useBanning } from "./bans.tsx";
import { CallOutcome } from "./use-call.tsx";
import { useReason } from "./use-reason.tsx";

export interface ModerationProps extends BanProps {
  client: Client;
  game: GameState;
}

/** The players online, with buttons that kick and ban them. */
export function OnlinePlayers({ client, game, ...props }: ModerationProps) {
  const { permissions, adminKey } = props;
  const { busy, run, outcome, ban } = useBanning(props);
  const [dialog, setDialog] = useState<{ player: PlayerData; action: "kick" | "ban" } | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  const players = [...(latestFigures(game)?.players ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));

  /** Closes the dialog, and makes the call if it was confirmed. */
  function answer(call?: () => Promise<boolean>): void {
    setDialog(undefined);
    if (!call) return;
    // The button that had the focus goes with its player.
    list.current?.focus();
    void call();
  }

  return (
    <>
      <h3>{texts.playersHere}</h3>
      <CallOutcome {...outcome} />
      {players.length === 0 ? (
        <p class="soft">{texts.nobody}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list
        <ul class="names wraps" tabIndex={0} aria-label={texts.playersHere} ref={list}>
          {players.map(player => (
            <li key={player.uuid}>
              <bdi>{player.name}</bdi>
              <span class="row">
                {permissions.kick && (
                  <QuietButton
                    label={texts.sendAwayName(player.name)}
                    busy={busy}
                    onClick={() => setDialog({ player, action: "kick" })}
                  >
                    {texts.sendAway}
                  </QuietButton>
                )}
                {permissions.ban.length > 0 && (
                  <QuietButton
                    label={texts.banName(player.name)}
                    busy={busy}
                    onClick={() => setDialog({ player, action: "ban" })}
                  >
                    {texts.ban}
                  </QuietButton>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {dialog?.action === "kick" && (
        <KickDialog
          name={dialog.player.name}
          onAnswer={(isConfirmed, reason) => {
            const { name } = dialog.player;
            const kick = () => run(client.kick(adminKey, name, reason), texts.sentAway(name), name);
            answer(isConfirmed ? kick : undefined);
          }}
        />
      )}
      {dialog?.action === "ban" && (
        <BanDialog
          {...props}
          name={dialog.player.name}
          onAnswer={terms =>
            answer(terms && (() => ban({ uuid: dialog.player.uuid }, dialog.player.name, terms)))
          }
        />
      )}
    </>
  );
}

function KickDialog(props: { name: string; onAnswer(isConfirmed: boolean, reason?: string): void }) {
  const { reason, fields } = useReason();
  return (
    <ConfirmDialog
      title={texts.sendAwayQuestion}
      about={props.name}
      hint={texts.sendAwayHint}
      yes={texts.sendAway}
      no={texts.letStay}
      onAnswer={isConfirmed => props.onAnswer(isConfirmed, reason)}
    >
      {fields}
    </ConfirmDialog>
  );
}
