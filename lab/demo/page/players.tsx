import type { ComponentProps } from "preact";
import { useState } from "preact/hooks";
import { PlayerHead } from "../../../web/players/player-head.tsx";
import { NAME_LENGTH, type PlayerView, type WorldView } from "../panel/protocol.ts";
import { SCREEN_ID } from "./form.tsx";
import { Hearts } from "./hearts.tsx";
import { texts } from "./texts.ts";
import type { Send } from "./world-socket.ts";

interface RowProps {
  player: PlayerView;
  others: readonly PlayerView[];
  send: Send;
  onSpeak(): void;
  onForm(): void;
}

/** State of a player, beside their health. */
const notesOf = ({ dead, busy, fighting, form }: PlayerView): { kind: string; text: string }[] =>
  [
    dead && { kind: "bad", text: texts.isDead },
    form && { kind: "asked", text: texts.hasForm },
    busy && { kind: "warn", text: texts.isBusy },
    fighting && { kind: "bad", text: texts.isFighting },
  ].filter(note => typeof note === "object");

function Opponents({ player, others, send, onDone }: RowProps & { onDone(): void }) {
  return (
    <div class="opponents">
      <span>{others.length === 0 ? texts.noOther : texts.fightWhom(player.name)}</span>
      {others.map(({ name, uuid, dead }) => (
        <button
          key={name}
          type="button"
          class="quiet"
          disabled={dead}
          onClick={() => {
            send({ do: "fight", name: player.name, other: name });
            onDone();
          }}
        >
          <PlayerHead uuid={uuid} />
          <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  );
}

function PlayerAction({ label, ...rest }: { label: string } & Omit<ComponentProps<"button">, "label">) {
  return <button type="button" class="quiet" aria-label={label} {...rest} />;
}

function Row(props: RowProps) {
  const { player, send, onSpeak, onForm } = props;
  const { name, uuid, health, maxHealth, dead, busy, fighting, form } = player;
  const [isChoosing, setChoosing] = useState(false);
  return (
    <li class={dead ? "player dead" : "player"}>
      <PlayerHead uuid={uuid} />
      <div class="who">
        <b>
          <bdi>{name}</bdi>
        </b>
        <span class="life">
          <Hearts health={health} max={maxHealth} />
          <span class="sr">{texts.health(health, maxHealth)}</span>
          {notesOf(player).map(({ kind, text }) => (
            <span key={text} class={`note ${kind}`}>
              {text}
            </span>
          ))}
        </span>
      </div>
      <div class="deeds">
        {form && (
          <button type="button" class="answer" aria-label={texts.toFormOf(name)} onClick={onForm}>
            {texts.toForm}
          </button>
        )}
        <PlayerAction label={texts.sayAs(name)} onClick={onSpeak}>
          {texts.speak}
        </PlayerAction>
        <PlayerAction
          label={texts.fightAs(name)}
          aria-expanded={isChoosing}
          disabled={dead || fighting}
          onClick={() => setChoosing(!isChoosing)}
        >
          {texts.fight}
        </PlayerAction>
        <PlayerAction label={texts.dieAs(name)} disabled={dead} onClick={() => send({ do: "die", name })}>
          {texts.die}
        </PlayerAction>
        <PlayerAction
          label={texts.busyAs(name)}
          title={texts.busyHint}
          aria-pressed={busy}
          onClick={() => send({ do: "busy", name, on: !busy })}
        >
          {texts.busy}
        </PlayerAction>
        <PlayerAction label={texts.leaveAs(name)} onClick={() => send({ do: "leave", name })}>
          {texts.leave}
        </PlayerAction>
      </div>
      {isChoosing && !dead && !fighting && <Opponents {...props} onDone={() => setChoosing(false)} />}
    </li>
  );
}

function Join({ isOff, send }: { isOff: boolean; send: Send }) {
  const [name, setName] = useState("");
  const join = (event: Event): void => {
    event.preventDefault();
    if (name.trim() === "") return;
    // A rejected message stays in the field.
    void send({ do: "join", name }).then(isDone => isDone && setName(now => (now === name ? "" : now)));
  };
  return (
    <form class="join" onSubmit={join}>
      <input
        aria-label={texts.joinName}
        placeholder={texts.joinName}
        value={name}
        maxLength={NAME_LENGTH}
        autocomplete="off"
        spellcheck={false}
        onInput={event => setName(event.currentTarget.value)}
      />
      <button type="submit" disabled={isOff}>
        {texts.join}
      </button>
    </form>
  );
}

interface PlayersProps {
  world: WorldView;
  send: Send;
  onSpeaker(name: string): void;
  onForm(name: string): void;
}

/** The online players, and actions for each. */
export function Players({ world: { players, power }, send, onSpeaker, onForm }: PlayersProps) {
  return (
    <section class="players" aria-labelledby="players-title">
      <div class="players-head">
        <h2 id="players-title">
          {texts.players} <span class="soft">{players.length}</span>
        </h2>
        <Join isOff={power !== "on"} send={send} />
      </div>
      {players.length === 0 && <p class="soft none">{power === "on" ? texts.nobody : texts.nobodyStopped}</p>}
      <ul>
        {players.map(player => (
          <Row
            key={player.name}
            player={player}
            others={players.filter(one => one !== player)}
            send={send}
            onSpeak={() => {
              onSpeaker(player.name);
              document.getElementById("line")?.focus();
            }}
            onForm={() => {
              onForm(player.name);
              requestAnimationFrame(() => focusForm());
            }}
          />
        ))}
      </ul>
    </section>
  );
}

function focusForm(): void {
  const screen = document.getElementById(SCREEN_ID);
  (screen?.querySelector<HTMLElement>("[data-answer]") ?? screen)?.focus();
}
