import { useRef, useState } from "preact/hooks";
import type { Client, PlayerData } from "../../client/index.ts";
import { texts } from "../platform/texts.ts";
import { type Game, shownOf } from "../servers/game-server.ts";
import { Question } from "../ui/confirm-dialog.tsx";
import { type BanProps, BanQuestion, useBanning } from "./bans.tsx";
import { useReason } from "./choice.tsx";

interface Props extends BanProps {
  /** of the game server */
  client: Client;
  game: Game;
}

/** Who is online, for whoever sends players away or bans them. */
export function PlayersHere({ client, game, ...props }: Props) {
  const { may, pass, title } = props;
  const { busy, run, shown, ban } = useBanning(props);
  const [asked, setAsked] = useState<{ player: PlayerData; of: "kick" | "ban" } | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  const players = [...(shownOf(game)?.players ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));

  /** Does what was asked about, once. `done`: nothing where it is not to be done. */
  function answer(done: (() => Promise<boolean>) | undefined): void {
    setAsked(undefined);
    if (!done) return;
    // The button that had the focus goes with its player.
    list.current?.focus();
    void done();
  }

  const button = (player: PlayerData, of: "kick" | "ban", text: string, label: string) => (
    <button
      type="button"
      class="quiet"
      aria-label={label}
      aria-disabled={busy}
      onClick={() => busy || setAsked({ player, of })}
    >
      {text}
    </button>
  );

  return (
    <>
      <h3>{texts.playersHere}</h3>
      {shown}
      {players.length === 0 ? (
        <p class="soft">{texts.nobody}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list
        <ul class="names wraps" tabIndex={0} aria-label={texts.playersHere} ref={list}>
          {players.map(player => (
            <li key={player.uuid}>
              <bdi>{player.name}</bdi>
              <span class="row">
                {may.kick && button(player, "kick", texts.sendAway, texts.sendAwayName(player.name))}
                {may.ban.length > 0 && button(player, "ban", texts.ban, texts.banName(player.name))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {asked?.of === "kick" && (
        <SendAway
          name={asked.player.name}
          answer={(isWanted, reason) => {
            const { name } = asked.player;
            answer(
              isWanted ? () => run(client.kick(pass, name, reason), texts.sentAway(name), name) : undefined,
            );
          }}
        />
      )}
      {asked?.of === "ban" && (
        <BanQuestion
          may={may}
          title={title}
          about={asked.player.name}
          answer={how => answer(how && (() => ban({ uuid: asked.player.uuid }, asked.player.name, how)))}
        />
      )}
    </>
  );
}

/** Asks whether somebody is to be sent away, and why. */
function SendAway(props: { name: string; answer(isWanted: boolean, reason: string | undefined): void }) {
  const { told, fields } = useReason();
  return (
    <Question
      title={texts.sendAwayQuestion}
      about={props.name}
      hint={texts.sendAwayHint}
      yes={texts.sendAway}
      no={texts.letStay}
      answer={isWanted => props.answer(isWanted, told)}
    >
      {fields}
    </Question>
  );
}
